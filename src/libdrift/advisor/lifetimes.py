"""Since which release a finding is one, as far as releases between the two are mined."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import replace

from libdrift.errors import UserError
from libdrift.history import versions
from libdrift.history.questions import Life, life
from libdrift.history.store import Store
from libdrift.records import Finding, FindingKind

_LOST = {FindingKind.GONE, FindingKind.RENAMED, FindingKind.MOVED}


def dated(findings: Iterable[Finding], store: Store) -> Iterator[Finding]:
    """Findings with their first release; that of the target where no other is mined."""
    lives: dict[str, Life | None] = {}
    for item in findings:
        if item.kind is FindingKind.NOT_YET:
            yield item
            continue
        if item.symbol not in lives:
            try:
                lives[item.symbol] = life(store, item.symbol)
            except UserError:  # of a private module, or known by an unseen way
                lives[item.symbol] = None
        known = lives[item.symbol]
        since = _since(item, known)
        if known is not None and since:
            yield replace(item, since=since, last_fine=known.mined_before(since))
        else:
            yield replace(item, since=item.since or item.new)


def _since(item: Finding, known: Life | None) -> str:
    if known is None:
        return ""
    if item.kind in _LOST:
        return known.removed if known.removed and _is_between(known.removed, item) else ""
    if item.kind is FindingKind.DEPRECATED:
        told = [span.first for span in known.told if span.parameter == item.parameter]
        return next((first for first in told if _is_between(first, item)), "")
    later = [span for span in known.signatures if _is_between(span.first, item)]
    if not item.parameter:
        return later[-1].first if later else ""
    ends = [_aspect(span.text, item.parameter) for span in later]
    low = versions.order(item.old)
    before = [span for span in known.signatures if versions.order(span.first) <= low]
    if later and any(_aspect(span.text, item.parameter) == ends[-1] for span in before[-1:]):
        return ""  # a decorator took it, which no signature shows
    for at, span in enumerate(later):
        if ends[at] == ends[-1]:
            return span.first
    return ""


def _is_between(version: str, item: Finding) -> bool:
    low, high = versions.order(item.old), versions.order(item.new)
    return low < versions.order(version) <= high


def _aspect(signature: str, parameter: str) -> str:
    """Where a parameter stands in a signature, and its default: what a finding may be about."""
    try:
        node = ast.parse(f"def f{signature}: ...").body[0]
    except SyntaxError:
        return signature
    assert isinstance(node, ast.FunctionDef)  # noqa: S101  (the text that is parsed is one)
    by_place = [item.arg for item in (*node.args.posonlyargs, *node.args.args)]
    if parameter in by_place:
        at = by_place.index(parameter)
        defaults = [None] * (len(by_place) - len(node.args.defaults)) + node.args.defaults
        found = defaults[at]
        return f"place {at} {ast.dump(found) if found is not None else ''}"
    return "by name" if parameter in {item.arg for item in node.args.kwonlyargs} else "gone"
