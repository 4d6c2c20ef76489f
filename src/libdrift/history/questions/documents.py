"""What a symbol is in exactly one release: its signature and its documentation."""

from __future__ import annotations

from dataclasses import dataclass

from libdrift.errors import UserError
from libdrift.history import versions
from libdrift.history.questions.asking import one_line, tracer_for, unknown
from libdrift.history.questions.executed import SeenByRunning, seen
from libdrift.history.questions.tracing import Reached, Tracer, positions, runs
from libdrift.history.spelling import spelled
from libdrift.history.store import Store, packing
from libdrift.records import Symbol


@dataclass(frozen=True, slots=True)
class SymbolDocument:
    """A symbol exactly as of one release."""

    path: str
    package: str
    version: str
    symbol: Symbol
    public_path: str
    newest: bool  # of the mined releases
    behaviour: tuple[SeenByRunning, ...] = ()  # what examples showed, from or to this release


def document(
    store: Store, path: str, version: str | None = None, package: str | None = None
) -> SymbolDocument:
    """What a path is in a release, or in the newest one; never another release's text.

    ``package`` says whose release, where it is not the one that the path's root leads to.
    """
    with store.snapshot():
        package, path, tracer = tracer_for(store, path, package)
        position = len(tracer.versions) - 1
        if version is not None:
            position = versions.find(package, version, tracer.versions)
        reached = tracer.reach(path)
        if not reached.mask:
            raise unknown(store, package, path, tracer)
        if not reached.mask >> position & 1:
            raise _absent(package, path, tracer, reached, position)
        found = next((key for key, mask in reached.targets.items() if mask >> position & 1), None)
        shapes = tracer.shapes(found) if found is not None else []
        held = [(shape, doc) for shape, doc, mask in shapes if mask >> position & 1]
        here = tracer.versions[position]
        if found is None or not held:
            raise UserError(
                f"{path} is in {package} {here}, but its code is elsewhere: "
                f"{_elsewhere(tracer, reached, position)}",
                "See the documentation of that package",
            )
        shape, doc = held[0]
        symbol = packing.symbol(tracer.text(found), packing.one_shape(shape), tracer.doc(doc))
        newest = position == len(tracer.versions) - 1
        shown = [spelled(one, package) for one in (path, tracer.best_path(found, position))]
        ran = tuple(item for item in seen(store, package, shown) if here in {item.old, item.new})
        return SymbolDocument(shown[0], package, here, symbol, shown[1], newest, ran)


def may_be_unseen(store: Store, path: str, version: str) -> bool:
    """Whether a release that seems not to have a path may have it, where reading does not show."""
    with store.snapshot():
        package, path, tracer = tracer_for(store, path)
        return tracer.may_have(path, versions.find(package, version, tracer.versions))


def _absent(package: str, path: str, tracer: Tracer, reached: Reached, position: int) -> UserError:
    mined = tracer.versions
    spans = [
        mined[first] if first == last else f"{mined[first]} to {mined[last]}"
        for first, last in runs(reached.mask)
    ]
    dead = tracer.tombstones.get(path, {}).get(position, "")
    near = min(positions(reached.mask), key=lambda other: abs(other - position))
    here = f"{package} {mined[position]}"
    what = f"{path} is not in {here}"
    if dead:
        what += f", which says: {one_line(dead)}"
    elif tracer.may_have(path, position):
        what = f"{path} was not seen in {here}, which could not be read completely"
    return UserError(
        f"{what}; of the mined releases it is in {', '.join(spans)}",
        f"Run: libdrift docs {path} --at {mined[near]}",
    )


def _elsewhere(tracer: Tracer, reached: Reached, position: int) -> str:
    for base, mask in reached.foreign.items():
        if mask >> position & 1:
            return f"it is inherited from {base}"
    for key, mask in reached.targets.items():
        if mask >> position & 1:
            return f"it is {tracer.text(key).replace(':', '.')}"
    return "it is another package's"
