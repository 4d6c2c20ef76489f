"""``python -m libdrift.sandbox``: exit 0 if bubblewrap starts here, else say what to do."""

import sys

from libdrift import config
from libdrift.errors import LibdriftError
from libdrift.sandbox.backends import find_bwrap

try:
    find_bwrap(config.load().bwrap)
except LibdriftError as error:
    sys.exit(f"libdrift: {error}")
