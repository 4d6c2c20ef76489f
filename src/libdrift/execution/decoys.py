"""Decoys: tests that a right answer must fail, and that a forger cannot tell from the real ones.

Where answer and tests share a process, an answer written against libdrift could report whatever it
likes. It cannot know *what* to report: among its runs are some with decoys, the same text with one
expected value changed. The reference fails those; so does every right answer. A forged report, an
object that equals anything, or values read from the caller's stack pass the decoy as well, and are
found out.

A changed value is written as the first one was: the same quotes, the same number of digits, zeros
where there were zeros, another real word for a word; or it is another expectation of the same
tests. A text that the tests say elsewhere too is not changed: it would be the odd one out.
"""

from __future__ import annotations

import ast
import builtins
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from libdrift.execution.checks import numbers_sought

_SAMENESS = ("close", "equal", "Equal", "assertIs")
_DICE = random.SystemRandom()


# Where something is expected, whether it stands against what is made of the answer's value, and
# the constants there.
_Site = tuple[ast.AST, bool, list[ast.Constant]]
_MOST = 24  # candidates
_TELLING = 3  # characters of a text that are the same elsewhere by no chance
_WRITTEN = (ast.List, ast.Tuple, ast.Dict, ast.Set, ast.Constant, ast.Call)
_PATTERN = re.compile(r"\\|\[\w-\w|\{\d")  # whose digits are a pattern's, not a text's
_LEAST_SOUGHT = 4  # characters of a text that is looked for and changed
_LEAST_WORD = 4  # letters of a word that is changed to another one
# What makes an expected value of constants, beside classes (whose names begin with a capital).
_MAKERS = frozenset(
    "approx array asarray tensor matrix date datetime timedelta dict frozenset list set tuple "
    "float int str bytes complex symbols csr_matrix zeros ones full".split()
)
# Words as tests say them, of every usual length.
_WORDS = (
    "name data list text item test file code line user node page list type size time year blue "
    "gold city tree road main read post hello world value first after other right green black "
    "white alpha table label order price title start event field error apple house index number "
    "result method object string second before update client server orange yellow banana person "
    "column simple window record account address message content library version project history "
    "picture example another service program element general current document response original "
    "language question standard function calendar argument position important different "
    "interface condition attribute operation character beautiful knowledge container dimension "
    "experience collection connection definition dictionary expression background successful "
    "information development application environment performance alternative intelligence"
).split()
_ESCAPE = re.compile(r"\\(?:x..|u.{4}|U.{8}|N\{[^}]*\}|[0-7]{1,3}|.)", re.DOTALL)
_STRING = re.compile(r"([A-Za-z]*)(\"\"\"|'''|\"|')(.*)\2", re.DOTALL)


def decoys(source: str, *, repeated: bool = False) -> list[str]:
    """Candidates, the telling ones first, else in random order; each has one value changed.

    With ``repeated``, those whose value stands elsewhere in the tests too: who reads them can tell
    which one was changed.

    Only one: an answer that is right meets the real expectation, so it cannot meet the changed one,
    whatever else it does differently from the reference. And a cheat need not fool every other
    assertion to be found out.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []  # written for a grammar that this Python does not read
    every_site = list(_sites(tree))
    sites = _unique(tree, every_site)
    if repeated:
        kept = {id(node) for _, _, found in sites for node in found}
        rest = ((p, m, [n for n in found if id(n) not in kept]) for p, m, found in every_site)
        sites = [site for site in rest if site[2]]
    _DICE.shuffle(sites)
    sites.sort(key=lambda site: site[1])
    text = _Text(source)
    every = [constant for _, _, constants in sites for constant in constants]
    # One of every place first, then others of the same places.
    found: dict[str, None] = {}
    for _ in range(_MOST):
        for _, _, constants in sites:
            if len(found) < _MOST:
                changed = text.with_another(_DICE.choice(constants), every)
                if changed is not None:
                    found[changed] = None
    return list(found)


def sought_decoys(source: str) -> list[str]:
    """Candidates that look for another number than the tests do.

    In a text only where that is too long to be there by chance: some answers say more than others.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    text, found = _Text(source), dict[str, None]()
    sites = [n for n in numbers_sought(tree) if isinstance(n, ast.Constant) and _is_sought(n)]
    for _ in range(_MOST if sites else 0):
        changed = text.with_another_digit(_DICE.choice(sites))
        if changed is not None:
            found[changed] = None
    return list(found)


def _is_sought(node: ast.Constant) -> bool:
    """Whether a right answer has nothing but the number itself, if another is looked for."""
    if not isinstance(node.value, str):
        return True
    return len(node.value) >= _LEAST_SOUGHT and not _PATTERN.search(node.value)


def _unique(tree: ast.Module, sites: list[_Site]) -> list[_Site]:
    """The sites without texts that stand elsewhere in the tests too, as what goes in and comes out.

    Who changes one of two equal texts shows which one was changed.
    """
    dumps = Counter(ast.dump(node) for node in ast.walk(tree) if isinstance(node, _WRITTEN))
    counts = Counter(
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
    )
    said = [text for text in counts if isinstance(text, str) and len(text) >= _TELLING]

    def alone(node: ast.Constant) -> bool:
        value = node.value
        if not isinstance(value, str | bytes) or len(value) < _TELLING:
            return True
        inside = isinstance(value, str) and any(value in t for t in said if t != value)
        return counts[value] == 1 and not inside

    kept = [
        (place, made, [node for node in found if alone(node)])
        for place, made, found in sites
        if dumps[ast.dump(place)] <= 1 or not _is_telling(found)
    ]
    return [site for site in kept if site[2]]


def _sites(tree: ast.Module) -> Iterator[_Site]:
    """The places where tests write what they expect, and the constants in each.

    Each with whether it stands against something made *of* the answer's value: `len([f()]) == 1`
    holds whatever `f` gives, so a cheat fails the changed one as honestly as a right answer does.
    """
    names: set[str] = set()
    made: set[ast.AST] = set()
    found: list[ast.AST] = []
    for node in ast.walk(tree):
        for operand in _operands(node):
            found.append(operand)
            if any(map(_makes_of, ast.iter_child_nodes(node))):
                made.add(operand)
            names |= {n.id for n in ast.walk(operand) if isinstance(n, ast.Name)}
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "parametrize":
            found += _parameters(node)
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and (not _has_call(node.value) or _is_made(node.value)):
            targets = {t.id for t in node.targets if isinstance(t, ast.Name)}
            if targets & names:
                found.append(node.value)
    for place in found:
        constants = list(_constants(place))
        if constants:
            yield place, place in made, constants


def _is_telling(constants: list[ast.Constant]) -> bool:
    """Whether the same constants stand elsewhere by no chance."""
    values = [node.value for node in constants]
    return len(values) > 1 or any(isinstance(v, float) or len(str(v)) >= _TELLING for v in values)


def _operands(node: ast.AST) -> list[ast.expr]:
    """What a node compares for sameness; other comparisons have many right answers."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        if not isinstance(node.ops[0], (ast.Eq, ast.Is)):
            return []
        both = [node.left, *node.comparators]
    elif isinstance(node, ast.Call):
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        same = any(word in name for word in _SAMENESS) and "Not" not in name and "not_" not in name
        if not same and name != "zip":  # whose parts are compared, each with its other
            return []
        both = node.args[:2]
    else:
        return []
    # `f(3) == approx(9)`: the side with the answer's own call is not an expectation.
    return [operand for operand in both if not _has_call(operand) or _is_made(operand)]


def _parameters(call: ast.Call) -> Iterator[ast.expr]:
    """The last column of a parametrized table: by custom, what is expected."""
    for rows in call.args[1:2]:
        for row in getattr(rows, "elts", []):
            if isinstance(row, (ast.Tuple, ast.List)) and row.elts:
                yield row.elts[-1]


def _is_made(node: ast.AST) -> bool:
    """Whether all that is called here makes a value of constants: no function of the answer's."""
    calls = [inner for inner in ast.walk(node) if isinstance(inner, ast.Call)]
    names = [getattr(c.func, "attr", getattr(c.func, "id", "")) for c in calls]
    return all(name in _MAKERS or name[:1].isupper() for name in names)


def _constants(node: ast.AST) -> Iterator[ast.Constant]:
    """The constants below a node that can be changed in the text: no parts of f-strings."""
    if isinstance(node, ast.Constant):
        if type(node.value) in (bool, int, float, str, bytes):
            yield node
    elif not isinstance(node, (ast.JoinedStr, ast.Slice)):
        for child in ast.iter_child_nodes(node):
            yield from _constants(child)


def _makes_of(node: ast.AST) -> bool:
    """Whether an operand is what a builtin (`len`, `type`, `sorted`) makes of something."""
    return isinstance(node, ast.Call) and hasattr(builtins, getattr(node.func, "id", " "))


def _has_call(node: ast.AST) -> bool:
    return any(isinstance(inner, ast.Call) for inner in ast.walk(node))


class _Text:
    """A source whose constants can be changed in place, and nothing else."""

    def __init__(self, source: str) -> None:
        self._encoded = source.encode()
        self._starts = [0]
        for line in self._encoded.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def _span(self, node: ast.Constant) -> tuple[int, int]:
        start = self._starts[node.lineno - 1] + node.col_offset
        return start, self._starts[(node.end_lineno or node.lineno) - 1] + (
            node.end_col_offset or 0
        )

    def _literal(self, node: ast.Constant) -> str:
        start, end = self._span(node)
        return self._encoded[start:end].decode()

    def with_another_digit(self, node: ast.Constant) -> str | None:
        """The source with a digit of this text changed; ``None`` where it is not one literal."""
        literal = self._literal(node)
        places = [index for index, c in enumerate(literal) if c in "0123456789"]
        if not places:
            return None
        place = _DICE.choice(places)
        digit = _DICE.choice([d for d in "123456789" if d != literal[place]])
        changed = literal[:place] + digit + literal[place + 1 :]
        return self._with(node, changed) if _differs(changed, node.value) else None

    def with_another(self, node: ast.Constant, others: Sequence[ast.Constant]) -> str | None:
        """The source with this constant changed; ``None`` if it cannot be, in its own style."""
        value, literal = node.value, self._literal(node)
        alike = [self._literal(other) for other in others if _alike(value, other.value)]
        if alike and not isinstance(value, bool) and _DICE.random() < 0.5:  # noqa: PLR2004
            changed: str | None = _DICE.choice(alike)
        else:
            changed = _restyled(literal, value)
        if changed is None or not _differs(changed, value):
            return None
        return self._with(node, changed)

    def _with(self, node: ast.Constant, literal: str) -> str:
        start, end = self._span(node)
        return (self._encoded[:start] + literal.encode() + self._encoded[end:]).decode()


def _alike(value: object, other: object) -> bool:
    """Whether one of two expectations could stand for the other, by its looks."""
    if type(value) is not type(other) or value == other:
        return False
    if isinstance(value, str | bytes) and isinstance(other, str | bytes):
        return len(value) <= 2 * len(other) + 1 and len(other) <= 2 * len(value) + 1
    return len(repr(value)) == len(repr(other))


def _differs(literal: str, value: object) -> bool:
    try:
        changed = ast.literal_eval(literal)
    except (SyntaxError, ValueError):
        return False
    return type(changed) is type(value) and bool(changed != value)


def _restyled(literal: str, value: object) -> str | None:
    """Another value, written as this one is."""
    if isinstance(value, bool):
        return str(not value)
    if isinstance(value, int | float):
        return _other_number(literal)
    return _other_text(literal)


def _other_number(literal: str) -> str | None:
    if literal[:2].lower() in ("0x", "0o", "0b"):
        return literal[:-1] + _DICE.choice([d for d in "01" if d != literal[-1]] or ["1"])
    whole = re.split("[eE]", literal)[0]
    places = [index for index, c in enumerate(whole) if c in "123456789"][:2]
    if not places:  # nothing but zeros: the last one that stands for something
        places = [max(index for index, c in enumerate(whole) if c == "0")]
    place = _DICE.choice(places)
    digit = _DICE.choice([d for d in "123456789" if d != literal[place]])
    return literal[:place] + digit + literal[place + 1 :]


def _other_text(literal: str) -> str | None:
    """A text with one letter or digit changed to another of its kind; some have none."""
    match = _STRING.fullmatch(literal)
    if match is None or match[2] in match[3].replace(f"\\{match[2]}", ""):
        return None  # several texts side by side
    begin = match.start(3)
    changed = _other_word(match[3])
    if changed is not None:
        return literal[:begin] + changed + literal[begin + len(match[3]) :]
    hidden = {n for m in _ESCAPE.finditer(match[3]) for n in range(*m.span())}
    if "r" in match[1].lower():
        hidden = set()
    for kinds in (("aeiou", "bcdfghjklmnpqrstvwxyz"), ("0123456789",)):
        places = [
            (index, kind)
            for index, c in enumerate(match[3])
            for kind in kinds
            if c.lower() in kind and index not in hidden
        ]
        if places:
            index, kind = _DICE.choice(places)
            old = match[3][index]
            new = _DICE.choice([c for c in kind if c != old.lower()])
            new = new.upper() if old.isupper() else new
            return literal[: begin + index] + new + literal[begin + index + 1 :]
    return literal[:begin] + _DICE.choice("aeio") + literal[begin:]


def _other_word(text: str) -> str | None:
    """The text with one of its words changed to another one, about as long; ``None``: no words."""
    if "\\" in text:
        return None
    words = [m for m in re.finditer(r"[A-Za-z]+", text) if len(m[0]) >= _LEAST_WORD]
    words = [m for m in words if m[0].islower() or m[0].istitle() or m[0].isupper()]
    if not words:
        return None
    match = _DICE.choice(words)
    old = match[0]
    close = [w for w in _WORDS if abs(len(w) - len(old)) <= 1 and w != old.lower()]
    if not close:
        return None
    new = _DICE.choice(close)
    new = new.upper() if old.isupper() else new.title() if old.istitle() else new
    return text[: match.start()] + new + text[match.end() :]
