"""Code brought to other versions: checked, edited and checked again, as long as edits are made."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from libdrift.advisor.checking import CodeChecker, parsed
from libdrift.advisor.editing import LeftFinding, edit
from libdrift.advisor.knowing import PairKnowledge, TargetReader
from libdrift.advisor.releases import ReleasePair
from libdrift.records import Finding, FindingLevel

_ROUNDS = 4  # an edit may uncover another finding; more than a few never do

EditGroup = tuple[str, str, str]  # symbol, kind and parameter: edits that stand or fall together
Wanted = Callable[[str, Sequence[Finding]], Sequence[Finding]]


@dataclass(frozen=True, slots=True)
class MigratedCode:
    """``after`` is the code before where nothing was edited; ``problem`` says why, if it was."""

    before: str
    after: str
    applied: tuple[Finding, ...] = ()
    left: tuple[LeftFinding, ...] = ()
    problem: str = ""

    @property
    def is_changed(self) -> bool:
        return self.before != self.after


def _everything(code: str, findings: Sequence[Finding]) -> Sequence[Finding]:
    del code
    return findings


def _nothing(file: str) -> Collection[str]:
    del file
    return ()


@dataclass(slots=True)
class CodeMigrator:
    """Edits programs between releases that are loaded once."""

    pairs: Sequence[ReleasePair]
    is_risky: bool = False
    wanted: Wanted = _everything  # of a code's findings, those that are to be edited
    shown: Callable[[str], Collection[str]] = _nothing  # names of a file that others take from it
    _checker: CodeChecker = field(init=False)
    _knowledge: PairKnowledge = field(init=False)
    _reader: TargetReader = field(init=False)

    def __post_init__(self) -> None:
        self._checker = CodeChecker(self.pairs)
        self._knowledge = PairKnowledge(self._checker.pairs)
        self._reader = TargetReader(self.pairs)

    def migrated(
        self, code: str, file: str = "", without: Collection[EditGroup] = ()
    ) -> MigratedCode:
        """Edit all that can be; ``without``: groups of findings that stay as they are.

        Where all edits together make the code worse, those that do so alone are left out.
        """
        made, trouble = self._attempted(code, file, without)
        if not trouble:
            return made
        groups = list(dict.fromkeys(group_of(item) for item in made.applied))
        worse: dict[EditGroup, str] = {}
        for group in groups if len(groups) > 1 else ():
            others = {*without, *groups} - {group}
            worse[group] = self._attempted(code, file, others)[1]
        bad = {group: why for group, why in worse.items() if why}
        rest, trouble_left = self._attempted(code, file, {*without, *bad})
        if not bad or trouble_left or not rest.is_changed:
            return _unchanged(made, dict.fromkeys(groups, trouble))
        refused = _refused((item for item in made.applied if group_of(item) in bad), bad)
        left = sorted(
            (*refused, *rest.left), key=lambda one: (one.finding.line, one.finding.column)
        )
        return replace(rest, left=tuple(left))

    def _attempted(
        self, code: str, file: str, without: Collection[EditGroup]
    ) -> tuple[MigratedCode, str]:
        """The code with all edits, and what makes it worse; empty if nothing does."""
        found, problem = self._findings(code, file)
        if problem or not found:
            return MigratedCode(code, code, problem=problem), ""
        is_face = file.endswith("__init__.py")
        shown = self.shown(file)
        applied: list[Finding] = []
        now, trouble = code, ""
        left: tuple[LeftFinding, ...] = ()
        for _ in range(_ROUNDS):
            open_ = [item for item in found if group_of(item) not in without]
            result = edit(
                now,
                open_,
                self._knowledge,
                risky=self.is_risky,
                is_package_face=is_face,
                shown=shown,
            )
            lines = _OriginalLines(code, now)
            left = tuple(replace(one, finding=lines.placed(one.finding)) for one in result.left)
            if not result.applied or result.source == now:
                break
            applied += [lines.placed(item) for item in result.applied]
            now = result.source
            found, trouble = self._findings(now, file)
            if trouble:
                break
        trouble = trouble or self._trouble(code, now)
        return MigratedCode(code, now, tuple(applied), left), trouble

    def _findings(self, code: str, file: str) -> tuple[Sequence[Finding], str]:
        done = self._checker.check(_plain(code), file)
        advised = [self._knowledge.advised(item) for item in done.findings]
        return self.wanted(code, advised), done.problem

    def _trouble(self, before: str, after: str) -> str:
        """What the edited code has that the code before had not, and that the target refuses."""
        tree = parsed(_plain(after))
        if isinstance(tree, str):
            return tree
        fresh = self._reader.wrong(_plain(after)) - self._reader.wrong(_plain(before))
        if fresh:
            return next(iter(fresh))
        worse = self._errors(after) - self._errors(before)
        return next(iter(worse)) if worse else ""

    def _errors(self, code: str) -> Counter[str]:
        found, _ = self._findings(code, "")
        return Counter(item.message for item in found if item.level is FindingLevel.ERROR)


def _unchanged(made: MigratedCode, why: Mapping[EditGroup, str]) -> MigratedCode:
    left = (*_refused(made.applied, why), *made.left)
    return MigratedCode(made.before, made.before, left=left)


def _refused(items: Iterable[Finding], why: Mapping[EditGroup, str]) -> list[LeftFinding]:
    return [LeftFinding(item, f"the edited file is worse: {why[group_of(item)]}") for item in items]


class _OriginalLines:
    """Where lines of edited code stand in the code that a user has."""

    def __init__(self, before: str, after: str) -> None:
        self._lines: dict[int, int] = {}
        if before == after:
            return
        old, new = (_plain(text).split("\n") for text in (before, after))
        matched = difflib.SequenceMatcher(None, old, new, autojunk=False)
        for _, start, end, first, last in matched.get_opcodes():
            for at in range(first, last):
                self._lines[at + 1] = max(start, min(start + at - first, end - 1)) + 1

    def placed(self, finding: Finding) -> Finding:
        line = self._lines.get(finding.line, finding.line)
        end = self._lines.get(finding.end_line, finding.end_line)
        if (line, end) == (finding.line, finding.end_line):
            return finding
        return replace(finding, line=line, end_line=end)


def _plain(code: str) -> str:
    return code.replace("\r\n", "\n").replace("\r", "\n")


def group_of(item: Finding) -> EditGroup:
    return item.symbol, item.kind, item.parameter
