"""WordNet for NLTK, from Debian's own package, for machines that NLTK's downloader cannot reach.

    python -m libdrift.environments.wordnet

copies what ``apt-get install wordnet-base`` installs into libdrift's cache, laid out as NLTK
expects it. Languages other than English (omw) are left empty.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from libdrift import config
from libdrift.errors import InfrastructureError, LibdriftError

_DEBIAN = Path("/usr/share/wordnet")
_FILES = ("data.*", "index.*", "*.exc", "cntlist.rev")
# The lexicographer files, by number; Debian has the list only in a manual page.
_NOUNS = (
    "Tops act animal artifact attribute body cognition communication event feeling food group "
    "location motive object person phenomenon plant possession process quantity relation shape "
    "state substance time"
).split()
_VERBS = (
    "body change cognition communication competition consumption contact creation emotion motion "
    "perception possession social stative weather"
).split()
_NAMES = (
    ("adj.all", 3),
    ("adj.pert", 3),
    ("adv.all", 4),
    *((f"noun.{name}", 1) for name in _NOUNS),
    *((f"verb.{name}", 2) for name in _VERBS),
    ("adj.ppl", 3),
)


def install(target: Path, source: Path = _DEBIAN) -> Path:
    """Lay WordNet out below ``target``, a folder of NLTK data; return its folder there."""
    if not (source / "data.noun").is_file():
        raise InfrastructureError(
            "WordNet is not installed", "Install it with: apt-get install wordnet-base"
        )
    folder = target / "corpora" / "wordnet"
    folder.mkdir(parents=True, exist_ok=True)
    (target / "corpora" / "omw-1.4").mkdir(exist_ok=True)
    for pattern in _FILES:
        for file in source.glob(pattern):
            shutil.copyfile(file, folder / file.name)
    lines = [f"{number:02}\t{name}\t{part}\n" for number, (name, part) in enumerate(_NAMES)]
    (folder / "lexnames").write_text("".join(lines), encoding="utf-8")
    return folder


if __name__ == "__main__":
    try:
        install(config.load().nltk_data[-1])
    except LibdriftError as error:
        sys.exit(f"libdrift: {error}")
