"""From a path to the package that has it, or to a refusal that says what to do."""

from __future__ import annotations

from libdrift.errors import UserError
from libdrift.history.store import Store
from libdrift.history.tracing import Tracer


def tracer_for(store: Store, path: str) -> tuple[str, Tracer]:
    package = store.package_of(path)
    number = store.number(package) if package else None
    if package is None or number is None:
        near = _suggested(store, path)
        root = path.partition(".")[0]
        fix = f"Did you mean: {', '.join(near)}?" if near else f"Run: libdrift mine {root}"
        raise UserError(f"no mined package has {path}", fix)
    return package, Tracer(store, number)


def unknown(store: Store, package: str, path: str, tracer: Tracer) -> UserError:
    dead = tracer.tombstones.get(path)
    if dead:
        first = min(dead)
        return UserError(
            f"{path} was gone already in {package} {tracer.versions[first]}, "
            f"where it says: {one_line(dead[first])}",
            f"Mine an older release: libdrift mine {package} --versions VERSION",
        )
    near = _suggested(store, path)
    mined = f"{tracer.versions[0]} to {tracer.versions[-1]}"
    if len(tracer.versions) == 1:
        mined = tracer.versions[0]
    return UserError(
        f"no mined release of {package} ({mined}) has {path}",
        f"Did you mean: {', '.join(near)}?"
        if near
        else f"Run: libdrift history search {package} WORDS",
    )


def _suggested(store: Store, path: str) -> list[str]:
    from libdrift.history.suggestions import suggest  # not needed by a path that is there

    return suggest(store, path)


def one_line(message: str) -> str:
    return " ".join(message.split()).rstrip(".")
