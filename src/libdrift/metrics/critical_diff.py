"""VersiCode's critical difference check: does an answer call the API as the reference does?

Five rules, each of which is reported alone, all together (CDC), and all but one (the ablation):

1. the API's name is in the answer;
2. the code with the answer filled in compiles;
3. the first call of the API has as many arguments (an answer without a call: 0);
4. the call's line is a ``with`` statement or is none, like the reference's;
5. each keyword argument of the reference has one of that name.

``Released`` gives the published numbers, with the defects of the program: a call ends at the first
closing bracket, and arguments at any comma; the name may end another name, and is a pattern that
may be none (``re.error``); ``with`` is what the line starts with; a keyword may be a part of
another, and ``a == b`` is one; without a call on both sides rule 5 does not hold. Only 1102 of 1413
published references keep all rules against themselves.

``Fixed`` reads the syntax tree: of the line alone (with a body, where it opens a block), else of
the code that it stands in; a text that is no Python in either way is read by its brackets. It
counts arguments exactly, and compares keywords by name; ``with`` is the statement that the call is
opened by. Rule 2 is demanded only where the reference's own code compiles, and an answer need not
be indented as its place is. Rule 5 demands a call only where the reference has one. Other languages
are read by their brackets; rule 4 holds there always. A reference keeps all rules against itself.
"""

from __future__ import annotations

import ast
import re
import textwrap
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from operator import itemgetter

from libdrift.metrics.core_lines import CALLED, core_line_number
from libdrift.metrics.names import (
    bare,
    compiles,
    occurs,
    positions,
    released_occurs,
)

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


class Surroundings:
    """Masked code that an answer is filled into; without a mask the answer is all."""

    def __init__(self, masked: str = "", mask: str = "") -> None:
        self.before = masked.partition(mask)[0] if mask and mask in masked else None  # the mask
        self._masked, self._mask = masked, mask

    def filled(self, answer: str) -> str:
        return answer if self.before is None else self._masked.replace(self._mask, answer)


# --- released


class Released:
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
            compiles(self._surroundings.filled(output)),
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
        inner = match[1] if match else None
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


@dataclass(frozen=True, slots=True)
class Use:
    """How an API is used on a line."""

    arguments: int | None = None  # ``None``: it is not called
    keywords: frozenset[str] = frozenset()
    opens_with: bool = False


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
        self._named = occurs(token, reference)
        self._compiles = self._compiled(reference)
        self._use = self._used(reference)

    def rules(self, output: str) -> Rules:
        # Where the reference lacks the token, the reference is the only right answer.
        named = occurs(self._token, output) if self._named else output.strip() == self._reference
        wanted, use = self._use, self._used(output)
        if use.arguments is None:
            count = named and not wanted.arguments
        else:
            count = use.arguments == (wanted.arguments or 0)
        called = use.arguments is not None and wanted.keywords <= use.keywords
        return (
            named,
            not self._compiles or self._compiled(output),
            count,
            use.opens_with == wanted.opens_with,
            wanted.arguments is None or called,
        )

    def _compiled(self, output: str) -> bool:
        if self._language == "python":
            return any(map(compiles, self._filled(output)))
        from libdrift.metrics.trees import parses

        return parses(self._surroundings.filled(output), self._language)

    def _filled(self, output: str) -> Iterator[str]:
        """The code with the answer as it is, then with it indented as its place is."""
        yield self._surroundings.filled(output)
        indent = (self._surroundings.before or "").rpartition("\n")[2]
        if not indent.strip() and (output[:1].isspace() or "\n" in output):
            indented = textwrap.dedent(output).strip().replace("\n", "\n" + indent)
            yield self._surroundings.filled(indented)

    def _used(self, output: str) -> Use:
        before = self._surroundings.before
        if before is not None:
            first = before.count("\n") + 1
            line, rest, last = output, output, first + output.count("\n")
        else:
            lines = output.split("\n")
            number = self._core(output, lines)
            if number is None:
                return Use()
            first = last = number + 1
            line, rest = lines[number], "\n".join(lines[number:])
        if self._language != "python":
            return _scanned(self._token, rest, self._language)
        tree = _tree(_completed(line))
        if tree is not None:
            return _of_tree(self._token, tree)
        tree = next(filter(None, map(_tree, self._filled(output))), None)
        if tree is not None:
            return _of_tree(self._token, tree, range(first, last + 1))
        return _scanned(self._token, rest, self._language)

    def _core(self, output: str, lines: list[str]) -> int | None:
        """The core line of a block: the reference's own, where the block has it."""
        own = (i for i, line in enumerate(lines) if self._line and line.strip() == self._line)
        number = next(own, None)
        if number is not None:
            return number
        return core_line_number(output, bare(output, self._language), self._token)


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


def _of_tree(token: str, tree: ast.Module, lines: range | None = None) -> Use:
    """The first call whose last name is the token; without one, its first mention."""
    wanted = token.rpartition(".")[2]
    calls: list[tuple[tuple[int, int], ast.Call]] = []
    mentions: list[tuple[tuple[int, int], ast.expr]] = []
    opening: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.withitem):
            opening.update(ast.walk(node.context_expr))
        named = node.func if isinstance(node, ast.Call) else node
        if isinstance(named, ast.Name | ast.Attribute) and _last_name(named) == wanted:
            where = (named.end_lineno or 0, named.end_col_offset or 0)
            if lines is not None and where[0] not in lines:
                continue
            if isinstance(node, ast.Call):
                calls.append((where, node))
            else:
                mentions.append((where, named))
    if calls:
        _, call = min(calls, key=itemgetter(0))
        keywords = frozenset(item.arg for item in call.keywords if item.arg)
        return Use(len(call.args) + len(call.keywords), keywords, call in opening)
    if mentions:
        return Use(opens_with=min(mentions, key=itemgetter(0))[1] in opening)
    return Use()


def _last_name(node: ast.Name | ast.Attribute) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr


_SIGN = re.compile(r"[()\[\]{},]")
_WITH = re.compile(r"\s*(?:async\s+)?with\b")
# How keyword arguments begin; Java and JavaScript have none.
_KEYWORD = {
    "python": re.compile(r"\s*([^\W\d]\w*)\s*=(?!=)"),
    "csharp": re.compile(r"\s*([^\W\d]\w*)\s*:(?!:)"),
}


def _scanned(token: str, text: str, language: str) -> Use:
    """What brackets and commas tell of a text that is no Python."""
    shown = bare(text, language)
    python = language == "python"
    mentioned = None
    for start in positions(token, shown):
        line = shown[shown.rfind("\n", 0, start) + 1 : start]
        opens_with = python and bool(_WITH.match(line))
        called = CALLED.match(shown, start + len(token))
        if called:
            arguments = _arguments(shown, called.end())
            pattern = _KEYWORD.get(language)
            found = [pattern.match(item) for item in arguments] if pattern else []
            keywords = frozenset(match[1] for match in found if match)
            return Use(len(arguments), keywords, opens_with)
        mentioned = mentioned or Use(opens_with=opens_with)
    return mentioned or Use()


def _arguments(shown: str, start: int) -> list[str]:
    """The arguments of a call that opens before ``start``, up to its end or the text's."""
    found: list[str] = []
    depth, end = 0, len(shown)
    for match in _SIGN.finditer(shown, start):
        if match[0] in "([{":
            depth += 1
        elif match[0] == ",":
            if not depth:
                found.append(shown[start : match.start()])
                start = match.end()
        elif depth:
            depth -= 1
        else:
            end = match.start()
            break
    return [item for item in (*found, shown[start:end]) if item.strip()]
