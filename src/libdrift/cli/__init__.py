"""Commands only: parse, call, print. Heavy imports live inside the commands."""

from __future__ import annotations

import sys

from libdrift.errors import trouble_of

__all__ = ["main"]


def main() -> None:
    """Run a command; what goes wrong while commands are imported ends in one line too."""
    try:
        from libdrift.cli.app import main as run
    except KeyboardInterrupt:
        sys.stderr.write("libdrift: interrupted\n")
        sys.exit(130)
    except OSError as error:
        sys.stderr.write(f"libdrift: {trouble_of(error)}\n")
        sys.exit(3)
    run()
