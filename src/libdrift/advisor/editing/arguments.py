"""Arguments of a call in the tree: named, dropped and added, in the layout that they have."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from libdrift.advisor.editing.calls import ArgumentStep


def rebuilt(arguments: Sequence[cst.Arg], steps: Sequence[ArgumentStep]) -> list[cst.Arg]:
    """The arguments that the steps say, with the layout that the old ones have."""
    made: list[cst.Arg] = []
    for step in steps:
        if step.index is None:
            made.append(_new_argument(step.keyword, cst.parse_expression(step.value)))
            continue
        item = arguments[step.index]
        written = item.keyword.value if item.keyword else ""
        if step.keyword == written or item.star:
            made.append(item)
        elif not step.keyword:
            made.append(item.with_changes(keyword=None, equal=cst.MaybeSentinel.DEFAULT))
        else:
            made.append(_named(item, step.keyword))
    return joined(made, arguments)


def _named(item: cst.Arg, keyword: str) -> cst.Arg:
    if item.keyword is not None:
        return item.with_changes(keyword=item.keyword.with_changes(value=keyword))
    return item.with_changes(keyword=cst.Name(keyword), equal=TIGHT, value=in_brackets(item.value))


TIGHT = cst.AssignEqual(
    whitespace_before=cst.SimpleWhitespace(""), whitespace_after=cst.SimpleWhitespace("")
)
_COMMA = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))


def in_brackets(value: cst.BaseExpression) -> cst.BaseExpression:
    """A generator that was the only argument of its call needs brackets beside others."""
    if isinstance(value, cst.GeneratorExp) and not value.lpar:
        return value.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    return value


def _new_argument(keyword: str, value: cst.BaseExpression) -> cst.Arg:
    return cst.Arg(value=value, keyword=cst.Name(keyword), equal=TIGHT)


def joined(made: Sequence[cst.Arg], before: Sequence[cst.Arg]) -> list[cst.Arg]:
    """Arguments with commas between them, and the end as the old arguments ended."""
    if not made or not before:
        return list(made)
    first = before[0].comma if len(before) > 1 else None
    between = first if isinstance(first, cst.Comma) and not _has_comment(first) else _COMMA
    found = []
    for item in made[:-1]:
        is_ended = isinstance(item.comma, cst.Comma) and item.comma is not before[-1].comma
        changed = item if is_ended else item.with_changes(comma=between)
        if not is_ended:
            changed = changed.with_changes(whitespace_after_arg=cst.SimpleWhitespace(""))
        found.append(changed.with_changes(value=in_brackets(changed.value)))
    last, end = made[-1], before[-1]
    if isinstance(last.comma, cst.Comma) and _has_comment(last.comma):
        return [*found, last]
    found.append(last.with_changes(comma=end.comma, whitespace_after_arg=end.whitespace_after_arg))
    return found


def _has_comment(comma: cst.Comma) -> bool:
    after = comma.whitespace_after
    if not isinstance(after, cst.ParenthesizedWhitespace):
        return False
    if after.first_line.comment is not None:
        return True
    return any(line.comment is not None for line in after.empty_lines)
