"""What may be imported before an answer is run, without its noticing.

A fork server saves the time that imports take. But a module that already exists shows:
``import scipy`` followed by ``scipy.stats.norm`` fails in old releases unless someone imported
``scipy.stats``. So for each program only what it would import itself is imported ahead: what its
tests judge with (these are loaded first in any case), and the imports that open the answer, as
far as its task's own reference or tests have them too.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from libdrift.languages.python.usage import Imported, all_imported, is_import, parsed
from libdrift.records import TestStyle
from libdrift.sandbox import Names, Program

_NOTHING: Names = frozenset()
_LONG = 30_000  # characters: of longer answers only what stands on the first lines is read


@lru_cache(maxsize=4096)
def names_of(program: Program, reference: str) -> Names:
    """The imports that can be made ahead for this program."""
    tests = _parse(program.tests)
    wanted = _whole(_used(tests))
    known = wanted | _whole(_names(ast.walk(_parse(reference))))
    if program.style is TestStyle.SCRIPT:
        known |= _whole(_names(ast.walk(tests)))
    own = _whole(_names(_opening(_parse(_head(program.answer)))))
    return frozenset(
        (module, name)
        for module, name in wanted | (own & known)
        if module.split(".")[0] not in (program.module, "__future__")
    )


@lru_cache(maxsize=4096)
def names_of_tests(program: Program, reference: str) -> Names:
    """The imports that can be made ahead for tests whose answer runs elsewhere.

    No answer looks around there: what opens the tests may be there before, used or not.
    """
    opening = _whole(_names(_opening(_parse(program.tests))))
    own = {name for name in opening if name[0].split(".")[0] not in (program.module, "__future__")}
    return names_of(replace(program, answer=reference), reference) | own


def ordered(programs: Sequence[Names]) -> list[tuple[int, tuple[Names, ...]]]:
    """The programs of an environment in an order that shares most, each with its steps.

    The steps of a program lead from what all have in common to what it has alone, each more than
    the one before and never more than the program's own: one server is forked from the other.
    """
    return list(_ordered(list(range(len(programs))), programs, ()))


def _ordered(
    group: list[int], programs: Sequence[Names], steps: tuple[Names, ...]
) -> Iterator[tuple[int, tuple[Names, ...]]]:
    while group:
        common = frozenset.intersection(*(programs[index] for index in group))
        if common > (steps[-1] if steps else _NOTHING):
            steps = (*steps, common)
        rest = Counter(name for index in group for name in programs[index] - common)
        usual = max(rest, key=lambda name: (_costs(name), rest[name], name), default=None)
        if usual is None:
            yield from ((index, steps) for index in group)
            return
        yield from _ordered([i for i in group if usual in programs[i]], programs, steps)
        group = [i for i in group if usual not in programs[i]]


def _costs(name: tuple[str, str]) -> bool:
    """Whether an import is worth sharing: the standard library's take next to no time."""
    return name[0].split(".")[0] not in sys.stdlib_module_names


def _parse(text: str) -> ast.Module:
    return parsed(text) or ast.Module(body=[], type_ignores=[])


def _head(answer: str) -> str:
    """As much of an answer as its opening imports can be looked for in: parsing costs the host."""
    if len(answer) <= _LONG:
        return answer
    lines = []
    for line in answer[:_LONG].split("\n")[:-1]:
        if line.strip() and not line.startswith(("import ", "from ", "#")):
            break
        lines.append(line)
    return "\n".join(lines)


def _opening(tree: ast.Module) -> Iterator[ast.stmt]:
    """The imports before anything that could change what they do."""
    for statement in tree.body:
        if is_import(statement):
            yield statement
        elif not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
            return


def _used(tests: ast.Module) -> set[tuple[str, str]]:
    """The imports at the top of tests whose names they use."""
    read = {n.id for n in ast.walk(tests) if isinstance(n, ast.Name)}
    return _pairs(item for item in all_imported(tests.body) if item.name in read)


def _names(nodes: Iterable[ast.AST]) -> set[tuple[str, str]]:
    return _pairs(all_imported(nodes))


def _pairs(found: Iterable[Imported]) -> set[tuple[str, str]]:
    return {(i.module, i.item) for i in found if not i.is_relative and not i.is_star}


def _whole(names: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
    """With what each implies: ``from a.b import c`` imports ``a.b`` and ``a``."""
    found: set[tuple[str, str]] = set()
    for module, name in names:
        parts = module.split(".")
        found |= {(".".join(parts[:size]), "") for size in range(1, len(parts) + 1)}
        found.add((module, name))
    return found
