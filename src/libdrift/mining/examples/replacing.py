"""Replacements tried: an example of the old release, written for the new one, prints the same."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from libdrift.languages.python.usage import parsed
from libdrift.mining.examples import comparing, normalising
from libdrift.mining.examples.comparing import ExampleRun
from libdrift.mining.examples.extracting import DocExample, DocStatement
from libdrift.mining.examples.uses import names_in
from libdrift.records import Change, ExampleFinding, ExampleOutcome, Surface

# What a replacement that is none leads to; all else may have another cause.
_WRONG = {"AttributeError", "ImportError", "NameError", "TypeError"}
_LONGEST = 4000  # characters of an output that are kept


@dataclass(frozen=True, slots=True)
class FollowedReplacement:
    """One replacement that an edit follows: of a path, or of one of its parameters."""

    path: str
    parameter: str
    replacement: str


@dataclass(frozen=True, slots=True)
class RewrittenExample:
    code: str
    followed: tuple[FollowedReplacement, ...]
    is_whole: bool  # nothing that the newer release refuses is left


class ExampleRewriter(Protocol):
    def __call__(self, code: str) -> RewrittenExample | None:
        """The code as the newer release wants it; None where it stays as it is."""


MakeRewriter = Callable[[Surface, Surface], ExampleRewriter]
Runs = Mapping[tuple[str, ...], ExampleRun]


@dataclass(frozen=True, slots=True)
class ReplacementTrial:
    """An example before and after its edit."""

    example: DocExample
    edited: DocExample
    followed: tuple[FollowedReplacement, ...]
    is_whole: bool


def trials(
    examples: Iterable[DocExample],
    runs: Runs,
    changes: Sequence[Change],
    rewriter: ExampleRewriter,
) -> list[ReplacementTrial]:
    """Examples that run whole in the old release and meet a change with a replacement."""
    wanted = {
        word
        for change in changes
        if change.how is not None
        for path in (change.path, *change.aliases)
        for word in (path.rpartition(".")[2], change.parameter)
        if word
    }
    found = []
    for example in examples:
        run = runs.get(example.key)
        if run is None or run.trouble(example)[0] >= 0:
            continue
        if any(statement.may_raise for statement in example.statements):
            continue
        code = "\n".join(example.key)
        tree = parsed(code)
        if tree is None or wanted.isdisjoint(_words(tree)):
            continue
        made = rewriter(code)
        if made is not None and (statements := _split(made.code)):
            edited = DocExample(example.path, statements, example.page)
            found.append(ReplacementTrial(example, edited, made.followed, made.is_whole))
    return found


def findings(tried: Iterable[ReplacementTrial], old: Runs, new: Runs) -> list[ExampleFinding]:
    """What each example says of the replacements that its edit follows; one of a kind."""
    found: dict[tuple[str, ...], ExampleFinding] = {}
    for trial in tried:
        before, after = old[trial.example.key], new.get(trial.edited.key)
        for item in trial.followed if after is not None else ():
            assert after is not None  # noqa: S101
            verdict = _verdict(trial, before, after, _edits_of(trial, item))
            if verdict is None:
                continue
            finding = _finding(trial, item, *verdict)
            key = (item.path, item.parameter, item.replacement)
            known = found.get(key)
            # One that works is enough: another may fail for a reason of its own.
            if known is None or known.outcome is ExampleOutcome.REFUSED:
                found[key] = finding
    return sorted(found.values(), key=lambda item: (item.path, item.keywords, item.message))


def _verdict(
    trial: ReplacementTrial, before: ExampleRun, after: ExampleRun, edits: set[int]
) -> tuple[ExampleOutcome, int, str, str] | None:
    """The outcome, the statement that shows it, and what both releases give there."""
    at, reason = after.trouble(trial.edited)
    if at >= 0:
        run = after.statements[at] if at < len(after.statements) else None
        is_theirs = run is not None and at in edits and not _WRONG.isdisjoint(run.error)
        if run is None or not is_theirs or not trial.is_whole or reason != comparing.CODE:
            return None
        return ExampleOutcome.REFUSED, at, "", run.told
    shown = [run.output for run in before.statements if run.output.strip()]
    told = [(at, run.output) for at, run in enumerate(after.statements) if run.output.strip()]
    if len(shown) != len(told):
        return None
    if not all(normalising.same(one, two) for one, (_, two) in zip(shown, told, strict=True)):
        return None
    reached = _reached(trial.edited, edits)
    for number, (at, output) in enumerate(told):
        if at in reached:
            return ExampleOutcome.REPLACED, at, shown[number], output
    return None


def _edits_of(trial: ReplacementTrial, item: FollowedReplacement) -> set[int]:
    """Those that have the name of one replacement, or what its parameter is of."""
    names = {path.rpartition(".")[2] for path in (item.replacement, item.path)}
    statements = trial.edited.statements
    return {at for at in _edits(trial) if names & _words(parsed(statements[at].code))}


def _edits(trial: ReplacementTrial) -> set[int]:
    """Statements of the edited example that the example has not."""
    before = {ast.dump(node) for node in _nodes("\n".join(trial.example.key))}
    return {
        at
        for at, statement in enumerate(trial.edited.statements)
        if any(ast.dump(node) not in before for node in _nodes(statement.code))
    }


def _reached(example: DocExample, edits: set[int]) -> set[int]:
    """Statements that an edit is in, or that use what such a one binds or works on."""
    touched: set[str] = set()
    found: set[int] = set()
    for at, statement in enumerate(example.statements):
        loaded, bound = names_in(statement.code)
        if at in edits or loaded & touched:
            found.add(at)
            # What stands alone is there for what it does to what it names.
            touched |= bound or loaded
    return found


def _finding(
    trial: ReplacementTrial,
    item: FollowedReplacement,
    outcome: ExampleOutcome,
    at: int,
    before: str,
    after: str,
) -> ExampleFinding:
    edited = [trial.edited.statements[number].code for number in sorted(_edits_of(trial, item))]
    return ExampleFinding(
        outcome,
        item.path,
        "\n".join(trial.example.key),
        before.rstrip("\n")[:_LONGEST],
        after.rstrip("\n")[:_LONGEST],
        edited[-1] if edited else trial.edited.statements[at].code,
        trial.example.path or trial.example.page,
        keywords=(f"{item.path}({item.parameter})",) if item.parameter else (),
        message=item.replacement,
    )


def _split(code: str) -> tuple[DocStatement, ...]:
    """A program as statements that are run one by one, as behind prompts."""
    lines = code.splitlines()
    found = []
    for node in _nodes(code):
        text = ast.get_source_segment(code, node) or ""
        decorators = getattr(node, "decorator_list", ())
        first = min([node.lineno, *(item.lineno for item in decorators)])
        above = lines[first - 1 : node.lineno - 1]
        found.append(DocStatement("\n".join([*above, text])))
    return tuple(found)


def _nodes(code: str) -> Iterator[ast.stmt]:
    tree = parsed(code)
    yield from tree.body if tree is not None else ()


def _words(tree: ast.Module | None) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree) if tree is not None else ():
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.keyword(arg=str(name)):
                found.add(name)
            case ast.alias(name=name):
                found.update(name.split("."))
    return found
