"""VersiCode's critical difference check: does an answer call the API as the reference does?

Five rules, each of which is reported alone, all together (CDC), and all but one (the ablation):

1. the API's name is in the answer;
2. the code with the answer filled in compiles;
3. the call of the API has as many arguments;
4. the call's line is a ``with`` statement or is none, like the reference's;
5. each keyword argument of the reference has one of that name.

``ReleasedRules`` gives the published numbers, with the defects of the program: a call ends at the
first closing bracket, and arguments at any comma; the name may end another name, and is a pattern
that may be none (``re.error``) or have another group (``AttributeError``); no call has 0 arguments;
where the mask is missing, rule 2 asks for the masked code alone; ``with`` is what the line starts
with; a keyword may be a part of another, and ``a == b`` is one; without a call on both sides rule 5
does not hold. Only 1102 of 1413 published references keep all rules against themselves.

``Fixed`` reads the syntax tree: of an answer's line alone (with a body, where it opens a block),
else of the code that it stands in; of a block as a whole, else of each line with the name; a text
that is no Python in any way is read by its brackets. The name must be in the code, and not in a
comment or string, where the reference has it there. Rule 2 is demanded only where the reference's
own code compiles, and an answer need not be indented as its place is. Arguments are counted
exactly, and keywords compared by name; a reference without a call demands an answer without one,
but of an import only the name counts. ``with`` is the statement that the call is opened by. The
reference's use is the first call on its core line; of several uses in an answer, also under a name
that it imports the API as, the first that keeps most rules counts. In other languages, arguments
are those of the parser or, in broken code, of the brackets; rule 4 holds there always. A reference
keeps all rules against itself.
"""

from __future__ import annotations

import ast
import re
import textwrap
import warnings
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from libdrift.metrics.core_lines import IMPORT, ApiUseShape, Uses, core_line_number, scanned
from libdrift.metrics.names import (
    bare,
    compiles,
    occurs,
    released_occurs,
)

if TYPE_CHECKING:
    from tree_sitter import Node

Rules = tuple[bool, bool, bool, bool, bool]
COUNT = 5


def together(rules: Rules) -> bool:
    """CDC: all five."""
    return all(rules)


def without(rules: Rules, rule: int) -> bool:
    """The ablation: all rules but one, which is counted from 1."""
    if not 1 <= rule <= COUNT:
        raise ValueError(f"rules are numbered 1 to {COUNT}, not {rule}")
    return all(rules[: rule - 1]) and all(rules[rule:])


def ablated(rules: Rules, rule: int) -> bool:
    """The ablation as the paper's figures have it, where ``without`` takes it at its word.

    Rules 3 and 5 look at the call of the API, so an answer without its name never keeps them, and
    to leave out rule 1 alone would change nothing. So they are asked only of answers that name it.
    The other rules are left out as they are.
    """
    if rule == 1:
        named, compiled, count, opening, keywords = rules
        return compiled and opening and (not named or (count and keywords))
    return without(rules, rule)


class Surroundings:
    """Masked code that an answer is filled into; a block has none."""

    def __init__(self, masked: str | None = None, mask: str = "") -> None:
        self.before: str | None = None  # the mask
        if masked is not None and mask and mask in masked:
            self.before = masked.partition(mask)[0]
        self._masked, self._mask = masked, mask

    def filled(self, answer: str) -> str:
        """Without a mask the answer is all."""
        return answer if self.before is None else self.replaced(answer)

    def replaced(self, answer: str) -> str:
        """As released: without a mask the masked code is all."""
        return answer if self._masked is None else self._masked.replace(self._mask, answer)


# --- released


class ReleasedRules:
    """The rules of one reference line, in the code that answers fill."""

    def __init__(self, token: str, line: str, surroundings: Surroundings | None = None) -> None:
        self._surroundings = surroundings or Surroundings()
        self._token = token
        self._with = line.startswith("with")
        arguments = _released_arguments(token, line)
        self._called = arguments is not None
        self._count = len(arguments or ())
        self._keywords = [item.split("=")[0].strip() for item in arguments or () if "=" in item]

    def rules(self, output: str, line: str) -> Rules:
        """Of an answer with its own core line, which of a line is itself."""
        arguments = _released_arguments(self._token, line)
        return (
            released_occurs(self._token, output),
            compiles(self._surroundings.replaced(output)),
            self._same_count(arguments, line),
            line.startswith("with") == self._with,
            self._same_keywords(arguments),
        )

    def _same_count(self, arguments: list[str] | None, line: str) -> bool:
        if arguments is None:
            return not self._count and self._token in line
        return len(arguments) == self._count

    def _same_keywords(self, arguments: list[str] | None) -> bool:
        if arguments is None or not self._called:
            return False
        if not self._keywords:
            return True
        assigned = [item for item in arguments if "=" in item]
        return all(any(name in item for item in assigned) for name in self._keywords)


def _released_arguments(token: str, text: str) -> list[str] | None:
    """The arguments of the first call, as far as its first closing bracket on the same line."""
    if token.isidentifier():
        inner = _plain_call(token + "(", text)
    else:
        match = re.search(rf"{token}\((.*?)\)", text)
        inner = match[1].strip() if match else None  # a choice may have no group
    if inner is None:
        return None
    return [part for item in inner.split(",") if (part := item.strip())]


def _plain_call(opening: str, text: str) -> str | None:
    """What the pattern of a plain name finds, in one pass: it would start anew at each name."""
    start = text.find(opening)
    while start >= 0:
        start += len(opening)
        stop = text.find("\n", start)
        stop = len(text) if stop < 0 else stop
        end = text.find(")", start, stop)
        if end >= 0:
            return text[start:end]
        start = text.find(opening, stop)
    return None


# --- fixed


class Fixed:
    """The rules of one reference.

    That is what belongs in the surroundings' mask or, if there is none, a block with a core line.
    """

    def __init__(
        self,
        token: str,
        reference: str,
        surroundings: Surroundings | None = None,
        *,
        line: str = "",
        language: str = "python",
    ) -> None:
        self._token = token
        self._reference = reference.strip()
        self._line = line.strip()
        self._surroundings = surroundings or Surroundings()
        self._language = language
        shown = bare(reference, language)
        self._in_text = occurs(token, reference)
        self._in_code = self._is_in_code(reference, shown)
        self._compiles = self._compiled(reference)
        self._use = self._uses(reference, shown)[0]

    def rules(self, output: str) -> Rules:
        shown = bare(output, self._language)
        named = self._named(output, shown)
        judged = [self._judged(use, named=named) for use in self._uses(output, shown)]
        count, opening, keywords = max(judged, key=sum)
        return named, not self._compiles or self._compiled(output), count, opening, keywords

    def _judged(self, use: ApiUseShape, *, named: bool) -> tuple[bool, bool, bool]:
        """The last three rules."""
        wanted = self._use
        if use.arguments is None or wanted.imported:
            count = named and (wanted.arguments is None or wanted.imported)
        else:
            count = use.arguments == wanted.arguments
        called = use.arguments is not None and wanted.keywords <= use.keywords
        return count, use.opens_with == wanted.opens_with, wanted.arguments is None or called

    def _named(self, output: str, shown: str) -> bool:
        if self._in_code:
            return self._is_in_code(output, shown)
        # Where the reference lacks the token, the reference is the only right answer.
        return occurs(self._token, output) if self._in_text else output.strip() == self._reference

    def _is_in_code(self, text: str, shown: str) -> bool:
        if occurs(self._token, shown):
            return True
        if self._language == "python" or self._token not in text:
            return False
        from libdrift.metrics.trees import identifiers

        return self._token in identifiers(text, self._language)  # in a string's placeholder

    def _compiled(self, output: str) -> bool:
        if self._language == "python":
            return any(map(compiles, map(self._surroundings.filled, self._versions(output))))
        from libdrift.metrics.trees import parses

        return parses(self._surroundings.filled(output), self._language)

    def _versions(self, output: str) -> Iterator[str]:
        """The answer as it is, then indented as its place is."""
        yield output
        indent = (self._surroundings.before or "").rpartition("\n")[2]
        if not indent.strip() and (output[:1].isspace() or "\n" in output):
            yield textwrap.dedent(output).strip().replace("\n", "\n" + indent)

    def _uses(self, text: str, shown: str) -> list[ApiUseShape]:
        """That on the core line, which of a line is itself, and then all."""
        found = core = self._found(text, shown)
        if self._surroundings.before is None:
            number = self._core(text, shown)
            core = [item for item in found if item[0][0] - 1 == number]
        calls = [use for _, use in core if use.arguments is not None]
        first = calls or [use for _, use in core] or [ApiUseShape()]
        return [first[0], *(use for _, use in found)]

    def _core(self, text: str, shown: str) -> int | None:
        """The core line of a block: the reference's own, where the block has it."""
        lines = zip(text.split("\n"), shown.split("\n"), strict=True)
        for number, (line, visible) in enumerate(lines if self._line else ()):
            same = line.strip() == self._line
            # In a string it is no use of the name.
            if same and (occurs(self._token, visible) or not self._in_code):
                return number
        return core_line_number(text, shown, self._token)

    def _found(self, text: str, shown: str) -> Uses:
        if self._language != "python":
            found = _of_syntax(self._token, text, self._language)
            return found or scanned(self._token, shown, self._language)
        before = self._surroundings.before
        tree = _tree(text if before is None else _completed(text))
        if tree is None and before is None:
            tree = _tree(textwrap.dedent(text))
        if tree is not None:
            return _of_tree(self._token, tree)
        if before is None:
            return _by_lines(self._token, text, shown)
        first = before.count("\n") + 1
        for version in self._versions(text):
            tree = _tree(self._surroundings.filled(version))
            if tree is not None:
                lines = range(first, first + version.count("\n") + 1)
                return [item for item in _of_tree(self._token, tree) if item[0][0] in lines]
        return scanned(self._token, shown, self._language)


def _completed(line: str) -> str:
    """A line as a program: not indented, and with a body if it opens a block."""
    text = textwrap.dedent(line).strip()
    if not bare(text).rstrip().endswith(":"):
        return text
    last = text.rpartition("\n")[2]
    return f"{text}\n{last[: len(last) - len(last.lstrip())]} pass"


def _tree(code: str) -> ast.Module | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(code)
        except Exception:  # noqa: BLE001  (as for compiling: any text may come)
            return None


def _of_tree(token: str, tree: ast.Module) -> Uses:
    """The uses whose last name is the token's, or what that is imported as."""
    wanted = token.rpartition(".")[2]
    nodes = list(ast.walk(tree))
    imports = [node for node in nodes if isinstance(node, ast.alias)]
    imports = [node for node in imports if node.name.rpartition(".")[2] == wanted]
    own = {wanted, *(node.asname for node in imports if node.asname)}
    found: Uses = [((node.lineno, node.col_offset), ApiUseShape(imported=True)) for node in imports]
    opening: set[ast.AST] = set()
    called: set[ast.AST] = set()
    for node in nodes:  # each before what is in it
        if isinstance(node, ast.withitem):
            opening.update(ast.walk(node.context_expr))
        if node in called:
            continue
        named = node
        if isinstance(node, ast.Call):
            named = node.func
            called.add(named)
        if isinstance(named, ast.Name):
            known = named.id in own
        else:
            known = isinstance(named, ast.Attribute) and named.attr == wanted
        if known and isinstance(named, ast.expr):
            place = (named.end_lineno or 0, named.end_col_offset or 0)
            found.append((place, _use(node, opens_with=node in opening)))
    return sorted(found, key=itemgetter(0))


def _use(node: ast.AST, *, opens_with: bool) -> ApiUseShape:
    if not isinstance(node, ast.Call):
        return ApiUseShape(opens_with=opens_with)
    keywords = frozenset(item.arg for item in node.keywords if item.arg)
    return ApiUseShape(len(node.args) + len(node.keywords), keywords, opens_with)


def _by_lines(token: str, text: str, shown: str) -> Uses:
    """Of a block that is no Python as a whole: by each line, and by brackets if it is none too."""
    lines = text.split("\n")
    found: Uses = []
    for number, group in groupby(scanned(token, shown, "python"), lambda item: item[0][0]):
        tree = _tree(_completed(lines[number - 1]))
        if tree is None:
            found += group
        else:
            found += [((number, 0), use) for _, use in _of_tree(token, tree)]
    return found


_ARGUMENTS = ("argument_list", "arguments", "attribute_argument_list", "annotation_argument_list")
_TYPES = ("type_arguments", "type_argument_list")


def _of_syntax(token: str, text: str, language: str) -> Uses:
    """The uses in code of another language, if all of it is that."""
    from libdrift.metrics import trees

    if not trees.parses(text, language):
        return []
    data = trees.encoded(text)
    wanted = token.rpartition(".")[2].encode("utf-8", "replace")
    lines = text.split("\n")
    places: dict[int, tuple[int, int]] = {}
    calls: dict[int, Node] = {}
    for node in trees.walk(trees.root(data, language)):
        if node.type in _ARGUMENTS and node.prev_named_sibling is not None:
            calls[_last(node.prev_named_sibling).start_byte] = node
        elif node.type.endswith("identifier") and data[node.start_byte : node.end_byte] == wanted:
            places[node.start_byte] = (node.start_point.row + 1, node.start_point.column)
    found: Uses = []
    for start, place in places.items():
        if start in calls:
            items = [item for item in calls[start].named_children if "comment" not in item.type]
            # Only C# has keywords here; a function that is an argument may have a name too.
            named = (item.child_by_field_name("name") for item in items if item.type == "argument")
            keywords = frozenset(
                data[name.start_byte : name.end_byte].decode() for name in named if name
            )
            use = ApiUseShape(len(items), keywords)
        else:
            use = ApiUseShape(imported=bool(IMPORT.match(lines[place[0] - 1])))
        found.append((place, use))
    return found


def _last(node: Node) -> Node:
    """The last leaf of what is called, but for its types."""
    while node.child_count:
        types = node.child_count > 1 and node.children[-1].type in _TYPES
        node = node.children[-2 if types else -1]
    return node
