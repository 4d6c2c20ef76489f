"""From a path to the package that has it, or to a refusal that says what to do."""

from __future__ import annotations

import sys

from libdrift.errors import UserError
from libdrift.history.questions.tracing import Tracer
from libdrift.history.spelling import alternatives, dotted, is_rust, mined_as, spelled
from libdrift.history.store import Store, packing
from libdrift.history.store.packages import roots_like


def tracer_for(store: Store, asked: str, of: str | None = None) -> tuple[str, str, Tracer]:
    """The package that a path belongs to, the path as the store has it, and who follows it.

    ``of`` is the package that is meant: several may have modules of one name.
    """
    path = dotted(asked)
    if not path.strip(". "):
        raise UserError(
            "the symbol's name is empty", "Write it as in code: pandas.DataFrame.append"
        )
    first: tuple[str, str, Tracer] | None = None
    for written in alternatives(asked):
        package = of or store.package_of(written)
        number = store.number(package) if package else None
        if package is not None and number is not None:
            found = (package, dotted(written), Tracer(store, number))
            if found[2].reach(found[1]).mask:
                return found
            first = first or found
    if first is None:
        raise UserError(f"no mined package has {asked}", _instead(store, asked))
    return first


def _instead(store: Store, path: str) -> str:
    near = _suggested(store, dotted(path))
    if near:
        return f"Did you mean: {', '.join(near)}?"
    root = dotted(path).partition(".")[0]
    roots = roots_like(store, root)
    if roots:
        return f"Did you mean a name in {' or '.join(roots)}?"
    return f"Run: libdrift mine {source_of(path)}"


def source_of(path: str) -> str:
    """What to mine for a path whose root no package has."""
    root = dotted(path).partition(".")[0]
    if is_rust(path):
        return mined_as(root, "rust")
    return "python" if root in sys.stdlib_module_names else mined_as(root, "java")


def unknown(store: Store, package: str, path: str, tracer: Tracer) -> UserError:
    dead = tracer.tombstones.get(path)
    if dead:
        first = min(dead)
        return UserError(
            f"{path} was already gone in {package} {tracer.versions[first]}, "
            f"where it says: {one_line(dead[first])}",
            f"Mine an older release: libdrift mine {package} --versions VERSION",
        )
    # The same name may be another package's: that it is not here was said.
    near = [text for text in _suggested(store, path) if text != spelled(path, package)]
    mined = f"{tracer.versions[0]} to {tracer.versions[-1]}"
    if len(tracer.versions) == 1:
        mined = tracer.versions[0]
    what = f"no mined release of {package} ({mined}) has {spelled(path, package)}"
    fix = f"Run: libdrift history search {package} WORDS"
    unseen = _unseen_base(store, package, path, tracer)
    if unseen is not None:
        version, why = unseen
        what = f"{what}, but {why}"
        fix = f"Run: libdrift mine {package} --versions {version} --runtime auto"
        # Only the class itself can have what was meant, now that it may have what was asked for.
        near = [text for text in near if text.rpartition(".")[0] == path.rpartition(".")[0]]
    return UserError(what, f"Did you mean: {', '.join(near)}?" if near else fix)


def _unseen_base(store: Store, package: str, path: str, tracer: Tracer) -> tuple[str, str] | None:
    """The release and the base of another package that may give a class what was not seen."""
    reached = tracer.reach(path.rpartition(".")[0])
    number = max(reached.targets, key=lambda key: reached.targets[key].bit_length(), default=None)
    if number is None or ":" not in tracer.text(number):
        return None
    position = reached.targets[number].bit_length() - 1
    version = tracer.versions[position]
    origin = next(
        item.origin for item in store.releases(package) if item.release.version == version
    )
    if origin.runtime:
        return None
    waiting = [number]
    for current in waiting:  # grows
        module = tracer.text(current).partition(":")[0]
        shapes = [shape for shape, _, mask in tracer.shapes(current) if mask >> position & 1]
        bases = packing.symbol("", packing.one_shape(shapes[0])).bases if shapes else ()
        for base in bases:
            if f"{module}: inherits from {base}" in origin.gaps:
                return version, f"{module} inherits from {base}, which was not imported"
            row = store.db.execute(
                "SELECT id FROM ids WHERE package = ? AND text = ?", (store.number(package), base)
            ).fetchone()
            if row and row[0] not in waiting:
                waiting.append(row[0])
    return None


def check_version(text: str) -> None:
    """Refuse what cannot be any package's version: not even those of old have no digit."""
    if not any(letter.isdecimal() for letter in text):
        raise UserError(
            f"{text} is not a version" if text.strip() else "the version is empty",
            "Write it as the index does, such as 1.26.4",
        )


def _suggested(store: Store, path: str) -> list[str]:
    from libdrift.history.questions.suggestions import suggest  # not needed by a path that is there

    return [spelled(text, store.package_of(text) or "") for text in suggest(store, path)]


def one_line(message: str) -> str:
    return " ".join(message.split()).rstrip(".")
