"""Functions that use a package and give the same in both releases: what did not change."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from libdrift.build.live.drafting import parameter_names
from libdrift.build.live.measuring import ProgramTrial
from libdrift.build.live.programs import FUNCTION, ExampleProgram, called_with, program_of
from libdrift.build.live.records import PairEvidence, Side
from libdrift.build.results import veiled
from libdrift.mining.examples.uses import called, paths_of

_TRIED = 80  # programs of one pair
_LONGEST = 12  # lines
_NAMES = ("first", "second", "third", "fourth")


@dataclass(frozen=True, slots=True)
class Bystander:
    code: str
    call: str
    paths: frozenset[str]  # what it uses of the package

    @property
    def names(self) -> frozenset[str]:
        return frozenset(path.rpartition(".")[2] for path in self.paths)


def bystanders_of(evidence: PairEvidence) -> tuple[Bystander, ...]:
    """Those that hold, in an order of their own; the same ones each time."""
    found = {one.code: one for one in _candidates(evidence)}
    order = sorted(found.values(), key=lambda one: veiled(one.code))[:_TRIED]
    trials = [ProgramTrial(one.code, (one.call,)) for one in order]
    before, after = (evidence.bench.measure(side, trials) for side in Side)
    return tuple(
        one
        for one, (old,), (new,) in zip(order, before, after, strict=True)
        if old == new and not old.error
    )


def _candidates(evidence: PairEvidence) -> Iterator[Bystander]:
    """Functions from examples of both releases that use nothing that changed."""
    changed = {path for change in evidence.changes for path in (change.path, *change.aliases)}
    names = parameter_names(evidence.uses_old)
    for key, example in sorted(evidence.examples_old.found.items()):
        if key not in evidence.examples_new.found or evidence.compared[key].divergences:
            continue
        runs = evidence.runs_old[key].statements
        uses = evidence.uses_old.of(example)
        for at, run in enumerate(runs[: len(example.statements)]):
            statement = example.statements[at]
            if run.failed or statement.may_raise or not run.output.strip() or not called(uses[at]):
                continue
            program = program_of(example, at, names)
            if not isinstance(program, ExampleProgram) or not program.inputs:
                continue
            paths = frozenset(path for some in uses[: at + 1] for path in paths_of(some))
            is_short = program.code.count("\n") <= _LONGEST
            if is_short and changed.isdisjoint(paths):
                yield Bystander(program.code, called_with(program.own), paths)
                break


def joined(codes: Sequence[str]) -> str:
    """Functions as one program: imports once, and names that say nothing of them."""
    imports: dict[str, None] = {}
    functions: list[str] = []
    for name, code in zip(_NAMES, codes, strict=False):
        head, found, rest = code.rpartition(f"def {FUNCTION}(")
        imports |= dict.fromkeys(line for line in head.splitlines() if line.strip())
        functions.append(f"def {name}({rest}" if found else code)
    program = "\n".join(imports) + "\n\n\n" + "\n\n".join(functions)
    return program if _is_sound(list(imports)) else ""


def _is_sound(imports: Sequence[str]) -> bool:
    """Whether no name is imported from two places."""
    meant: dict[str, str] = {}
    try:
        nodes = ast.parse("\n".join(imports)).body
    except SyntaxError:
        return False
    for node in nodes:
        if not isinstance(node, ast.Import | ast.ImportFrom):
            return False
        for item in node.names:
            name = item.asname or item.name
            origin = f"{getattr(node, 'module', '') or ''}.{item.name}"
            if meant.setdefault(name, origin) != origin:
                return False
    return True
