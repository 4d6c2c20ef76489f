"""What two releases tell an edit: signatures, modules, and what is wrong at the target."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from libdrift.advisor.checking import parsed
from libdrift.advisor.editing import CallSignatures
from libdrift.advisor.packages import CheckedPackages
from libdrift.advisor.plain import class_of
from libdrift.advisor.releases import ReleasePair
from libdrift.advisor.takes import Takes, bind
from libdrift.history.differences.parameters import ParameterAdvice
from libdrift.languages.python import usage
from libdrift.records import (
    Binding,
    Change,
    ChangeKind,
    Finding,
    FindingKind,
    Replacement,
    ReplacementShape,
    Signature,
    SymbolKind,
)

_OF_PARAMETERS = {FindingKind.PARAMETER_GONE, FindingKind.REORDERED}
_OF_ANOTHER_TYPE = 0.5  # confidence in a value's place being taken by one of another type
_TURNED_ROUND = 0.5  # confidence in a name that may take the same arguments the other way round
_TURNED = re.compile(
    r"\border\s+of\s+(?:the\s+|its\s+)?(?:arguments|parameters|operands)\b[^.]*"
    r"\b(?:revers|swap|opposite)",
    re.IGNORECASE,
)
_HELD = (SymbolKind.PROPERTY, SymbolKind.ATTRIBUTE)
_CALLED = {SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CLASS}


class PairKnowledge:
    def __init__(self, pairs: Mapping[str, ReleasePair]) -> None:
        self._pairs = pairs
        self._advice: dict[tuple[str, str, str], Replacement | None] = {}

    def signatures(self, finding: Finding) -> CallSignatures | None:
        pair = self._pairs.get(finding.package)
        calls = pair.calls(finding.symbol) if pair else None
        if calls is None or calls.old.signature is None or calls.new.signature is None:
            return None
        return CallSignatures(calls.old.signature, calls.new.signature, calls.renamed)

    def old_signature(self, finding: Finding) -> CallSignatures | None:
        pair = self._pairs.get(finding.package)
        symbol = pair.old.symbol(finding.symbol) if pair else None
        if symbol is None or symbol.kind not in _CALLED:
            return None
        signature = symbol.signature or Signature()
        return CallSignatures(signature, signature)

    def advised(self, finding: Finding) -> Finding:
        """A finding with what the releases say of its edit, where it has not that yet."""
        pair = self._pairs.get(finding.package)
        if pair is None:
            return finding
        if finding.how is not None:
            return replace(finding, how=_doubted(pair, finding.symbol, finding.how))
        if finding.kind is FindingKind.BEHAVIOUR:
            return replace(finding, how=_of_kinds(pair, finding.symbol))
        if finding.kind not in _OF_PARAMETERS:
            return finding
        key = (finding.package, finding.symbol, finding.parameter)
        if key not in self._advice:
            self._advice[key] = self._parameter_advice(pair, finding)
        return replace(finding, how=self._advice[key])

    def _parameter_advice(self, pair: ReleasePair, finding: Finding) -> Replacement | None:
        calls = pair.calls(finding.symbol)
        if calls is None or finding.parameter in calls.after.named:
            return None
        change = Change(
            finding.package,
            finding.old,
            finding.new,
            ChangeKind.SIGNATURE,
            finding.symbol,
            calls.old.kind,
            aspect="removed",
            parameter=finding.parameter,
            replacement=calls.renamed.get(finding.parameter, ""),
        )
        return ParameterAdvice(pair.old, pair.new, ()).advised(change).how

    def origin(self, finding: Finding) -> str:
        pair = self._pairs.get(finding.package)
        name = pair.old.find(finding.symbol) if pair else None
        if pair is None or name is None or ":" not in name.target:
            return ""
        path = name.target.replace(":", ".")
        own = {root.partition(".")[0] for root in pair.roots}
        is_public = not any(part.startswith("_") for part in path.split("."))
        return path if path.partition(".")[0] not in own and is_public else ""

    def _pair_of(self, path: str) -> ReleasePair | None:
        root = path.partition(".")[0]
        for pair in self._pairs.values():
            if any(one.partition(".")[0] == root for one in pair.roots):
                return pair
        return None

    def is_module(self, path: str) -> bool:
        pair = self._pair_of(path)
        if pair is None:
            # Of packages that are not checked, spelling tells.
            return path.rpartition(".")[2].islower()
        name = pair.new.find(path)
        return name is not None and ":" not in name.target

    def is_loaded(self, path: str) -> bool:
        parent, _, last = path.rpartition(".")
        if not parent:
            return True
        pair = self._pair_of(path)
        if pair is None or not self.is_loaded(parent):
            return False
        owner = pair.new.find(parent)
        inside = pair.new.surface.scopes.get(owner.target, {}) if owner else {}
        name = inside.get(last)
        if name is None:
            return False
        if name.binding is not Binding.SUBMODULE:
            return True
        # A package that takes a name from its module loads it.
        starts = (f"{name.target}:", f"{name.target}.")
        return any(one.target.startswith(starts) for one in inside.values())


def _doubted(pair: ReleasePair, path: str, how: Replacement) -> Replacement:
    """What takes the place of something, and may not do the same with what is given to it.

    A method may take the same arguments the other way round. A value may not be compared with the
    same things: who says to ask for ``debug`` instead of ``env`` gives a truth value for a text.
    """
    if how.shape is not ReplacementShape.RENAME or how.is_proven or how.parameter:
        return how
    old, new = pair.old.symbol(path), pair.new.symbol(how.path)
    if old is not None and new is not None and _TURNED.search(f"{old.doc}\n{new.doc}"):
        evidence = (*how.evidence, "the documentation tells of another order of arguments")
        return replace(how, confidence=min(how.confidence, _TURNED_ROUND), evidence=evidence)
    if old is None or new is None or old.kind not in _HELD or new.kind not in _HELD:
        return how
    before, after = (class_of(one.signature.returns if one.signature else "") for one in (old, new))
    if after is None or after is before:
        return how
    evidence = (*how.evidence, f"{how.path} is of type {after.__name__}")
    return replace(how, confidence=min(how.confidence, _OF_ANOTHER_TYPE), evidence=evidence)


def _of_kinds(pair: ReleasePair, path: str) -> Replacement | None:
    """A method that is an attribute now, or the other way round."""
    found = pair.symbols(path)
    if found is None:
        return None
    old, new = (symbol.kind for symbol in found)
    if old is SymbolKind.METHOD and new is SymbolKind.PROPERTY:
        return Replacement(ReplacementShape.ATTRIBUTE)
    if old in _HELD and new is SymbolKind.METHOD:
        return Replacement(ReplacementShape.CALL)
    return None


class TargetReader:
    """What of a program the target releases are known not to have, or not to take."""

    def __init__(self, pairs: Iterable[ReleasePair]) -> None:
        self._pairs = {pair.package: pair for pair in pairs}
        self._packages = CheckedPackages(self._pairs.values())

    def wrong(self, code: str) -> Counter[str]:
        tree = parsed(code)
        if isinstance(tree, str):
            return Counter([tree])
        return Counter(self._wrong(usage.read(tree, self._packages, self._types).uses))

    def _types(self, package: str) -> usage.ReleaseTypes | None:
        pair = self._pairs.get(package)
        return pair.new_types if pair else None

    def _wrong(self, uses: Iterable[usage.Use]) -> Iterator[str]:
        for use in uses:
            pair = self._pairs.get(use.package)
            if pair is None or use.guard or not use.path:
                continue
            if use.is_missing and pair.new_types.lacks(use.path):
                yield f"{use.path} is not in {pair.package} {pair.versions[1]}"
            elif use.arguments is not None:
                yield from self._call(pair, use)

    def _call(self, pair: ReleasePair, use: usage.Use) -> Iterator[str]:
        symbol = pair.new.symbol(use.path)
        if symbol is None or symbol.signature is None or use.arguments is None:
            return
        if symbol.kind not in _CALLED or "overloaded" in symbol.traits:
            return
        bound = bind(Takes.of(symbol.signature), use.arguments)
        if not bound.is_fine:
            yield f"{use.path} does not take the arguments that are given"
