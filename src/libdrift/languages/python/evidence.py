"""Evidence of deprecation that only a release's other modules complete."""

from __future__ import annotations

from dataclasses import replace

from libdrift.languages.python.deprecations import PYTHONS_OWN
from libdrift.languages.python.linking import Linker
from libdrift.languages.python.parsed import Definition
from libdrift.languages.python.spellings import old_spellings
from libdrift.records import Deprecation


def of(module: str, item: Definition, linker: Linker) -> tuple[Deprecation, ...]:
    """Without warnings whose class means something else; and old spellings that decorators take."""
    categories = item.categories or [""] * len(item.deprecations)
    told = (
        _placed(told, module, linker)
        for told, category in zip(item.deprecations, categories, strict=True)
        if not category or _means_deprecation(module, category, linker, 0)
    )
    return (*told, *old_spellings(item, lambda path: linker.dotted(module, path)))


def _placed(told: Deprecation, module: str, linker: Linker) -> Deprecation:
    """A thing of another package by its full path: in a module, `np.sum` is `numpy.sum`."""
    path = told.replacement
    found = linker.dotted(module, path) if "." in path else None
    if found is None or found.kind != "foreign":
        return told
    return replace(told, replacement=f"{found.module}.{found.name}")


def _means_deprecation(module: str, name: str, linker: Linker, depth: int) -> bool:
    if name.rpartition(".")[2] in PYTHONS_OWN:
        return True
    found = linker.dotted(module, name)
    if found is None or depth > 8:  # noqa: PLR2004
        return "eprecat" in name
    if found.kind == "foreign":
        return found.name in PYTHONS_OWN or "eprecat" in found.name
    if found.definition is None:
        return "eprecat" in name
    if found.definition.alias:
        return _means_deprecation(found.module, found.definition.alias, linker, depth + 1)
    # Some derive theirs from `Warning`, so that it is shown.
    return "eprecat" in name or any(
        _means_deprecation(found.module, base, linker, depth + 1) for base in found.definition.bases
    )
