"""What is judged: one answer with its tests; and the files that a compiler is given for it."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from libdrift.environments.crates import crate_names
from libdrift.execution.plan import Job
from libdrift.execution.rust import shapes
from libdrift.execution.rust.imports import without_repeated
from libdrift.execution.rust.plainness import Sharing, is_plain, sharing
from libdrift.execution.rust.shapes import shape_of
from libdrift.execution.rust.syntax import items, parses
from libdrift.execution.rust.tidying import tidied, without_inner
from libdrift.records import Environment


@dataclass(frozen=True, slots=True)
class Unit:
    """An answer and the tests that judge it. Equal units are judged once."""

    environment: Environment
    answer: str
    tests: str
    reference: str = ""
    apis: tuple[str, ...] = ()

    @classmethod
    def of(cls, job: Job) -> Unit:
        program = job.program
        answer, reference = tidied(program.answer), tidied(job.reference)
        return cls(job.environment, answer, program.tests, reference, program.apis)

    @property
    def version(self) -> str:
        """Of Rust: what the answer may use."""
        return self.environment.runtime

    @property
    def plain(self) -> bool:
        return is_plain(self.answer, self.reference, crate_names(self.environment))

    @property
    def sharing(self) -> Sharing:
        return sharing(self.answer, self.tests, self.reference, crate_names(self.environment))


@dataclass(frozen=True, slots=True)
class Placed:
    """A unit in a crate: by which names its parts are known there. All of them are random.

    The answer is a file of its own that the tests' file includes: it cannot read the tests by its
    own file's name, and nothing at its end (an open comment, an attribute) meets what follows.
    """

    unit: Unit
    module: str  # empty: it is the crate
    around: str  # the file with the tests
    canary: str  # one test that must fail: whoever makes it pass makes anything pass
    answer: str = field(default_factory=lambda: f"a{secrets.token_hex(6)}")  # a module's name too
    shared: str = ""  # the file with what it shares with others of its shape, if there are any
    number: int = 0  # among these

    @property
    def prefix(self) -> str:
        return f"{self.module}::" if self.module else ""

    @property
    def file(self) -> str:
        return f"{self.answer}.rs"


def alone(unit: Unit, *, module: str = "") -> Placed:
    return Placed(unit, module, f"b{secrets.token_hex(6)}.rs", f"test_{secrets.token_hex(6)}")


def together(units: Iterable[Unit]) -> list[Placed]:
    """Units as modules of one crate; those of one shape, with the same tests, in one."""
    families: dict[object, list[Unit]] = {}
    for unit in units:
        shape = shape_of(unit.answer) if unit.sharing.crate else None
        key = (unit.tests, unit.environment, shape) if shape else unit
        families.setdefault(key, []).append(unit)
    placed = []
    for family in families.values():
        first = alone(family[0], module=f"m{secrets.token_hex(6)}")
        if len(family) == 1:
            placed.append(first)
            continue
        shared = f"c{secrets.token_hex(6)}.rs"
        placed += [
            Placed(unit, first.module, first.around, first.canary, shared=shared, number=number)
            for number, unit in enumerate(family)
        ]
    return placed


def apart(placed: Placed) -> Placed:
    """The same unit, sharing nothing but the crate."""
    return alone(placed.unit, module=f"m{secrets.token_hex(6)}")


def files_of(placed: Sequence[Placed], *, tests: bool = True) -> dict[str, str]:
    """The files of one module: of one unit, or of several of one shape."""
    first = placed[0]
    answer = first.unit.answer
    inner, rest = without_inner(answer)
    files = {first.file: rest}
    included, modules = first.file, ""
    if first.shared:
        included = first.shared
        choices = [(one.number, one.answer) for one in placed]
        files = {one.file: shapes.own(one.unit.answer) for one in placed}
        files[first.shared] = shapes.common(answer, choices)
        modules = " ".join(f'#[path = "{one.file}"] mod {one.answer};' for one in placed)
    around = f'{inner} ::std::include!("{included}"); {modules}\n'
    if tests:
        canary = f"#[test] fn {first.canary}() {{ assert_eq!(2 + 2, 5); }}"
        around += f"{without_repeated(first.unit.tests, answer)}\n{canary}\n"
    return {**files, first.around: around}


def stands_apart(tests: str) -> bool:
    """Whether tests are modules and nothing else: then no answer can need them to compile."""
    found = items(tests)
    return parses(tests) and all(one.node.type == "mod_item" and one.body for one in found)


def crate_of(placed: Iterable[Placed], *, tests: bool = True) -> Mapping[str, str]:
    """A crate whose modules are these."""
    modules: dict[str, list[Placed]] = {}
    for one in placed:
        modules.setdefault(one.module, []).append(one)
    files: dict[str, str] = {}
    lines = []
    for module, members in modules.items():
        files |= files_of(members, tests=tests)
        version = f'#[clippy::msrv = "{members[0].unit.version}"]'
        lines.append(f'{version} #[path = "{members[0].around}"] mod {module};')
    return {**files, "main.rs": "\n".join(lines) + shapes.CHOICE}
