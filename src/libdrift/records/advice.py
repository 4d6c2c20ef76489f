"""What to write instead of a name that is gone, and what a check of code finds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ReplacementShape(StrEnum):
    """How code changes that follows a replacement."""

    RENAME = "rename"  # another name in the same module or class; the call stays as it is
    MOVE = "move"  # another module: the import changes
    PARAMETER = "parameter"  # the parameter has another name
    DROP = "drop"  # the parameter goes, and nothing takes its place
    KEYWORD = "keyword"  # what was given by position is given by name
    CALL = "call"  # the attribute is a method now: `x.size` → `x.size()`
    ATTRIBUTE = "attribute"  # the method is an attribute now: `x.size()` → `x.size`
    TEMPLATE = "template"  # another expression: see `Replacement.template`


@dataclass(frozen=True, slots=True)
class Replacement:
    """What takes the place of a symbol or of one of its parameters.

    ``template`` is a Python expression over full paths. ``{self}`` stands for what the method is
    called on, ``{other}`` for the argument that the old parameter ``other`` takes, and ``{...}``,
    last among arguments, for all arguments that are not named otherwise:
    ``pandas.concat([{self}, {other}], {...})``.
    """

    shape: ReplacementShape
    path: str = ""  # the successor as a user writes it; for a parameter its new name
    parameter: str = ""  # the old parameter that it is about
    template: str = ""
    confidence: float = 1.0
    evidence: tuple[str, ...] = ()
    is_proven: bool = False  # by running both: the same output


class FindingKind(StrEnum):
    """What is true at the source version and false at the target."""

    GONE = "gone"
    RENAMED = "renamed"
    MOVED = "moved"
    PARAMETER_GONE = "parameter-gone"
    PARAMETER_RENAMED = "parameter-renamed"
    REORDERED = "reordered"  # an argument by position now reaches another parameter
    KEYWORD_ONLY = "keyword-only"
    TOO_MANY = "too-many-arguments"
    TOO_FEW = "too-few-arguments"
    DEFAULT = "default-changed"
    RETURN = "return-changed"
    BEHAVIOUR = "behaviour"
    DEPRECATED = "deprecated"
    NOT_YET = "not-yet-there"  # of an older target


class FindingLevel(StrEnum):
    ERROR = "error"  # fails at the target, or is ignored there without a word
    WARNING = "warning"  # runs, and warns or does something else
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Finding:
    """One use in one file that the target version treats differently.

    Lines count from 1, columns from 0 and in bytes, as Python's syntax tree has them. In a notebook
    lines are those of the cell.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    kind: FindingKind
    level: FindingLevel
    package: str
    old: str  # versions
    new: str
    symbol: str  # the path as users write it: pandas.DataFrame.append
    written: str  # as the code has it: df.append
    message: str  # one line for a person
    since: str = ""  # the first release that treats it so, as far as releases are mined
    last_fine: str = ""  # the mined release before that, if the history was asked
    parameter: str = ""
    replacement: str = ""  # for people: a path, a new parameter or an expression
    how: Replacement | None = None
    evidence: tuple[str, ...] = ()
    confidence: float = 1.0
    is_fixable: bool = False
    cell: int = 0  # of a notebook, from 1; 0 in any other file
