"""From which release a question is answered, and by what evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from libdrift.advisor.pins import VersionTable, usual
from libdrift.advisor.versions import tables
from libdrift.errors import UserError
from libdrift.history import versions
from libdrift.history.store import StoredRelease
from libdrift.jobs import on_demand as missing
from libdrift.jobs.histories import history_file, open_history
from libdrift.jobs.on_demand import MeantReleases, OnDemand

NAMED = "named in the request"
_UNPINNED = "the newest that is mined: nothing pins this package"


@dataclass(frozen=True, slots=True)
class ServedRelease:
    """The release that an answer is from, why that one, and how well it is known."""

    package: str
    version: str
    chosen: str  # why this version
    date: str = ""  # of the release
    artifact: str = ""  # the file that was read
    digest: str = ""  # its sha256, or how its members were verified
    is_complete: bool = True  # all of it could be read
    gaps: int = 0  # places that reading could not see into

    @property
    def name(self) -> str:
        return f"{self.package} {self.version}"


@dataclass(frozen=True, slots=True)
class AnswerContext:
    """The history, the project's folders, and whether releases may be mined."""

    roots: tuple[Path, ...] = ()
    store: Path | None = None
    on_demand: OnDemand = field(default_factory=OnDemand)

    @property
    def history(self) -> Path:
        return history_file(self.store)

    def inside(self, path: str) -> Path:
        """A file or folder of the project; anything else is refused."""
        if not self.roots:
            raise UserError(
                "no project folder is known, so no path can be read",
                "Start the server with --root DIR, or send the code itself",
            )
        if "\0" in path:
            raise UserError("the path contains a zero byte", "Give a file or a folder")
        for root in self.roots:
            try:
                place = (root / Path(path).expanduser()).resolve()
                if place.is_relative_to(root.resolve()) and place.exists():
                    return place
            except (OSError, RuntimeError):  # too long a name, links in a circle, nobody's home
                continue
        listed = ", ".join(map(str, self.roots))
        raise UserError(f"{path}: not in the project", f"Its folders are: {listed}")

    def root_of(self, place: Path) -> Path:
        """The project folder that a place is in: nothing above it is read."""
        return next(root for root in self.roots if place.is_relative_to(root.resolve()))

    def pinned(self, package: str) -> tuple[str, str] | None:
        """The version that the project pins, and the file or environment that says so."""
        name = usual(package)
        for root in self.roots:
            for table in exact_tables(root):
                if name in table.exact:
                    return table.exact[name], table.source
        return None

    def release(self, package: str, version: str | None) -> ServedRelease:
        """The release to answer from: mined now if need be, never another in its place."""
        if not package.strip():
            raise UserError("the package's name is empty", "Write it as for pip: numpy")
        chosen = NAMED
        if version is None:
            pin = self.pinned(package)
            chosen = f"pinned by {pin[1]}" if pin else _UNPINNED
            version = pin[0] if pin else None
        if version is None:
            found = missing.meant(self.history, package, (None,), self.on_demand)
        else:
            found = missing.exactly(self.history, package, version, self.on_demand)
        read_missing(self.history, found, self.on_demand)
        return self.served(found.package, found.versions[0], chosen)

    def served(self, package: str, version: str, chosen: str) -> ServedRelease:
        with open_history(self.history) as history:
            # Of all of them only where it is written otherwise: what is said of each takes a while.
            known = history.releases(package, version) or history.releases(package)
        return _served(package, version, chosen, known)


def read_missing(history: Path, found: MeantReleases, on_demand: OnDemand) -> None:
    """Mine what is not mined yet, unless something of it would be run."""
    if found.missing and runs_when_read(found.package):
        raise UserError(
            f"{found} is not mined, and the build scripts of a crate run when it is read",
            f"A person may run: libdrift mine {found.package}",
        )
    missing.mine_meant(history, found, on_demand)


def runs_when_read(package: str) -> bool:
    """Whether reading a release runs its code, if only in the sandbox: no agent asks for that."""
    return package.startswith("crate:")


def _served(
    package: str, version: str, chosen: str, known: Sequence[StoredRelease]
) -> ServedRelease:
    for item in known:
        if versions.same(item.release.version, version):
            origin = item.origin
            gaps = 0 if origin.runtime else len(origin.gaps)
            return ServedRelease(
                package,
                item.release.version,
                chosen,
                item.release.date.isoformat() if item.release.date else "",
                origin.artifact,
                origin.digest,
                is_complete=not gaps and not origin.unread,
                gaps=gaps + len(origin.unread),
            )
    raise UserError(
        f"{package} {version} is not mined", f"Run: libdrift mine {package} --versions {version}"
    )


def exact_tables(root: Path) -> list[VersionTable]:
    """What tells the versions of a project exactly, the surest first; ranges are no pins."""
    return [table for table in tables(root, lambda _: None, root) if not table.is_range]
