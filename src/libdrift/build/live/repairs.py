"""Edits of a program that may make it work in the other release; which of them do, is measured."""

from __future__ import annotations

import ast
import difflib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from libdrift.build.live.measuring import CallOutcome, ProgramTrial, are_same
from libdrift.build.live.programs import FUNCTION
from libdrift.build.live.records import PairEvidence, Side
from libdrift.history.views import View
from libdrift.records.surfaces import BY_PLACE, Parameter, ParameterKind

_MOST = 28  # edits that are tried of one program
_ALIKE = 8  # names that are tried in place of one that is gone
_NO_NAME = re.compile(r"(?:has no attribute|cannot import name|name) '(\w+)'")
_NO_MODULE = re.compile(r"No module named '([\w.]+)'")
_NO_KEYWORD = re.compile(r"(?:unexpected|invalid) keyword argument:? '?(\w+)'?")
_WRAPPERS = ("list({})", "tuple({})", "sorted({})", "set({})", "float({})", "int({})", "bool({})",
             "str({})", "dict({})", "list(map(float, {}))", "list(map(int, {}))",
             "list(map(str, {}))", "list(map(tuple, {}))", "list(map(list, {}))")  # fmt: skip


@dataclass(frozen=True, slots=True)
class WantedRepair:
    """A program that is to give, on the target side, what it gives on the other."""

    code: str
    calls: tuple[str, ...]
    values: tuple[str, ...]
    target: Side
    now: CallOutcome  # what its first call gives there


def repaired(evidence: PairEvidence, wanted: Sequence[WantedRepair]) -> list[str]:
    """Of each program the first edit that gives the wanted values; empty where none does."""
    tried = [list(islice(_distinct(one, evidence), _MOST)) for one in wanted]
    found = [""] * len(wanted)
    for target in Side:
        places = [
            (number, code)
            for number, codes in enumerate(tried)
            for code in codes
            if wanted[number].target is target
        ]
        right = [place for place, same in _same(evidence, target, wanted, places) if same]
        # Without an argument: does its own release give something else without it?
        bare = [place for place in right if _lacks(evidence, wanted[place[0]], place[1])]
        unseen = {place for place, same in _same(evidence, target.other, wanted, bare) if same}
        for number, code in right:
            if not found[number] and (number, code) not in unseen:
                found[number] = code
    return found


_Place = tuple[int, str]  # which of the wanted, and an edit of its program


def _same(
    evidence: PairEvidence, side: Side, wanted: Sequence[WantedRepair], places: Sequence[_Place]
) -> Iterator[tuple[_Place, bool]]:
    """Whether each edit gives on that side what is wanted."""
    trials = [ProgramTrial(code, wanted[number].calls) for number, code in places]
    told = evidence.bench.measure(side, trials)
    for place, outcomes in zip(places, told, strict=True):
        values = [one.value for one in outcomes if one.form == "value"]
        yield place, are_same(values, wanted[place[0]].values)


def _lacks(evidence: PairEvidence, wanted: WantedRepair, code: str) -> bool:
    """Whether an edit leaves out an argument, puts none in its place, and it is no default."""
    given, kept = _keywords(wanted.code), _keywords(code)
    if kept - given:
        return False
    view = evidence.uses(wanted.target.other).view
    return any(
        all(one.default != value for one in _parameters(view, label) if one.name == name)
        for label, name, value in given - kept
    )


def _keywords(code: str) -> Counter[tuple[str, str, str]]:
    """What is called how with which arguments by their names, as source."""
    return Counter(
        (_label(node), item.arg, ast.unparse(item.value))
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Call)
        for item in node.keywords
        if item.arg
    )


def _label(call: ast.Call) -> str:
    func = call.func
    return func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")


def _distinct(wanted: WantedRepair, evidence: PairEvidence) -> Iterator[str]:
    seen = {_normal(wanted.code)}
    for code in _edits(wanted, evidence):
        normal = _normal(code)
        if normal and normal not in seen:
            seen.add(normal)
            yield code


def _normal(code: str) -> str:
    try:
        return ast.dump(ast.parse(code))
    except SyntaxError:
        return ""


def _edits(wanted: WantedRepair, evidence: PairEvidence) -> Iterator[str]:
    """The likeliest first."""
    rewriter = evidence.rewriter(wanted.target)
    made = rewriter(wanted.code) if rewriter is not None else None
    if made is not None:
        yield made.code
    views = (evidence.uses(wanted.target.other).view, evidence.uses(wanted.target).view)
    edits = _ProgramEdits(wanted.code, *views)
    if wanted.now.error:
        yield from edits.for_failure(wanted.now)
    else:
        yield from edits.with_options()
        yield from edits.wrapped()


class _ProgramEdits:
    """Edits of the text of one program, from what it runs with (``here``) to the target."""

    def __init__(self, code: str, here: View, there: View) -> None:
        self._code, self._here, self._there = code, here, there
        self._tree = ast.parse(code)
        self._starts = [0]
        for line in code.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def for_failure(self, now: CallOutcome) -> Iterator[str]:
        name = _NO_NAME.search(now.message)
        module = _NO_MODULE.search(now.message)
        option = _NO_KEYWORD.search(now.message)
        if option:
            yield from self._without_keyword(option[1])
        if "positional argument" in now.message or "keyword-only" in now.message:
            yield from self._by_keyword()
        if name:
            yield from self._renamed(name[1])
        if module:
            yield from self._renamed(module[1].rpartition(".")[2])
        if not (option or name or module):
            yield from self.with_options()

    # --- names

    def _renamed(self, name: str) -> Iterator[str]:
        places = list(self._places(name))
        for other in self._successors(name):
            text = self._code
            for begin, end in reversed(places):
                text = text[:begin] + other + text[end:]
            if places:
                yield text

    def _places(self, name: str) -> Iterator[tuple[int, int]]:
        """Where the name stands, as an attribute, an import or alone."""
        found = set()
        for node in ast.walk(self._tree):
            match node:
                case ast.Attribute(attr=attr) if attr == name:
                    end = self._at(node.end_lineno, node.end_col_offset)
                    found.add((end - len(name), end))
                case ast.Name(id=label) if label == name:
                    found.add(self._span(node))
                case ast.alias(name=label, asname=None) if label == name:
                    found.add(self._span(node))
                case _:
                    pass
        return iter(sorted(found))

    def _successors(self, name: str) -> Iterator[str]:
        """Names of the target beside which the name stood: those that came first, then alike."""
        found: dict[str, None] = {}
        for path in self._here.by_last.get(name, [])[:4]:
            scope = path.rpartition(".")[0]
            theirs, ours = _siblings(self._there, scope), _siblings(self._here, scope)
            new = [one for one in theirs if one not in ours]
            found |= dict.fromkeys(difflib.get_close_matches(name, new, n=_ALIKE, cutoff=0.3))
            found |= dict.fromkeys(difflib.get_close_matches(name, theirs, n=_ALIKE, cutoff=0.5))
        return iter(found)

    # --- arguments

    def _calls(self) -> Iterator[tuple[ast.Call, str]]:
        for node in ast.walk(self._tree):
            if isinstance(node, ast.Call):
                label = _label(node)
                if label in self._there.by_last or label in self._here.by_last:
                    yield node, label

    def _without_keyword(self, name: str) -> Iterator[str]:
        for call, label in self._calls():
            for at, item in enumerate(call.keywords):
                if item.arg != name:
                    continue
                begin, end = self._span(item)
                used = {one.arg for one in call.keywords}
                before = {one.name for one in _parameters(self._here, label)}
                fresh = [one.name for one in _parameters(self._there, label)]
                for other in fresh:
                    if other not in used and other not in before:
                        yield self._code[:begin] + other + self._code[begin + len(name) :]
                yield self._without(call, at, (begin, end))

    def _without(self, call: ast.Call, at: int, span: tuple[int, int]) -> str:
        """The call without one keyword, and without the comma that belonged to it."""
        begin, end = span
        others: list[ast.expr | ast.keyword] = [*call.args, *call.keywords[:at]]
        if others:
            begin = self._span(others[-1])[1]
        elif at + 1 < len(call.keywords):
            end = self._span(call.keywords[at + 1])[0]
        return self._code[:begin] + self._code[end:]

    def _by_keyword(self) -> Iterator[str]:
        """Arguments by the names of their parameters: those that are not taken by place."""
        for call, label in self._calls():
            names = [one.name for one in _parameters(self._here, label) if one.kind in BY_PLACE]
            for first in range(len(call.args) - 1, 0, -1):
                if len(names) < len(call.args):
                    break
                text = self._code
                for place in range(len(call.args) - 1, first - 1, -1):
                    begin, _ = self._span(call.args[place])
                    text = f"{text[:begin]}{names[place]}={text[begin:]}"
                yield text

    def with_options(self) -> Iterator[str]:
        """Arguments with what the other release has by default; else the other of two."""
        later: list[str] = []
        for call, label in self._calls():
            given = {one.arg for one in call.keywords}
            before = {one.name: one.default for one in _parameters(self._here, label)}
            for place, one in enumerate(_parameters(self._there, label)):
                is_given = one.name in given or (one.kind in BY_PLACE and place < len(call.args))
                if is_given or one.default is None or one.kind is ParameterKind.POSITIONAL_ONLY:
                    continue
                old = before.get(one.name)
                if old is not None and old != one.default and _is_plain(old):
                    yield self._with(call, f"{one.name}={old}")
                elif one.default in {"True", "False"}:
                    other = "False" if one.default == "True" else "True"
                    later.append(self._with(call, f"{one.name}={other}"))
        yield from later

    def _with(self, call: ast.Call, argument: str) -> str:
        end = self._span(call)[1] - 1
        has_some = bool(call.args or call.keywords)
        inner = self._code[:end].rstrip()
        if has_some and not inner.endswith(","):
            argument = f", {argument}"
        return f"{inner}{argument}{self._code[end:]}"

    # --- values

    def wrapped(self) -> Iterator[str]:
        function = self._tree.body[-1]
        assert isinstance(function, ast.FunctionDef)  # noqa: S101  (as programs are written)
        last = function.body[-1]
        if function.name != FUNCTION or not isinstance(last, ast.Return) or last.value is None:
            return
        begin, end = self._span(last.value)
        value = self._code[begin:end]
        for wrapper in _WRAPPERS:
            yield self._code[:begin] + wrapper.format(value) + self._code[end:]

    def _at(self, line: int | None, column: int | None) -> int:
        return self._starts[(line or 1) - 1] + (column or 0)

    def _span(self, node: ast.expr | ast.keyword | ast.alias) -> tuple[int, int]:
        begin = self._at(node.lineno, node.col_offset)
        return begin, self._at(node.end_lineno, node.end_col_offset)


def _siblings(view: View, scope: str) -> list[str]:
    symbol = view.symbol(scope)
    name = view.find(scope)
    if name is None:
        return []
    if symbol is not None and ":" in name.target:
        found = list(view.members(name.target))
    else:
        found = list(view.surface.scopes.get(name.target, {}))
    return sorted(label for label in found if not label.startswith("_"))


def _parameters(view: View, label: str) -> list[Parameter]:
    """Of the most public thing that is called so."""
    for path in view.by_last.get(label, [])[:1]:
        symbol = view.symbol(path)
        if symbol is not None and symbol.signature is not None:
            return list(symbol.signature.parameters)
    return []


def _is_plain(text: str) -> bool:
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return False
    return True
