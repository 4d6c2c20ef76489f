"""Complete: one expression, one line or a few lines are missing in a program that runs with them.

The filled-in call is bound by running: the program gives the values that its tests have in the
task's release. Where the call is of something new, it fails in the release before; where it is of
something that did not change, it gives the same there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice

from libdrift.build.live.generating import (
    AskedProgram,
    FamilyRules,
    by_family,
    drafts_of,
    examples_in_words,
)
from libdrift.build.live.holes import shown_without
from libdrift.build.live.missing import (
    MissingCall,
    asked_in_words,
    given_in_words,
    kept_calls,
    result_in_words,
)
from libdrift.build.live.records import Draft, LiveFamily, PairEvidence, Side

MARK = "<missing>"
_PER_SYMBOL = 3  # tasks about one symbol
_KEPT = 4  # tasks of one step about symbols that did not change: a control for those that did
_WORDS = {
    "middle": "one expression is missing. It stands at",
    "line": "one line is missing. It stands at",
    "block": "the end is missing. It stands at",
}


def drafts(evidence: PairEvidence, left_out: Counter[str] | None = None) -> Iterator[Draft]:
    """Programs of which something around the call is shown; and some of what did not change."""
    reasons: Counter[str] = Counter() if left_out is None else left_out
    brought = (
        missing for family, missing in by_family(evidence, reasons) if family is LiveFamily.COMPLETE
    )
    wanted = chain(brought, islice(kept_calls(evidence, reasons), _KEPT))
    rules = FamilyRules(LiveFamily.COMPLETE, _asked, _PER_SYMBOL)
    return drafts_of(evidence, rules, wanted, reasons)


def _asked(evidence: PairEvidence, missing: MissingCall) -> AskedProgram:
    prepared, hole = missing.prepared, missing.hole
    if hole.follows:
        level, span = "block", (hole.statement[0], hole.follows)
    elif hole.fills_statement:
        level, span = "line", hole.statement
    else:
        level, span = "middle", (hole.begin, hole.end)
    release = evidence.release(Side.NEW)
    form = result_in_words(hole.form)
    returned = f"Return its result{f' {form}' if form else ''}."
    where = f"In this program for {release.package} {release.version}, {_WORDS[level]} `{MARK}`"
    result = returned if hole.is_last or hole.follows else ""
    parts = (
        f"{where}, and is {asked_in_words(evidence, missing)}",
        f"{given_in_words(missing)} {result}".strip(),
        examples_in_words(missing),
        "Answer with the whole program, and add the imports that you need.",
    )
    starter = shown_without(prepared.code, span, MARK, missing.introduction)
    return AskedProgram(starter, "\n\n".join(filter(None, parts)), level)
