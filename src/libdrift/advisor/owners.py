"""The classes that a value may be of, whose class nothing in the code says."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from libdrift.advisor.releases import ReleasePair
from libdrift.advisor.takes import Takes, bind
from libdrift.advisor.variable_members import VariableMembers
from libdrift.languages.python.usage import PLAIN_NAMES, Use

_SIGNS = 2  # other members that are asked of the same variable


@dataclass(frozen=True, slots=True)
class Owners:
    """By public paths; ``is_told`` where signs beside the member itself tell which they are."""

    paths: tuple[str, ...] = ()
    is_told: bool = False


def owners_of(
    pair: ReleasePair,
    use: Use,
    tops: Collection[str] = (),
    variable_members: VariableMembers | None = None,
) -> Owners:
    """The classes that have such a member, which takes the arguments that are given.

    Fewer, where the variable is asked for other members too, or has the name that the release's
    documentation gives to values of one class.
    """
    paths = [
        owner
        for owner in pair.owners(use.name)
        if (not tops or owner.partition(".")[0] in tops) and _takes(pair, use, owner)
    ]
    if not paths or variable_members is None:
        return Owners(tuple(paths))
    # What no class has is no member at all: a column.
    asked = {name for name in variable_members.members(use) if pair.owners(name)} - {use.name}
    fitting = [owner for owner in paths if asked <= pair.members(owner)]
    if not fitting:
        return Owners(tuple(paths))
    likely = pair.conventions.likely_class(use.written.rpartition(".")[0])
    if likely in fitting:
        return Owners((likely,), is_told=True)
    return Owners(tuple(fitting), len(asked) >= _SIGNS and len(fitting) < len(paths))


def _takes(pair: ReleasePair, use: Use, owner: str) -> bool:
    symbol = pair.old.symbol(f"{owner}.{use.name}")
    given = use.arguments
    if given is None or symbol is None or symbol.signature is None:
        return given is None or use.name not in PLAIN_NAMES
    takes = Takes.of(symbol.signature)
    named = all(takes.takes_keyword(name) for name in given.keywords)
    is_plain = use.name in PLAIN_NAMES
    return bind(takes, given).is_fine and (named or not is_plain)
