"""What each recipe begins with: changes of a mined package, its documentation, uses of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from libdrift.build import posts, repositories, usage
from libdrift.build.choosing import RepositoryFilter, chosen
from libdrift.build.completion import complete
from libdrift.build.excerpts import Level
from libdrift.build.migration import migrations
from libdrift.build.recipes import codemenv, gitchameleon, libevolutioneval, rustevo, versicode
from libdrift.build.recipes.changed import ChangesBetween, changes_between
from libdrift.build.recipes.options import MIGRATION, RecipeOptions
from libdrift.build.recipes.places import ReleasePlaces, python_places
from libdrift.build.recipes.rust_usages import uses_of
from libdrift.build.recipes.snippets import (
    DOWNSTREAM,
    POSTS,
    Snippet,
    documented,
    used_api,
)
from libdrift.build.recipes.steps import RecipeStart
from libdrift.build.results import veiled
from libdrift.config import Settings
from libdrift.errors import UserError
from libdrift.history.store import Store
from libdrift.history.views import View
from libdrift.languages.rust import crates
from libdrift.records import ChangeKind, Environment, Release, Task

RECIPES = ("codemenv", "gitchameleon", "libevolutioneval", "rustevo", "versicode")
_PAIR = 2
_USES = 6  # of an API in crates that are looked at


@dataclass(frozen=True, slots=True)
class SourceOptions:
    """Where code comes from beside the releases of a package."""

    repositories: tuple[Path, ...] = ()
    wanted: RepositoryFilter = field(default_factory=RepositoryFilter)
    posts: Path | None = None
    least_score: int = 0  # of an answer on Stack Overflow
    crates: tuple[str, ...] = ()  # rustevo: fetched for how they use an API

    @property
    def is_empty(self) -> bool:
        return not (self.repositories or self.posts)


@dataclass(frozen=True, slots=True)
class RecipeWork:
    """What recipes are given to begin with."""

    store: Store
    package: str
    versions: tuple[str, ...]  # as the store writes them, the oldest first
    settings: Settings
    options: RecipeOptions
    sources: SourceOptions
    warn: Callable[[str], None]
    left_out: Counter[str]

    def release(self, version: str) -> Release:
        return next(
            one.release
            for one in self.store.releases(self.package)
            if one.release.version == version
        )


def starts_of(recipe: str, work: RecipeWork) -> list[RecipeStart]:
    """All that a recipe could make tasks of; a limit is for whoever asked."""
    if recipe == "versicode" or work.sources.is_empty:
        return _MAKERS[recipe](work)
    raise UserError(
        f"--repositories and --posts are for versicode, and not for {recipe}",
        "Leave them out, or choose --recipe versicode",
    )


def _codemenv(work: RecipeWork) -> list[RecipeStart]:
    changes = _changes(work, codemenv.KINDS)
    return codemenv.starts(changes, _places(work, changes.old, changes.new), work.options)


def _gitchameleon(work: RecipeWork) -> list[RecipeStart]:
    changes = _changes(work, gitchameleon.KINDS)
    return gitchameleon.starts(changes, _places(work, changes.old, changes.new), work.options)


def _rustevo(work: RecipeWork) -> list[RecipeStart]:
    if work.package != rustevo.RUST and not work.package.startswith(rustevo.CRATE):
        raise UserError(
            f"{work.package} is not a Rust package", "Write --package rust, or --package crate:NAME"
        )
    named = [_newest(name, work.settings) for name in work.sources.crates]
    folders = [crates.store(work.settings)]
    return rustevo.starts(
        _changes(work, rustevo.KINDS),
        work.options,
        lambda api: uses_of(api, folders, _USES, named),
    )


def _newest(crate: str, settings: Settings) -> Path:
    """Where the newest release of a crate is unpacked."""
    known = crates.versions(crate)
    newest = next((one for one in reversed(known) if not one.yanked), known[-1])
    return crates.sources(newest, (), settings).folder


def _libevolutioneval(work: RecipeWork) -> list[RecipeStart]:
    built = complete(work.store, work.package, work.versions)
    work.left_out.update(built.left_out)
    views = _views(work)
    docs: dict[str, str] = {}
    kept: list[Task] = []
    for task in built.tasks:
        path = task.facts.symbol or ""
        symbol = views[task.facts.version].symbol(path)
        if symbol is not None:
            docs[task.id] = f"{path}{symbol.signature or ''}\n{symbol.doc[:2000]}"
            kept.append(task)
    return libevolutioneval.starts(kept, docs, _every_place(work), work.options)


def _versicode(work: RecipeWork) -> list[RecipeStart]:
    if work.options.form == MIGRATION:
        old, new = _two(work)
        built = migrations(work.store, work.package, old, new)
        work.left_out.update(built.left_out)
        return versicode.migration_starts(built.tasks, _every_place(work), work.options)
    views = _views(work)
    found = list(_snippets(work, views))
    places = _every_place(work)
    lacking = {
        one.symbol: places[version]
        for one in found
        for version, view in views.items()
        if version != one.version and view.symbol(one.symbol) is None
    }
    return versicode.starts(found, places, work.options, lacking)


_MAKERS: dict[str, Callable[[RecipeWork], list[RecipeStart]]] = {
    "codemenv": _codemenv,
    "gitchameleon": _gitchameleon,
    "libevolutioneval": _libevolutioneval,
    "rustevo": _rustevo,
    "versicode": _versicode,
}


# --- what they are made of


def _two(work: RecipeWork) -> tuple[str, str]:
    if len(work.versions) != _PAIR:
        raise UserError(
            "this recipe needs two releases", "Write them as OLD,NEW: --versions 1.26.4,2.0.2"
        )
    return work.versions[0], work.versions[1]


def _changes(work: RecipeWork, kinds: frozenset[ChangeKind]) -> ChangesBetween:
    old, new = _two(work)
    found = changes_between(work.store, work.package, old, new, kinds)
    work.left_out.update(found.left_out)
    return found


def _views(work: RecipeWork) -> dict[str, View]:
    surfaces = work.store.surfaces(work.package, work.versions)
    return dict(zip(work.versions, map(View, surfaces), strict=True))


def _places(work: RecipeWork, old: Release, new: Release) -> ReleasePlaces:
    return python_places(old, new, work.settings)


def _every_place(work: RecipeWork) -> dict[str, Environment]:
    """The environment of each release; two of them differ in nothing else."""
    releases = [work.release(version) for version in work.versions]
    found: dict[str, Environment] = {}
    for old, new in zip(releases, releases[1:] or releases, strict=False):
        places = python_places(old, new, work.settings)
        found.setdefault(old.version, places.before)
        found.setdefault(new.version, places.after)
    return found


def _snippets(work: RecipeWork, views: Mapping[str, View]) -> Iterator[Snippet]:
    """The sources that were named; the documentation's own examples where none was."""
    if work.sources.is_empty:
        for view in views.values():
            yield from documented(view)
    if work.sources.repositories:
        yield from _downstream(work)
    if work.sources.posts:
        yield from _posted(work, views, work.sources.posts)


def _downstream(work: RecipeWork) -> Iterator[Snippet]:
    found: list[repositories.Repository] = []
    for place in work.sources.repositories:
        here = repositories.find(place)
        for line in here.missing:
            work.warn(line)
        found += here.repositories
    taken = chosen(found, work.sources.wanted, work.left_out)
    asked = usage.UsageOptions((Level.LINE,), (work.package,))
    made = usage.usage(taken, asked, work.store)
    for task in made:
        snippet = _of_repository(task, work)
        if snippet is None:
            work.left_out["use: pinned to another release than those asked for"] += 1
        else:
            yield snippet
    for note in made.notes:
        work.warn(note)
    work.left_out.update(made.built.left_out)


def _of_repository(task: Task, work: RecipeWork) -> Snippet | None:
    gap, facts = task.gap, task.facts
    if gap is None or not facts.symbol or facts.version not in work.versions:
        return None
    line = task.starter[: task.starter.index(gap.mask)].count("\n") + 1
    code = task.starter.replace(gap.mask, task.reference)
    name = f"{facts.library}-{facts.version}-{veiled(task.id)}"
    told = {"place": task.id}
    return Snippet(
        name,
        code,
        facts.library,
        facts.version,
        facts.release_date,
        facts.symbol,
        line,
        DOWNSTREAM,
        told,
    )


def _posted(work: RecipeWork, views: Mapping[str, View], path: Path) -> Iterator[Snippet]:
    """Answers' code, at each release: which of them it is for, running tells."""
    roots = frozenset(
        root.partition(".")[0] for view in views.values() for root in view.surface.roots
    )
    reader = posts.PostReader(path, roots, work.sources.least_score)
    for post in reader:
        use = used_api(post.code, work.package, roots)
        if use is None:
            work.left_out["post: calls no API of the package"] += 1
            continue
        for version, view in views.items():
            if view.symbol(use.symbol) is None:
                continue
            told = {
                "post": post.post,
                "question": post.question,
                "score": post.score,
                "accepted": post.accepted,
                "licence": post.licence,
            }
            yield Snippet(
                f"{work.package}-{version}-post-{post.post}-{post.number}",
                post.code,
                work.package,
                version,
                view.surface.release.date,
                use.symbol,
                use.line,
                POSTS,
                told,
            )
    work.left_out.update(reader.left_out)


def versions_of(store: Store, package: str, asked: Sequence[str]) -> tuple[str, ...]:
    """Mined releases as the store writes them, the oldest first; by default all of them."""
    number = store.number(package)
    if number is None:
        from libdrift.history.store import not_mined

        raise not_mined(store, package)
    known = store.versions(number)
    wanted = {store.version(package, one) for one in asked}
    return tuple(version for version in known if not wanted or version in wanted)
