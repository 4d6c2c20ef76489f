"""What differs between two signatures, where the arguments of a call reach them.

Only the call at hand counts: a parameter that is gone matters to those who give it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from libdrift.advisor.default_values import is_announced, may_be_same
from libdrift.advisor.parameter_messages import is_about_giving
from libdrift.advisor.takes import BoundCall, Takes, bind
from libdrift.history.differences import signatures
from libdrift.history.views import View
from libdrift.languages.python.usage import Arguments
from libdrift.records import (
    Deprecation,
    FindingKind,
    FindingLevel,
    Parameter,
    ParameterKind,
    Provenance,
    Signature,
    Symbol,
)

# Defaults that only say that nothing was given: what that means is decided inside.
_UNTOLD = re.compile(
    r"no_?(?:default|value)|(?<!['\"])\b_?default\b|missing|unset|undefined|sentinel|deprecat"
    r"|['\"]warn",
    re.IGNORECASE,
)
_NAMELESS = re.compile(r"_*(?:a|arg|args|argv|arguments|params|parameters|varargs)_*")
_KEYWORD_ONLY = re.compile(r"keyword[- ]only|by keyword|as keyword|positional", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CallTrouble:
    """What a call that the old signature takes meets at the new one."""

    kind: FindingKind
    level: FindingLevel
    parameter: str
    message: str
    replacement: str = ""  # the new name of the parameter, or how to pass it
    confidence: float = 1.0
    evidence: tuple[str, ...] = ()


@dataclass(slots=True)
class CallPair:
    """One callable in two releases; calls of it are compared."""

    old: Symbol
    new: Symbol
    told: Mapping[str, str] = field(default_factory=dict)
    views: tuple[View | None, View | None] = (None, None)  # of the releases, for what names are
    before: Takes = field(init=False)
    after: Takes = field(init=False)
    lent: Mapping[str, str] = field(init=False)  # what a decorator took: old spelling, new one
    renamed: Mapping[str, str] = field(init=False)
    is_rough: bool = field(init=False)

    def __post_init__(self) -> None:
        self.before = Takes.of(self.old.signature or Signature())
        self.after = Takes.of(self.new.signature or Signature())
        self.is_rough = _source(self.old) is not _source(self.new) or "overloaded" in {
            *self.old.traits,
            *self.new.traits,
        }
        self.lent = signatures.spellings(self.old)
        self.renamed = {
            item.parameter: item.replacement
            for item in signatures.differences(self.old, self.new, self.told)
            if item.aspect in {"renamed", "removed"} and item.replacement
        }

    @property
    def is_comparable(self) -> bool:
        if self.old.signature is None or self.new.signature is None:
            return False
        if self.before.is_opaque or self.after.is_opaque:
            return False
        if not self.is_rough:
            return True
        # Stubs and compiled code: forms differ, so only what they name alike can be compared.
        shared = self.before.named.keys() & self.after.named.keys()
        least = min(len(self.before.named), len(self.after.named))
        return 2 * len(shared) >= least

    def troubles(self, arguments: Arguments) -> list[CallTrouble]:
        """What the new release makes of a call; nothing if the old one would not take it."""
        apart = self._one_by_one(arguments)
        if apart is not None:
            return [apart]
        if not self.is_comparable:
            return []
        spelled = tuple(self.lent.get(name, name) for name in arguments.keywords)
        old = bind(self.before, replace(arguments, keywords=spelled))
        if not old.is_fine:
            return []
        new = bind(self.after, arguments)
        found = [*self._keywords(new), *([] if arguments.is_handed_on else self._places(old))]
        told = {item.parameter for item in found}
        found += [item for item in self._missing(new, arguments) if item.parameter not in told]
        found += self._deprecated(old, arguments, told)
        found += self._defaults(old, arguments)
        return found

    def _one_by_one(self, arguments: Arguments) -> CallTrouble | None:
        """``select([a, b])`` of what takes any number by position now: ``select(a, b)``."""
        first = next(iter((self.new.signature or Signature()).parameters), None)
        if first is None or first.kind is not ParameterKind.VARIADIC or self.is_rough:
            return None
        # A wrapper, which takes whatever the wrapped one does, has names that say nothing.
        if _NAMELESS.fullmatch(first.name) or self.before.any_place or not self.before.places:
            return None
        if 0 not in arguments.listed or not bind(self.before, arguments).is_fine:
            return None
        name = self.before.places[0].name
        text = f"what was a list, {name}, is given one by one now: *{first.name}"
        return CallTrouble(FindingKind.BEHAVIOUR, FindingLevel.ERROR, name, text, confidence=0.8)

    # --- by name

    def _keywords(self, new: BoundCall) -> Iterator[CallTrouble]:
        for name in (*new.unknown, *new.swallowed):
            was_named = self.before.takes_keyword(name) or name in self.lent
            warned = self._warning(name)
            if warned is not None and self._is_let_through(name, warned):
                continue  # told as deprecated
            if name in new.swallowed:
                if was_named:
                    yield self._swallowed(name)
                continue
            if name in self.after.named:
                text = f"parameter {name} can be given by position only"
                yield CallTrouble(
                    FindingKind.PARAMETER_GONE, FindingLevel.ERROR, name, text, confidence=0.9
                )
                continue
            yield self._gone(name, was_named=was_named)
        for name in new.twice:
            text = f"{name} is given by position too, as the order of parameters changed"
            yield CallTrouble(FindingKind.REORDERED, FindingLevel.ERROR, name, text)

    def _gone(self, name: str, *, was_named: bool) -> CallTrouble:
        other = self.renamed.get(name, "")
        if other and (other not in self.before.named or name in self.lent):
            text = f"parameter {name} is now {other}"
            return CallTrouble(FindingKind.PARAMETER_RENAMED, FindingLevel.ERROR, name, text, other)
        text = f"parameter {name} is gone" + (f"; use {other}" if other else "")
        sure = 1.0 if was_named else 0.8
        return CallTrouble(
            FindingKind.PARAMETER_GONE, FindingLevel.ERROR, name, text, other, confidence=sure
        )

    def _swallowed(self, name: str) -> CallTrouble:
        """A name that went, and that ``**keywords`` take.

        They may well hand it on to what knows it. That it is dead is told by the old release, if
        that was warned of.
        """
        other = self.renamed.get(name, "")
        doomed = any(d.parameter == name for d in self.old.deprecations)
        is_new = bool(other) and other not in self.before.named
        kind = FindingKind.PARAMETER_RENAMED if is_new else FindingKind.PARAMETER_GONE
        text = f"parameter {name} is {f'now {other}' if is_new else 'gone'}"
        text += "; **keywords still take it without a word"
        level = FindingLevel.ERROR if doomed else FindingLevel.INFO
        sure = 0.9 if doomed else 0.5
        evidence = ("deprecated in the old release",) if doomed else ()
        return CallTrouble(kind, level, name, text, other, sure, evidence)

    def _warning(self, name: str) -> Deprecation | None:
        return next((d for d in self.new.deprecations if d.parameter == name), None)

    def _is_let_through(self, name: str, warned: Deprecation) -> bool:
        """An old name that the signature does not show, but that the code looks out for."""
        by_decorator = warned.source == "decorator" and warned.replacement
        return bool(by_decorator) or (self.after.any_keyword and name not in self.after.named)

    # --- by position

    def _places(self, old: BoundCall) -> Iterator[CallTrouble]:
        lenient = any(d.parameter == "*" for d in self.new.deprecations)
        gone = 0  # so far: without them, the rest may stand where it should
        for at, parameter in enumerate(old.places):
            if parameter is None:
                if at - gone >= len(self.after.places) and not self.after.any_place:
                    yield self._too_many("")
                    return
                continue
            here = self.after.places[at - gone] if at - gone < len(self.after.places) else None
            if self._is_gone(parameter, here):
                gone += 1
                yield self._gone_by_place(parameter.name, here)
            elif here is None:
                found = self._beyond(parameter.name, lenient=lenient)
                if found is not None:
                    yield found
                    if found.kind is FindingKind.TOO_MANY:
                        return
            elif not self._is_same(parameter.name, here) and parameter.name in self.after.named:
                yield self._moved(parameter.name, here, at - gone)

    def _moved(self, name: str, here: Parameter, at: int) -> CallTrouble:
        if self._has_moved_in(name, at):
            text = f"parameter {name} is now {here.name}, which its argument reaches"
            kind, level, instead = FindingKind.PARAMETER_RENAMED, FindingLevel.WARNING, here.name
        else:
            text = f"the argument for {name} now reaches {here.name}"
            kind, level, instead = FindingKind.REORDERED, FindingLevel.ERROR, name
        return CallTrouble(kind, level, name, text, instead, confidence=0.9)

    def _is_same(self, name: str, here: Parameter) -> bool:
        fresh = here.name not in self.before.named
        was = self.before.named.get(name)
        # What must be given, at the same place, is the same by another name; what comes first is
        # what a call is about, be it that now several may be given, or none.
        is_first = self.before.places[:1] == (was,) and self.after.places[:1] == (here,)
        needs = [item is None or item.default is None for item in (was, here)]
        needed = was is not None and (any(needs) if is_first else all(needs))
        renamed = fresh and (needed or here.name == self.renamed.get(name))
        # Stubs and compiled code name things by place as they like.
        return self.is_rough or renamed or _bare(here.name) == _bare(name)

    def _is_kept_name(self, name: str) -> bool:
        later = self.after.named.get(name)
        if later is None or later.kind is not ParameterKind.KEYWORD_ONLY:
            return False
        return self._warning(name) is not None or bool(_UNTOLD.search(later.default or ""))

    def _has_moved_in(self, name: str, at: int) -> bool:
        """Whether something new has the place of a name that is kept to warn alone."""
        here = self.after.places[at] if at < len(self.after.places) else None
        return here is not None and here.name not in self.before.named and self._is_kept_name(name)

    def _is_gone(self, parameter: Parameter, here: Parameter | None) -> bool:
        if parameter.name in self.after.named or (here and self._is_same(parameter.name, here)):
            return False
        later = self.after.named.get(self.renamed.get(parameter.name, ""))
        if later is not None and later.kind is ParameterKind.KEYWORD_ONLY:
            return False
        if here is None:
            return not self.after.any_place
        # By place alone, one name is as good as another.
        return here.kind is not ParameterKind.POSITIONAL_ONLY or here.name in self.before.named

    def _gone_by_place(self, name: str, here: Parameter | None) -> CallTrouble:
        other = self.renamed.get(name, "")
        text = f"parameter {name} is gone"
        text += f": its argument now reaches {here.name}" if here else ", and nothing takes it"
        return CallTrouble(FindingKind.PARAMETER_GONE, FindingLevel.ERROR, name, text, other, 0.9)

    def _beyond(self, name: str, *, lenient: bool) -> CallTrouble | None:
        later = self.after.named.get(name) or self.after.named.get(self.renamed.get(name, ""))
        if later is not None and later.kind is ParameterKind.KEYWORD_ONLY:
            level = FindingLevel.WARNING if lenient else FindingLevel.ERROR
            text = f"parameter {later.name} must be given by name"
            return CallTrouble(FindingKind.KEYWORD_ONLY, level, name, text, later.name)
        return None if self.after.any_place else self._too_many(name)

    def _too_many(self, name: str) -> CallTrouble:
        text = f"takes only {len(self.after.places)} arguments by position"
        return CallTrouble(FindingKind.TOO_MANY, FindingLevel.ERROR, name, text, confidence=0.9)

    # --- not given

    def _missing(self, new: BoundCall, arguments: Arguments) -> Iterator[CallTrouble]:
        for name in new.missing:
            back = [was for was, now in self.renamed.items() if now == name]
            if any(was in arguments.keywords for was in back):
                continue  # told as renamed
            text = f"parameter {name} must be given"
            yield CallTrouble(FindingKind.TOO_FEW, FindingLevel.ERROR, name, text)

    def _defaults(self, old: BoundCall, arguments: Arguments) -> Iterator[CallTrouble]:
        if arguments.stars or self.is_rough:
            return
        given = {item.name for item in old.places if item is not None} | set(arguments.keywords)
        for difference in signatures.differences(self.old, self.new, self.told):
            name, ends = difference.parameter, (difference.before, difference.after)
            if difference.aspect != "default" or name in given:
                continue
            if name not in self.before.named:
                continue  # what has a new name may well have a default of another kind
            # What stands for None is decided inside: what is written down now may have been it.
            if "None" in ends and not is_announced(name, self.old, self.new, ends):
                continue
            if _UNTOLD.search(difference.after) or _UNTOLD.search(difference.before):
                continue
            sides = zip((self.old, self.new), ends, self.views, strict=True)
            if may_be_same(*sides):
                continue
            text = f"default of {name} was {difference.before}, is {difference.after}"
            yield CallTrouble(FindingKind.DEFAULT, FindingLevel.INFO, name, text, difference.before)

    # --- on its way out

    def _deprecated(
        self, old: BoundCall, arguments: Arguments, told: set[str]
    ) -> Iterator[CallTrouble]:
        by_place = [item.name for item in old.places if item is not None]
        before = {d.parameter for d in self.old.deprecations}
        for item in self.new.deprecations:
            name = item.parameter
            if not name or name in before or name in told or name == "?":
                continue
            only = _KEYWORD_ONLY.search(item.message) is not None
            if name == "*":
                continue
            if only:
                if name in by_place and not self._has_moved_in(name, by_place.index(name)):
                    text = f"parameter {name} becomes keyword-only"
                    yield CallTrouble(
                        FindingKind.KEYWORD_ONLY, FindingLevel.WARNING, name, text, name
                    )
                continue
            # By position, whoever gives what has a new name now gives the new one.
            is_given = name in arguments.keywords or (name in by_place and name in self.after.named)
            if is_given and is_about_giving(item):
                text = f"parameter {name} is deprecated"
                instead = f"use {item.replacement}" if item.replacement else ""
                said = item.message or instead
                text += f": {said}" if said else ""
                evidence = (f"{item.source}: {item.message}",) if item.message else (item.source,)
                yield CallTrouble(
                    FindingKind.DEPRECATED,
                    FindingLevel.INFO,  # it still does what it did
                    name,
                    text,
                    item.replacement if item.replacement.isidentifier() else "",
                    evidence=evidence,
                )


def _bare(name: str) -> str:
    return name.replace("_", "").casefold()


def _source(symbol: Symbol) -> Provenance:
    """Where a signature was read; import's and stubs' ones differ from sources' in form."""
    for kind in (Provenance.STATIC, Provenance.STUB):
        if kind in symbol.provenance:
            return kind
    return Provenance.RUNTIME
