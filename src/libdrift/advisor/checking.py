"""What in one program is true at the source version and false at the target."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from libdrift.advisor.packages import CheckedPackages
from libdrift.advisor.releases import ReleasePair
from libdrift.advisor.use_checking import FUNCTIONS, LOST, UseCheck
from libdrift.advisor.variable_members import VariableMembers
from libdrift.languages.python import usage
from libdrift.languages.python.usage import Span, Use, UseKind
from libdrift.records import Finding, FindingKind


@dataclass(frozen=True, slots=True)
class CheckedCode:
    """Findings in the order of the file, or why it could not be read."""

    findings: tuple[Finding, ...] = ()
    problem: str = ""
    uses: int = 0
    # On values of which nothing is known: true unless the code has its own such member.
    guesses: tuple[Finding, ...] = ()


class CodeChecker:
    """Checks programs between releases that are loaded once."""

    def __init__(self, pairs: Iterable[ReleasePair]) -> None:
        self.pairs: Mapping[str, ReleasePair] = {pair.package: pair for pair in pairs}
        self._packages = CheckedPackages(self.pairs.values())
        self._tops = {root.partition(".")[0] for root in self._packages.roots}
        lenders = {root: pair.old for pair in self.pairs.values() for root in pair.roots}
        for pair in self.pairs.values():
            pair.lenders = lenders
        self._project: usage.ProjectModules | None = None

    def learn(self, files: Iterable[tuple[str, str]], roots: Collection[str] = ()) -> None:
        """Reads all files of a project (path and code), so that values are followed across them."""
        self._project = usage.ProjectModules(self._packages, self._types)
        self._project.learn(files, roots)

    def check(self, code: str, file: str = "") -> CheckedCode:
        if self._project is None and not any(top in code for top in self._tops):
            return CheckedCode()
        tree = parsed(code)
        if isinstance(tree, str):
            return CheckedCode(problem=tree)
        try:
            if not self._is_worth(tree, file):
                return CheckedCode()
            view = self._project.seen_from(file) if self._project else None
            reading = usage.read(tree, self._packages, self._types, neighbours=view)
        except RecursionError:
            return CheckedCode(problem="nested too deep to be read")
        variable_members = VariableMembers(tree)
        found = list(self._findings(reading.uses, file, variable_members))
        found += self._of_assigned(reading.assigned, file)
        imports = {use.span for use in reading.uses if use.kind is UseKind.IMPORT}
        guesses = tuple(self._guesses(reading, file, variable_members))
        found += [item for item in guesses if item.kind is FindingKind.RETURN]
        return CheckedCode(
            tuple(_once(found, imports)),
            uses=len(reading.uses),
            guesses=tuple(item for item in guesses if item.kind is not FindingKind.RETURN),
        )

    def _is_worth(self, tree: ast.Module, file: str) -> bool:
        if usage.imports_any(tree, self._packages):
            return True
        modules = {item.module for item in usage.all_imported(ast.walk(tree))}
        return self._project is not None and self._project.imports_some(file, modules)

    def _types(self, package: str) -> usage.ReleaseTypes | None:
        pair = self.pairs.get(package)
        return pair.old_types if pair else None

    def _findings(
        self, uses: Sequence[Use], file: str, variable_members: VariableMembers
    ) -> Iterator[Finding]:
        keywords = [use for use in uses if use.kind is UseKind.KEYWORD]
        imported = {use.path for use in uses if use.kind is UseKind.IMPORT and "." in use.path}
        tried = {use.path for use in uses if use.kind is UseKind.IMPORT and use.guard}
        for use in uses:
            pair = self.pairs.get(use.package)
            if pair is None or use.guard or use.kind is UseKind.KEYWORD:
                continue
            check = UseCheck(pair, use, file, keywords, imported, variable_members)
            for item in check.findings():
                # Where an import that is tried fails, its name is not asked for anything.
                is_tried = any(f"{path}.".startswith(f"{item.symbol}.") for path in tried)
                if not (item.kind in LOST and is_tried and use.kind is not UseKind.IMPORT):
                    yield item

    def _of_assigned(self, uses: Sequence[Use], file: str) -> Iterator[Finding]:
        """What nobody reads any more is set in vain, or is refused."""
        for use in uses:
            pair = self.pairs.get(use.package)
            if pair is None or use.guard:
                continue
            symbol = pair.old.symbol(use.path)
            if symbol is not None and symbol.kind not in FUNCTIONS:  # else a method is replaced
                for item in UseCheck(pair, use, file).findings():
                    if item.kind in LOST:
                        yield item

    def _guesses(
        self, reading: usage.Reading, file: str, variable_members: VariableMembers
    ) -> Iterator[Finding]:
        """Of members of values that no package is known to have made."""
        imported = {use.path for use in reading.uses if use.kind is UseKind.IMPORT}
        tops = {path.partition(".")[0] for path in imported}
        pairs = [
            (pair, tops & {root.partition(".")[0] for root in pair.roots})
            for pair in self.pairs.values()
        ]
        for use in reading.loose:
            pair = self.pairs.get(use.package)
            if use.guard:
                continue
            if pair is not None:
                yield from UseCheck(pair, use, file, (), imported).of_returned()
                continue
            judges = [
                (UseCheck(pair, use, file, (), imported, variable_members), there)
                for pair, there in pairs
                if there
            ]
            yield from _whichever(judges)


def _whichever(judges: Sequence[tuple[UseCheck, Collection[str]]]) -> Iterable[Finding]:
    """What is told of a member, whichever of the packages that have it is meant."""
    having = [(judge, tops, judge.owners(tops)) for judge, tops in judges]
    having = [one for one in having if one[2].paths]
    # Where signs tell of one package, that others have such a member too says nothing.
    having = [one for one in having if one[2].is_told] or having
    if not all(judge.is_lost(tops) for judge, tops, _ in having):
        return ()
    told = filter(None, (list(judge.guessed(tops)) for judge, tops, _ in having))
    return min(told, key=lambda found: found[0].symbol.count("."), default=())


def advised(findings: Iterable[Finding], pairs: Mapping[str, ReleasePair]) -> Iterator[Finding]:
    """Findings with what the history tells of parameters that both signatures do not tell.

    Apart from the check, because all of both releases must be compared for it.
    """
    for item in findings:
        pair = pairs.get(item.package)
        change = None
        if pair and item.kind is FindingKind.PARAMETER_GONE and not item.replacement:
            change = pair.parameter_change(item.symbol, item.parameter)
        if change is None:
            yield item
            continue
        yield replace(
            item,
            replacement=change.replacement,
            how=change.how,
            message=f"{item.message}; use {change.replacement}",
            evidence=(*item.evidence, *change.evidence),
        )


def parsed(code: str) -> ast.Module | str:
    """The tree, or why there is none, in a line."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)  # of the code that is read
            return ast.parse(code)
    except SyntaxError as error:
        return f"line {error.lineno or 0}: {error.msg}"
    except (ValueError, RecursionError, MemoryError) as error:
        return str(error) or "nested too deep to be read"


def _once(found: Sequence[Finding], imports: set[Span]) -> Iterator[Finding]:
    """Of a name that an import cannot bring, only the import is told; nothing is told twice."""
    missing = {item.symbol for item in found if _span(item) in imports and item.kind in LOST}
    seen: set[tuple[object, ...]] = set()
    for item in found:
        key = (item.line, item.column, item.kind, item.symbol, item.parameter)
        follows = item.symbol in missing and _span(item) not in imports
        if key not in seen and not (follows and item.kind in LOST):
            seen.add(key)
            yield item


def _span(item: Finding) -> Span:
    return Span(item.line, item.column, item.end_line, item.end_column)
