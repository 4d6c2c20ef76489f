"""What to write instead of what a change takes away: the best replacement, and its shape."""

from __future__ import annotations

import builtins
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from libdrift.history.differences import hints, shapes, templates
from libdrift.history.differences.leads import Leads
from libdrift.history.differences.parameters import ParameterAdvice
from libdrift.history.differences.relatives import Heir, Relatives
from libdrift.history.differences.shown import ShownCode, outer_path
from libdrift.history.differences.templates import Expression
from libdrift.history.spelling import is_typed
from libdrift.history.views import View
from libdrift.records import (
    Change,
    ChangeKind,
    Replacement,
    ReplacementShape,
    Surface,
    SymbolKind,
)

_OF_SYMBOLS = {ChangeKind.REMOVED, ChangeKind.RENAMED, ChangeKind.MOVED, ChangeKind.DEPRECATED}
_TOLD = 0.9  # confidence in the first name that a message gives; each further one is worth less
_LESS = 0.2
_IN_CODE = 0.75  # what the old code calls, without a word about it
_BOTH = 0.95
_CODE = ("its own code",)  # as evidence
_PYTHONS = 0.7  # of the standard library: nothing here says whether it is there
_UNRESOLVED = 0.5  # times the confidence, where a message names another package's thing
_REFUTED = 0.3  # where code that follows it fails
_ONWARD = 0.9  # times the confidence, for each further step
_DYING = 0.5  # times the confidence in what is deprecated itself
_VALUE, _FUNCTION = "value", "function"


def with_proof(change: Change, evidence: str, *, is_same: bool) -> Change:
    """A change after its replacement was tried: whether code that follows it prints the same."""
    how = change.how
    if how is None:
        return change
    sure = 1.0 if is_same else min(how.confidence, _REFUTED)
    how = replace(how, is_proven=is_same, confidence=sure, evidence=(*how.evidence, evidence))
    return replace(change, how=how)


class ReplacementFinder:
    """Says for each change what replaces the old, in terms of the new release."""

    def __init__(self, old: View, new: View, between: Sequence[Surface]) -> None:
        self.old, self.new = old, new
        self.releases = [old.surface, *between]
        self._parameters = ParameterAdvice(old, new, between)
        self._leads = Leads(old, new, self.releases)
        self._shown = ShownCode(old, new, between)
        self._relatives = Relatives(old, new, self.releases, self._shown)

    def advised(self, change: Change) -> Change:
        """The change with ``replacement`` and ``how``, as far as they are known."""
        if change.parameter or change.kind is ChangeKind.SIGNATURE:
            return change if is_typed(change.package) else self._parameters.advised(change)
        if change.kind in _OF_SYMBOLS:
            return self._of_symbol(change)
        if change.aspect == "type" and not is_typed(change.package):
            return _of_type(change)
        return change

    def _of_symbol(self, change: Change) -> Change:
        home = self._imported_from(change)
        if home:
            return _following(change, home, _elsewhere(home))
        is_lost = change.kind in (ChangeKind.REMOVED, ChangeKind.DEPRECATED)
        pythons = hints.builtin(change.path, self.releases, self.new) if is_lost else ""
        if pythons and not is_typed(change.package):
            how = _pythons(f"builtins.{pythons}")
            return _following(change, pythons, replace(how, confidence=_TOLD) if how else None)
        heir = self._heir(change)
        expressions = [] if is_typed(change.package) else [*self._shown.of(change.path)]
        if heir is None and not self._is_conditional(change):
            heir = next(
                (_of_code(e) for e, is_code in expressions if is_code and self._is_about(e)), None
            )
            heir = heir or self._relatives.base(change.path) or self._of_others(expressions)
            heir = heir or self._relatives.offered_above(change.path) or self._led(change)
            heir = heir or self._of_owners_heir(change.path) or _operation(expressions)
            heir = heir or self._relatives.constructor(change.path) or self._of_only_name(change)
        heir = self._relatives.in_module(change.path, heir)
        if heir is None or not self._relatives.fits(change.path, heir):
            return self._without_heir(change)
        heir = self._namesake(change, heir)
        chosen = next(
            (e for e, _ in expressions if self._relatives.is_same(e.path, heir.path)), None
        )
        if chosen is not None:
            sure = heir.confidence if heir.evidence == _CODE else max(heir.confidence, _BOTH)
            heir = replace(heir, path=chosen.path, confidence=sure)
        if hints.is_dying(heir.path, self.new):
            onward = hints.onward(heir.path, self.releases, self.new)
            sure = heir.confidence * (_ONWARD if onward else _DYING)
            heir = replace(heir, path=onward or heir.path, confidence=sure)
            chosen = None if onward else chosen
        if is_typed(change.package) or self._is_conditional(change):
            return _following(change, heir.path, None)
        how = self._how(change, heir, chosen)
        return _following(change, how.path, how)

    def _without_heir(self, change: Change) -> Change:
        forwarded = self._relatives.forwarded(change.path)
        if forwarded and change.kind is not ChangeKind.DEPRECATED:
            return _following(change, forwarded, _elsewhere(forwarded))
        outer = self._foreign(change) or self._other_package(change)
        how = _pythons(outer)
        if not outer:
            outer = self._builtin(change)
            how = _pythons(f"builtins.{outer}") if outer else None
        sure = change.confidence
        if outer and how is None and change.kind is ChangeKind.DEPRECATED:
            sure = round(sure * _UNRESOLVED, 2)
        return replace(_following(change, outer, how), confidence=sure)

    def _other_package(self, change: Change) -> str:
        """Where a message says to import it from: "import from `other` instead"."""
        if is_typed(change.package):
            return ""
        root, _, rest = change.path.partition(".")
        last = "" if change.symbol == SymbolKind.MODULE.value else rest.rpartition(".")[2]
        texts = hints.messages(change.path, [*self.releases, self.new.surface], self.new)
        found = (hints.package_in(text, last) for text in texts)
        return next((name for name in found if name and name.partition(".")[0] != root), "")

    def _builtin(self, change: Change) -> str:
        """Python's own name that a message gives, where nothing of the package has it."""
        if is_typed(change.package):
            return ""
        said = hints.of(change.path, [*self.releases, self.new.surface], self.new)
        names = (
            hint.name
            for hint in said
            if hint.is_name or hint.name[:1].isupper() or f"{hint.name}()" in hint.message
        )
        return next((name for name in names if hasattr(builtins, name)), "")

    # --- what takes the place

    def _heir(self, change: Change) -> Heir | None:
        found = change.how
        if found is not None and self._is_there(found.path):
            return Heir(found.path, found.confidence, found.evidence)
        if change.kind is not ChangeKind.DEPRECATED:
            said = hints.named(change.detail) if change.how is None else []
            paths = (hints.resolve(name, change.path, self.new) for name in said)
            path = next(filter(None, paths), "")
            return Heir(path, _TOLD, change.evidence) if path else None
        releases = [*self.releases, self.new.surface]
        seen: set[str] = set()
        for hint in hints.of(change.path, releases, self.new):
            path = hints.follow(hint, change.path, releases, self.new)
            if path and (hint.is_name or not self._is_conditional(change)):
                return Heir(path, _TOLD - _LESS * len(seen), (hint.source,))
            if hint.is_name:
                seen.add(hint.name)
                if len(seen) > 3:  # noqa: PLR2004  (names of another matter)
                    break
        return None

    def _of_only_name(self, change: Change) -> Heir | None:
        inner = self._relatives.only_name(change.path)
        for hint in hints.of(inner, self.releases, self.new) if inner else ():
            path = hints.follow(hint, inner, self.releases, self.new)
            if path and hint.is_name and not hints.encloses(path, change.path):
                return Heir(path, _IN_CODE, (hint.source,))
        return None

    def _is_there(self, path: str) -> bool:
        return self.new.find(path) is not None or hints.is_late(path, self.new)

    def _is_conditional(self, change: Change) -> bool:
        """Of some uses only: what is said of them is no replacement of the thing."""
        symbol = self.new.symbol(change.path)
        told = symbol.deprecation if symbol else None
        if change.kind is not ChangeKind.DEPRECATED or told is None or not told.conditional:
            return False
        # Under a condition of the environment, `iteritems is deprecated` is still of it all.
        last = re.escape(change.path.rpartition(".")[2])
        subject = (
            rf"(?i)^\W*(?:the )?(?:[\w.]+\.)?{last}\b[`'\"()]* (?:\w+ )?(?:is|was|has been) depr"
        )
        return re.match(subject, told.message) is None

    def _of_others(self, expressions: Sequence[tuple[Expression, bool]]) -> Heir | None:
        """What a message writes with another package's name."""
        for found, _ in expressions:
            is_outer = self.new.find(found.path) is None
            if found.path and (is_outer or _is_nested(found)) and self._is_about(found):
                return Heir(found.path, _IN_CODE, ("a message",))
        return None

    def _is_about(self, found: Expression) -> bool:
        """Whether a name is what an expression is about, and not a tool within it.

        Of the package itself it may stand anywhere: ``list(map(re.compile, …))`` is no `compile`.
        """
        return self._is_there(found.path) or found.text.startswith((found.path, "{self}."))

    def _of_owners_heir(self, path: str) -> Heir | None:
        """A member of a class that has a successor, which has a member of that name."""
        owner, _, label = path.rpartition(".")
        if not self._shown.owner(path):
            return None
        said = (hint for hint in hints.of(path, self.releases, self.new) if hint.is_name)
        labels = [label, *(hint.name.rpartition(".")[2] for hint in said)]
        for hint in hints.of(owner, self.releases, self.new):
            heir = hints.follow(hint, owner, self.releases, self.new)
            if heir and heir != owner:
                members = [f"{heir}.{one}" for one in labels if self.new.find(f"{heir}.{one}")]
                if members:
                    return Heir(members[0], _IN_CODE, (hint.source,))
        return None

    def _namesake(self, change: Change, heir: Heir) -> Heir:
        """The member that the old name begins with, where a message names one that is nearly it.

        Messages are copied: of `find_elements_by_id` one says to use `find_element`.
        """
        owner, _, last = heir.path.rpartition(".")
        label = change.path.rpartition(".")[2]
        if f"{label}_".startswith(f"{last}_") or not label.startswith(last):
            return heir
        longer = f"{owner}.{label[: len(last)]}{label[len(last) :].partition('_')[0]}"
        return replace(heir, path=longer) if self.new.find(longer) else heir

    def _led(self, change: Change) -> Heir | None:
        """What the new release says of the old name."""
        if change.kind is ChangeKind.DEPRECATED:
            return None
        documented = self._leads.documented(change.path)
        if documented:
            return Heir(documented, _TOLD, ("its documentation",))
        member = self._leads.member(change.path)
        if member:
            return Heir(member, _IN_CODE, ("a member of a new class",))
        by_parameter = self._relatives.set_by_parameter(change.path)
        if by_parameter:
            return by_parameter
        other = self._leads.elsewhere(change.path) if self._shown.owner(change.path) else ""
        return Heir(other, _IN_CODE, ("what other classes say",)) if other else None

    def _imported_from(self, change: Change) -> str:
        """The other package that has what is gone here, unless a release says what to use."""
        if change.kind is not ChangeKind.REMOVED or is_typed(change.package):
            return ""
        home = self._leads.imported(change.path)
        told = any(hints.of(change.path, self.releases, self.new)) if home else True
        return "" if told else home

    def _foreign(self, change: Change) -> str:
        """A name of another package that a message gives; not one that is nobody's."""
        name = change.replacement
        said = hints.messages(change.path, [*self.releases, self.new.surface], self.new)
        if name and any(hints.is_package(name, text) for text in said):
            return name
        first, dot, _ = name.partition(".")
        root = change.path.partition(".")[0]
        if not dot or first in {root, *hints.RECEIVERS} or hints.abbreviates(first, root):
            return ""
        symbol = self.old.symbol(change.path) or self.new.symbol(change.path)
        view = self.old if self.old.symbol(change.path) else self.new
        if symbol is not None:
            name = outer_path(name, symbol, view.surface) or name
        if first in self._members:
            return ""  # `docvecs.vectors`: of an object, and not of a package
        return name if first.islower() and first.isidentifier() else ""

    @cached_property
    def _members(self) -> frozenset[str]:
        """Names that classes of the package have, or had."""
        return frozenset(
            label
            for view in (self.old, self.new)
            for scope, names in view.surface.scopes.items()
            if ":" in scope
            for label in names
        )

    # --- shape

    def _how(self, change: Change, heir: Heir, chosen: Expression | None) -> Replacement:
        old = self.old.symbol(change.path) or self.new.symbol(change.path)
        new = self.new.symbol(heir.path)
        owner = self._shown.owner(change.path)
        place = shapes.OldPlace(change.path, owner, old)
        if chosen is not None:
            chosen = templates.fitted(
                chosen, old.signature if old else None, new.signature if new else None
            )
        goal = shapes.Goal(
            heir.path, self._shown.owner(heir.path), new, self._shown.needs_instance(heir.path)
        )
        if owner and goal.owner and self._share(owner, goal.owner):
            goal = replace(goal, path=f"{owner}.{heir.path.rpartition('.')[2]}", owner=owner)
        shape, template, fit = shapes.shaped(place, goal, chosen)
        is_constructor = heir.path == owner and place.symbol is not None
        if chosen is None and (is_constructor or self._shows_more(change.path, goal.path)):
            shape, template = ReplacementShape.TEMPLATE, ""
        if old is not None and not (old.signature and old.signature.parameters):
            template = templates.without_rest(template)
        path = templates.chain(template, owner) or goal.path
        return Replacement(
            shape,
            path,
            template=template,
            confidence=round(heir.confidence * fit, 2),
            evidence=heir.evidence,
        )

    def _shows_more(self, path: str, goal: str) -> bool:
        """Whether a message shows the successor with arguments that say more than its name."""
        last = goal.rpartition(".")[2]
        texts = hints.messages(path, self.releases, self.new)
        return any(not hints.Hint(last, text, "").is_plain for text in texts)

    def _share(self, owner: str, other: str) -> bool:
        """Whether what one class has by another's name is there for its own objects too."""
        if owner == other:
            return True
        one, two = self.new.find(owner), self.new.find(other)
        if one is None or two is None:
            return False
        return two.target in self.new.lineage(one.target)


def _is_nested(found: Expression) -> bool:
    """`{self}.part.size`: of what a member gives."""
    return found.text.startswith("{self}.") and found.text.count(".") > 1


def _of_code(found: Expression) -> Heir:
    return Heir(found.path, _IN_CODE, _CODE)


def _operation(expressions: Sequence[tuple[Expression, bool]]) -> Heir | None:
    """What a message shows without any name of a package: `hash({self})`."""
    is_shown = any(not found.path for found, _ in expressions)
    return Heir("", _IN_CODE, ("a message",)) if is_shown else None


def _following(change: Change, path: str, how: Replacement | None) -> Change:
    """The change with its replacement, in the line for people too."""
    detail = change.detail
    if change.kind is ChangeKind.REMOVED and detail.startswith("gone"):
        use = f"gone; use {path} instead" if path else "gone"
        detail = re.sub(r"^gone(?:; use \S+ instead)?(?=$| \()", use.replace("\\", ""), detail)
    return replace(change, replacement=path, how=how, detail=detail)


def _pythons(path: str) -> Replacement | None:
    """Another package's thing is not known here; Python's own is, by its module."""
    if path.partition(".")[0] not in sys.stdlib_module_names:
        return None
    return Replacement(ReplacementShape.MOVE, path, confidence=_PYTHONS, evidence=("a message",))


def _elsewhere(path: str) -> Replacement:
    """What a module only had by an import, at its own place."""
    return Replacement(
        ReplacementShape.MOVE, path, confidence=_BOTH, evidence=("it was imported from there",)
    )


def _of_type(change: Change) -> Change:
    kinds = {(_FUNCTION, _VALUE): ReplacementShape.ATTRIBUTE}
    kinds[_VALUE, _FUNCTION] = ReplacementShape.CALL
    shape = kinds.get((change.before, change.after))
    if shape is None or change.symbol in {SymbolKind.FUNCTION, SymbolKind.CONSTANT}:
        return change
    return replace(change, how=Replacement(shape, change.path, confidence=change.confidence))
