"""What the name of a set says of its examples: ``matplotlib_synth_introduced``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from libdrift.records import ChangeKind


@dataclass(frozen=True, slots=True)
class ExampleSet:
    library: str
    scenario: str | None = None  # controlled, realistic
    access: str | None = None  # direct, indirect: of realistic examples
    category: str | None = None  # in the benchmark's words
    change: ChangeKind | None = None
    known: bool = True

    @property
    def lifecycle(self) -> str | None:
        """Where the set says one thing: "introduced or deprecated" does not."""
        return self.category if self.change else None


# An API that is deprecated to this benchmark is gone in the next version that it looks at.
_KINDS = {
    r"direct_api": ("realistic", "direct", None, None),
    r"indirect_api": ("realistic", "indirect", None, None),
    r"synth_\d+": ("controlled", None, None, None),
    r"synth_introduced": ("controlled", None, "introduced", ChangeKind.INTRODUCED),
    r"synth_deprecated": ("controlled", None, "deprecated", ChangeKind.REMOVED),
    # Called on the module, all of them: none has the variable that indirect ones are told by.
    r"hard_introduced_or_deprecated": ("realistic", "direct", "introduced or deprecated", None),
}
_NAME = re.compile(rf"(.+?)_({'|'.join(_KINDS)})")


def parse(name: str) -> ExampleSet:
    """What is known; of an unknown name, no more than the library in front."""
    match = _NAME.fullmatch(name)
    if match is None:
        return ExampleSet(name.partition("_")[0], known=False)
    said = next(said for kind, said in _KINDS.items() if re.fullmatch(kind, match[2]))
    return ExampleSet(match[1], *said)


def version_of(stem: str) -> str:
    """``1.10.0`` of a file called ``v_1_10_0`` or ``1_10_0``."""
    return stem.removeprefix("v_").replace("_", ".")
