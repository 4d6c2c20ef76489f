"""What a signature takes, by name and by place, and what each argument of a call reaches in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from libdrift.languages.python.usage import Arguments
from libdrift.records import ANY_NUMBER, BY_PLACE, Parameter, ParameterKind, Signature


@dataclass(frozen=True, slots=True)
class Takes:
    """A signature, by name and by place."""

    named: Mapping[str, Parameter]
    places: tuple[Parameter, ...]
    any_place: bool  # *args
    any_keyword: bool  # **kwargs

    @classmethod
    def of(cls, signature: Signature) -> Takes:
        kinds = {item.kind for item in signature.parameters}
        return cls(
            {item.name: item for item in signature.parameters if item.kind not in ANY_NUMBER},
            tuple(item for item in signature.parameters if item.kind in BY_PLACE),
            ParameterKind.VARIADIC in kinds,
            ParameterKind.KEYWORDS in kinds,
        )

    def takes_keyword(self, name: str) -> bool:
        found = self.named.get(name)
        return found is not None and found.kind is not ParameterKind.POSITIONAL_ONLY

    @property
    def is_opaque(self) -> bool:
        """A wrapper, which says nothing of what it takes."""
        return not self.named and (self.any_place or self.any_keyword)


@dataclass(frozen=True, slots=True)
class BoundCall:
    places: tuple[Parameter | None, ...]  # what each argument by position reaches; None: *args
    beyond: int  # arguments by position that nothing takes
    unknown: tuple[str, ...]  # keywords that nothing takes
    swallowed: tuple[str, ...]  # keywords that only **kwargs takes
    twice: tuple[str, ...]  # parameters that are given by position and by name
    missing: tuple[str, ...]  # parameters without a default that are not given

    @property
    def is_fine(self) -> bool:
        return not (self.beyond or self.unknown or self.twice or self.missing)


def bind(takes: Takes, arguments: Arguments) -> BoundCall:
    given = takes.places[: arguments.positional]
    extra = arguments.positional - len(given)
    names = {item.name for item in given if item.kind is not ParameterKind.POSITIONAL_ONLY}
    keywords = arguments.keywords
    unmatched = [name for name in keywords if not takes.takes_keyword(name)]
    reached = {item.name for item in given} | set(keywords)
    missing = [
        item.name
        for item in takes.named.values()
        if item.default is None and item.name not in reached
    ]
    return BoundCall(
        (*given, *[None] * (extra if takes.any_place else 0)),
        0 if takes.any_place else extra,
        () if takes.any_keyword else tuple(unmatched),
        tuple(unmatched) if takes.any_keyword else (),
        tuple(name for name in keywords if name in names),
        # What stars bring is unknown; nothing can be said to be missing.
        () if arguments.stars else tuple(missing),
    )
