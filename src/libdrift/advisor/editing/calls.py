"""The arguments of a call, so that each reaches at the target what it reached at the source."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import libcst as cst

from libdrift.advisor.editing.defaults import (
    is_container,
    is_like_kind,
    is_literal,
    is_same_value,
    is_sentinel,
    is_untold,
    takes_containers,
)
from libdrift.advisor.editing.outcomes import SURE, CallSignatures, LeftFinding, Refusal
from libdrift.advisor.takes import Takes
from libdrift.records import (
    Finding,
    FindingKind,
    ParameterKind,
    ReplacementShape,
)

_WITHOUT_EFFECT = 0.9  # where a release says so; that it is gone makes dropping it only likely
_NOTHING = re.compile(r"\bNone\b|\bOptional\b|\bAny\b|\bobject\b")
# What an argument reaches that is not a parameter of its own.
MORE_PLACES, MORE_KEYWORDS, UNKNOWN_PLACE = "*", "**", "?"


@dataclass(frozen=True, slots=True)
class GivenArgument:
    """One argument of a call as it is written."""

    reaches: str  # a parameter of the signature, or one of the three above
    keyword: str = ""
    stars: str = ""
    value: str = ""  # its code


def given_arguments(
    arguments: Sequence[cst.Arg], values: Sequence[str], shape: Takes
) -> list[GivenArgument]:
    """What each argument of a call reaches by a signature."""
    found: list[GivenArgument] = []
    place, is_open = 0, False
    for item, value in zip(arguments, values, strict=True):
        keyword = item.keyword.value if item.keyword else ""
        if item.star:
            is_open = is_open or item.star == "*"
            reaches = UNKNOWN_PLACE
        elif keyword:
            taken = shape.named.get(keyword)
            by_name = taken is not None and taken.kind is not ParameterKind.POSITIONAL_ONLY
            reaches = keyword if by_name else MORE_KEYWORDS
        elif is_open:
            reaches = UNKNOWN_PLACE
        else:
            reaches = shape.places[place].name if place < len(shape.places) else MORE_PLACES
            place += 1
        found.append(GivenArgument(reaches, keyword, item.star, value))
    return found


@dataclass(frozen=True, slots=True)
class ArgumentStep:
    index: int | None  # which of the old arguments; None for a new one
    keyword: str = ""  # empty: by position
    value: str = ""  # of a new one


@dataclass(frozen=True, slots=True)
class CallPlan:
    steps: tuple[ArgumentStep, ...] | None  # None: the call stays as it is
    applied: tuple[Finding, ...] = ()
    left: tuple[LeftFinding, ...] = ()


def plan_call(
    given: Sequence[GivenArgument],
    signatures: CallSignatures,
    findings: Sequence[Finding],
    *,
    risky: bool,
) -> CallPlan:
    plan = _Plan(given, signatures, findings, risky=risky)
    return plan.made()


@dataclass(slots=True)
class _Emitted:
    steps: list[ArgumentStep] = field(default_factory=list)
    places: int = 0  # given by position so far
    by_name: bool = False  # from here on by name alone
    targets: set[str] = field(default_factory=set)


class _Plan:
    def __init__(
        self,
        given: Sequence[GivenArgument],
        signatures: CallSignatures,
        findings: Sequence[Finding],
        *,
        risky: bool,
    ) -> None:
        self._given, self._risky = given, risky
        self._old, self._new = Takes.of(signatures.old), Takes.of(signatures.new)
        self._findings = findings
        self._about = {item.parameter: item for item in findings if item.parameter}
        self._told = _told_renames(findings, is_risky=risky)
        self._renamed = {**signatures.renamed, **self._told}
        self._refused: dict[str, Refusal] = {}
        self._reached = {item.reaches for item in given}
        self._out = _Emitted()

    def made(self) -> CallPlan:
        trouble = self._stars() or self._emit() or self._add()
        if trouble is not None:
            left = tuple(self._left(item, trouble) for item in self._findings)
            return CallPlan(None, left=left)
        steps = tuple(self._out.steps)
        kept = tuple(ArgumentStep(at, item.keyword) for at, item in enumerate(self._given))
        if steps == kept:
            same = Refusal("no change of the arguments is known that mends it")
            left = tuple(self._left(item, same) for item in self._findings)
            return CallPlan(None, left=left)
        applied = tuple(item for item in self._findings if item.parameter not in self._refused)
        left = tuple(
            self._left(item, self._refused[item.parameter])
            for item in self._findings
            if item.parameter in self._refused
        )
        return CallPlan(steps, applied, left)

    def _left(self, finding: Finding, refusal: Refusal) -> LeftFinding:
        own = self._refused.get(finding.parameter, refusal)
        return LeftFinding(finding, own.reason, own.is_risky)

    def _stars(self) -> Refusal | None:
        """What stars bring is unknown: with ``*args`` only arguments by name can be edited."""
        if not any(item.stars == "*" for item in self._given):
            return None
        named = {item.keyword for item in self._given if item.keyword}
        if all(item.parameter in named for item in self._findings):
            return None
        return Refusal("the call unpacks a sequence, which may reach any parameter")

    # --- what is given

    def _emit(self) -> Refusal | None:
        waiting: list[tuple[int, str]] = []
        for at, item in enumerate(self._given):
            name = item.keyword if item.reaches == MORE_KEYWORDS else item.reaches
            if item.stars or item.reaches == UNKNOWN_PLACE:
                self._out.steps.append(ArgumentStep(at))
                continue
            if item.reaches == MORE_PLACES:
                if not (self._new.any_place and not self._out.by_name):
                    return Refusal("an argument of *args would reach a parameter of its own")
                self._out.steps.append(ArgumentStep(at))
                continue
            refusal = self._one(at, item, name, waiting)
            if refusal is not None:
                return refusal
        return self._by_place_only(waiting)

    def _one(
        self, at: int, item: GivenArgument, name: str, waiting: list[tuple[int, str]]
    ) -> Refusal | None:
        out = self._out
        target = self._target(name, is_by_place=not item.keyword)
        if target is None:
            return self._gone(at, item, name)
        if self._is_refused_nothing(item, name, target):
            out.by_name = out.by_name or not item.keyword
            return None
        if target in out.targets or (target != name and target in self._reached):
            return self._twice(at, item, name, target)
        if (
            target != name
            and item.keyword
            and not self._risky
            and self._differs(item, name, target)
        ):
            text = f"{target} takes the place of {name}, and may not take {_short(item.value)}"
            self._refused[name] = Refusal(text, is_risky=True)
            out.steps.append(ArgumentStep(at, item.keyword))
            return None
        out.targets.add(target)
        parameter = self._new.named.get(target)
        if not item.keyword and not out.by_name and self._stays(at, name, target):
            out.places += 1
            out.steps.append(ArgumentStep(at))
            return None
        if parameter is not None and parameter.kind is ParameterKind.POSITIONAL_ONLY:
            waiting.append((at, target))
            return None
        if not item.keyword:
            out.by_name = True
        out.steps.append(ArgumentStep(at, target))
        return None

    def _target(self, name: str, *, is_by_place: bool) -> str | None:
        """The parameter of the new signature that takes an old one's argument."""
        about = self._about.get(name)
        renamed = self._renamed.get(name, "")
        is_told = name in self._told and about is not None
        if is_told or (renamed in self._new.named and name not in self._new.named):
            # One that was there before too is something else, whose values may be others.
            if is_told or renamed not in self._old.named:
                return renamed
            return None
        if name in self._new.named:
            return name
        if is_by_place and about is None:
            place = self._out.places
            slots = self._new.places
            if place < len(slots) and slots[place].name not in self._old.named:
                return slots[place].name  # another name at the same place
        if about is None and self._new.any_keyword:
            return name
        return None

    def _is_refused_nothing(self, item: GivenArgument, name: str, target: str) -> bool:
        """`None` for a parameter whose default it was, and whose annotation refuses it now."""
        old, new = self._old.named.get(name), self._new.named.get(target)
        if item.value.strip() != "None" or old is None or new is None:
            return False
        was, now = (bool(_NOTHING.search(one.annotation)) for one in (old, new))
        return (
            old.default == "None"
            and was
            and bool(new.annotation)
            and not now
            and (new.default not in (None, "None"))
        )

    def _differs(self, item: GivenArgument, name: str, target: str) -> bool:
        """Whether a renamed parameter, whose type is another now, is given a list or a dict."""
        old, new = self._old.named.get(name), self._new.named.get(target)
        if old is None or new is None or name == target or not item.keyword:
            return False
        if not new.annotation or old.annotation == new.annotation:
            return False
        return is_container(item.value) and not takes_containers(new.annotation)

    def _stays(self, at: int, name: str, target: str) -> bool:
        """By position only where both releases take it so: who reads the call for either is right.

        A check of the edited code against the old release would else find what is not there.
        """
        if at != self._out.places:
            return False
        about = self._about.get(name)
        if about is not None and about.kind is FindingKind.KEYWORD_ONLY:
            return False
        slots = self._new.places
        return self._out.places < len(slots) and slots[self._out.places].name == target

    def _gone(self, at: int, item: GivenArgument, name: str) -> Refusal | None:
        refusal = self._may_drop(item, name)
        if refusal is None:
            return None
        other = self._renamed.get(name, "")
        can_follow = other in self._new.named and other not in self._reached
        if self._risky and refusal.is_risky and can_follow:
            self._out.by_name = self._out.by_name or not item.keyword
            self._out.targets.add(other)
            self._out.steps.append(ArgumentStep(at, other))
            return None
        if self._risky and refusal.is_risky:
            return None
        if not item.keyword:
            return refusal  # what follows it would shift
        self._refused[name] = refusal
        self._out.steps.append(ArgumentStep(at, item.keyword))
        return None

    def _may_drop(self, item: GivenArgument, name: str) -> Refusal | None:
        old = self._old.named.get(name)
        default = old.default if old else None
        if is_same_value(item.value, default):
            return None
        if item.value.strip() in ("None", "False") and old is not None and is_sentinel(default):
            return None  # switched off, as it is now that it is gone
        about = self._about.get(name)
        how = about.how if about else None
        is_told = how is not None and how.shape is ReplacementShape.DROP
        if is_told and how is not None and (how.is_proven or how.confidence >= _WITHOUT_EFFECT):
            return None
        if how is not None and how.shape is ReplacementShape.TEMPLATE:
            return Refusal(f"{how.path} takes the place of {name}, with other values")
        other = self._renamed.get(name)
        if other:
            text = f"{other} takes the place of {name}, and may take other values"
        else:
            text = f"{name} is gone, and {_short(item.value)} may have an effect"
        return Refusal(text, is_risky=True)

    def _twice(self, at: int, item: GivenArgument, name: str, target: str) -> Refusal | None:
        """Two arguments for one parameter: the one that is a default anyway can go."""
        if self._may_drop(item, name) is None:
            return None
        text = f"{name} is {target} now, which the call gives too"
        if not item.keyword:
            return Refusal(text)
        self._refused[name] = Refusal(text)
        self._out.steps.append(ArgumentStep(at, item.keyword))
        return None

    def _by_place_only(self, waiting: list[tuple[int, str]]) -> Refusal | None:
        slots = [item.name for item in self._new.places]
        ordered = sorted(waiting, key=lambda pair: slots.index(pair[1]))
        if ordered != waiting and any("(" in self._given[at].value for at, _ in waiting):
            return Refusal("the arguments would be evaluated in another order")
        for at, target in ordered:
            if slots.index(target) != self._out.places:
                return Refusal(f"{target} can be given by position only, and others come before it")
            self._out.steps.insert(self._out.places, ArgumentStep(at))
            self._out.places += 1
        return None

    # --- what is not given

    def _add(self) -> Refusal | None:
        for finding in self._findings:
            name = finding.parameter
            if name in self._out.targets or name in self._refused:
                continue
            old, new = self._old.named.get(name), self._new.named.get(name)
            if finding.kind is FindingKind.TOO_FEW:
                if old is None or not is_literal(old.default):
                    return Refusal(f"{name} must be given, and only you know what")
                if not self._risky and new and is_untold(old.default, new.annotation):
                    text = f"{name} must be given, and {old.default} may not be taken any more"
                    return Refusal(text, is_risky=True)
                self._pass(name, old.default or "")
            elif finding.kind is FindingKind.DEFAULT:
                default = old.default if old else None
                if old is None or new is None or not is_literal(default):
                    text = f"the old default of {name} cannot be written as a value"
                    self._refused[name] = Refusal(text)
                elif not self._risky and not is_like_kind(default, new.default):
                    text = f"{name}={default} may mean something else now"
                    self._refused[name] = Refusal(text, is_risky=True)
                else:
                    self._pass(name, default or "")
        return None

    def _pass(self, name: str, value: str) -> None:
        self._out.targets.add(name)
        self._out.steps.append(ArgumentStep(None, name, value))


def _told_renames(findings: Sequence[Finding], *, is_risky: bool) -> dict[str, str]:
    """New names of parameters that the findings themselves tell."""
    found = {}
    for item in findings:
        how = item.how
        if how is not None and how.shape is ReplacementShape.PARAMETER and how.path.isidentifier():
            if is_risky or how.is_proven or how.confidence >= SURE:
                found[item.parameter] = how.path
        elif item.kind is FindingKind.PARAMETER_RENAMED and item.replacement.isidentifier():
            found[item.parameter] = item.replacement
    return found


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 40 else line[:37] + "..."  # noqa: PLR2004  (of a line)
