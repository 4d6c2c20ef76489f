"""One path for each symbol: the most public of those that a user can write for it."""

from __future__ import annotations

from libdrift.history.views import View
from libdrift.records import Surface

PathAndInner = tuple[str, bool]


def public_paths(surface: Surface) -> dict[str, PathAndInner]:
    """Ids to paths, and whether even that one is not meant for users: ``pandas.core.common``.

    What no path without underscores reaches is left out. A member goes under the class that
    defines it; where that is no class for users, as pandas' ``NDFrame``, under the class that
    inherits it most directly.
    """
    view = View(surface)
    known = surface.symbols
    paths = {target: view.best(target) for target in view.paths if target in known}
    classes = [(path, target) for target, path in paths.items() if ":" in target]
    for path, class_id in classes:  # grows: classes within classes
        for label, name in surface.scopes.get(class_id, {}).items():
            if label[0] != "_" and name.target in known and name.target not in paths:
                paths[name.target] = f"{path}.{label}"
                classes.append((paths[name.target], name.target))
    inner = {target: any(view.rank(path)[:2]) for target, path in paths.items()}
    for path, class_id in classes:  # a class's accidents are its members'
        for name in surface.scopes.get(class_id, {}).values():
            if paths.get(name.target, "").startswith(f"{path}."):
                inner[name.target] = inner[class_id]
    found = {target: (path, inner[target]) for target, path in paths.items()}
    return found | _inherited(view, classes, inner)


def _inherited(
    view: View, classes: list[tuple[str, str]], inner: dict[str, bool]
) -> dict[str, PathAndInner]:
    """Better paths for members of classes that are not for users."""
    best: dict[str, tuple[int, int, str]] = {}
    for path, class_id in classes:
        lineage = view.lineage(class_id)
        if inner[class_id] or len(lineage) == 1:
            continue
        for label, (definer, name) in view.members(class_id).items():
            target = name.target
            if definer != class_id and inner.get(target, True) and target in view.symbols:
                rank = (lineage.index(definer), path.count("."), f"{path}.{label}")
                best[target] = min(best.get(target, rank), rank)
    return {target: (rank[2], False) for target, rank in best.items()}
