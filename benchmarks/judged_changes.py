"""Changes that libdrift tells of two releases, judged by what import finds in both.

Used by ``differences.py``, which says what the figures mean.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from libdrift.records import Change, ChangeKind

GONE = (ChangeKind.REMOVED, ChangeKind.RENAMED, ChangeKind.MOVED)
KEYWORD_ONLY, KEYWORDS = 3, 4  # kinds of parameters, as inspect numbers them
NAMED = (0, 1, 3)


@dataclass
class Introspected:
    """One installed release, as its import shows it."""

    paths: Sequence[str]
    members: Mapping[str, Mapping[str, str]]
    unknown: Sequence[str]
    described: Mapping[str, Mapping[str, Any]]

    def has(self, path: str) -> bool:
        """Whether a path can be reached, and does its work."""
        found = self.described.get(path)
        return found is not None and not found.get("raises")

    def only_raises(self, path: str) -> bool:
        return bool(self.described.get(path, {}).get("raises"))

    def is_unknown(self, path: str) -> bool:
        return any(path == one or path.startswith(f"{one}.") for one in self.unknown)

    def sets(self, path: str) -> bool | None:
        """Whether instances of a class may have an attribute; None where there is no class."""
        owner, _, label = path.rpartition(".")
        holder = self.described.get(owner)
        if holder is None or holder["sort"] != "class":
            return None
        return label in holder["sets"]

    def named(self, path: str) -> dict[str, tuple[int, bool]] | None:
        """Parameters: by name, their kind and whether they have a default."""
        told = self.described.get(path, {}).get("parameters")
        return None if told is None else {name: (kind, given) for name, kind, given in told}

    @cached_property
    def every(self) -> list[str]:
        """Public paths, members of classes too."""
        inner = [f"{path}.{label}" for path, found in self.members.items() for label in found]
        return [path for path in dict.fromkeys([*self.paths, *inner]) if path in self.described]

    def definition(self, path: str) -> str:
        """What makes two paths one: the class that has a member first, or a thing's own place."""
        owner, _, label = path.rpartition(".")
        home = self.members.get(owner, {}).get(label)
        if home is not None and "maker" not in self.described[path]:
            return f"{home}.{label}" if home else f"outside.{label}"
        told = self.described[path]
        return str(told.get("maker") or told.get("home") or path)


@dataclass
class Tally:
    """``wrong`` are lines for people: what was missed, or said and not so."""

    right: int = 0
    wrong: list[str] = field(default_factory=list)
    unsure: list[str] = field(default_factory=list)
    left_out: int = 0  # of compiled modules, which nothing but import can read

    @property
    def rate(self) -> float | None:
        total = self.right + len(self.wrong)
        return self.right / total if total else None

    def __str__(self) -> str:
        total = self.right + len(self.wrong)
        shown = "–" if self.rate is None else f"{100 * self.rate:.1f} %"
        return f"{self.right}/{total} {shown}"

    def add(self, other: Tally) -> None:
        self.right += other.right
        self.wrong += other.wrong
        self.unsure += other.unsure
        self.left_out += other.left_out


class Judge:
    """libdrift's changes beside two introspections."""

    def __init__(self, changes: Sequence[Change], old: Introspected, new: Introspected) -> None:
        self.changes = changes
        self.old, self.new = old, new
        self._gone: set[str] = set()
        self._parameters: dict[str, set[str]] = {}
        self._lost_bases: set[str] = set()  # classes that are told to have lost one
        # Modules that are told to have lost all names of another package: that package
        self._lost_names: set[tuple[str, str]] = set()
        for change in changes:
            places = (change.path, *change.aliases)
            other_sort = change.aspect == "type"
            if (change.kind in GONE and not change.parameter) or other_sort:
                self._gone.update(places)
            elif change.aspect == "bases" and change.breaking:
                self._lost_bases.update(places)
            elif change.aspect == "names":
                top = change.before.partition(".")[0]
                self._lost_names.update((place, top) for place in places)
            elif change.kind is ChangeKind.SIGNATURE and change.parameter:
                for place in places:
                    self._parameters.setdefault(place, set()).add(change.parameter)

    # --- what is said

    def breaking(self) -> Tally:
        found = Tally()
        for change in self.changes:
            if not change.breaking:
                continue
            verdict = self.verdict(change)
            line = f"{change.kind} {change.path} {change.aspect} {change.parameter}".rstrip()
            line += f" ({change.detail})"
            if verdict is None:
                found.unsure.append(line)
            elif verdict:
                found.right += 1
            else:
                found.wrong.append(line)
        return found

    def verdict(self, change: Change) -> bool | None:
        if self.old.is_unknown(change.path) or self.new.is_unknown(change.path):
            return None
        if change.kind in GONE and not change.parameter:
            return self._is_lost(change)
        place = self._old_place(change)
        if not place or change.path not in self.new.described:
            return None
        before, after = self.old.described[place], self.new.described[change.path]
        if change.aspect == "names":
            return any(
                path.rpartition(".")[0] == change.path and path not in self.new.described
                for path in self.old.every
                if self._home(path) == change.before.partition(".")[0]
            )
        if change.aspect == "bases":
            return bool(set(before.get("line", ())) - set(after.get("line", ())))
        if change.aspect == "type":
            return (before["sort"], before.get("way")) != (after["sort"], after.get("way"))
        if change.parameter:
            return self._parameter(change, place)
        return None

    def _is_lost(self, change: Change) -> bool | None:
        path = change.path
        if path not in self.old.described:
            # An attribute of instances: its class's code tells.
            before = self.old.sets(path)
            return None if before is None else before and not self._still_set(path)
        return not self.new.has(path) and not self._still_set(path)

    def _still_set(self, path: str) -> bool:
        return not self.new.only_raises(path) and bool(self.new.sets(path))

    def _old_place(self, change: Change) -> str:
        """Where the old release has it: what moved is told at its new place."""
        places = (change.path, *change.aliases)
        return next((path for path in places if path in self.old.described), "")

    def _parameter(self, change: Change, place: str) -> bool | None:
        before, after = self.old.named(place), self.new.named(change.path)
        if before is None or after is None:
            return None
        name = change.parameter.lstrip("*")
        takes_any = any(kind == KEYWORDS for kind, _ in after.values())
        if name == change.parameter:
            before, after = (
                {key: told for key, told in side.items() if told[0] in NAMED}
                for side in (before, after)
            )
        if change.aspect in ("removed", "renamed"):
            if name not in before and name not in after:
                return None  # a decorator took it: Python does not know
            return name in before and name not in after
        if name not in after and takes_any:
            return None  # a metaclass or decorator takes whatever is given
        if change.aspect == "added":
            return name in after and name not in before
        if name not in after:
            return False
        if change.aspect == "keyword-only":
            return after[name][0] == KEYWORD_ONLY
        if change.aspect == "required":
            return not after[name][1]
        if name not in before:
            return None
        if change.aspect == "reordered":
            return _neighbours(before, after, name) != _neighbours(after, before, name)
        return before[name][0] != after[name][0] if change.aspect == "kind" else None

    # --- what there is

    def names(self) -> Tally:
        """Names that are gone while what they were in is still there."""
        groups: dict[str, list[str]] = {}
        left_out = 0
        for path in self.old.every:
            above = path.rpartition(".")[0]
            if path in self.new.described or self.old.only_raises(path):
                continue
            if above not in self.new.described or self._is_told_apart(path):
                continue
            if self.new.only_raises(above) or self.new.sets(path):
                continue
            if self._is_import(path, above):
                left_out += self._is_compiled(above)
                continue
            groups.setdefault(self.old.definition(path), []).append(path)
        found = self._told(groups)
        found.left_out = left_out
        return found

    def _is_compiled(self, path: str) -> bool:
        return bool(self.old.described.get(path, {}).get("compiled"))

    def _is_told_apart(self, path: str) -> bool:
        home = self.old.members.get(path.rpartition(".")[0], {}).get(path.rpartition(".")[2])
        is_module = self.old.described[path]["sort"] == "module"
        built = is_module and path.rpartition(".")[2] == "setup"  # a build's own module
        return home == "" or built or self.new.is_unknown(path)  # another's, or never known

    def _is_import(self, path: str, above: str) -> bool:
        """What a plain module imports and does not list in ``__all__``: there by accident.

        Of a compiled module, reading cannot tell.
        """
        if not above:
            return False
        if self._is_import(above, above.rpartition(".")[0]):
            return True
        holder, label = self.old.described[above], path.rpartition(".")[2]
        if holder["sort"] != "module" or holder["package"]:
            return False
        if holder["compiled"]:
            return True
        return label in holder["imports"] and label not in holder["listed"]

    def raising(self) -> Tally:
        groups: dict[str, list[str]] = {}
        for path in self.old.every:
            ended = self.old.has(path) and self.new.only_raises(path)
            if ended and not self.new.only_raises(path.rpartition(".")[0]):
                groups.setdefault(self.old.definition(path), []).append(path)
        return self._told(groups)

    def _told(self, groups: Mapping[str, Sequence[str]]) -> Tally:
        found = Tally()
        for paths in groups.values():
            if any(self._is_told(path) for path in paths):
                found.right += 1
            else:
                found.wrong.append(min(paths, key=len))
        return found

    def _own_place(self, path: str) -> str:
        """The path of a thing by where it is defined: introspection may know one of several."""
        return str(self.old.described.get(path, {}).get("home", "")).replace(":", ".")

    def _home(self, path: str) -> str:
        """The package that a thing is of."""
        return str(self.old.described[path].get("home", "")).partition(":")[0].partition(".")[0]

    def _is_told(self, path: str) -> bool:
        above, _, label = path.rpartition(".")
        if (above, self._home(path)) in self._lost_names:
            return True
        module, _, owner = above.rpartition(".")
        # A module may have a second name: `from .tl import types`.
        beside = f"{self._own_place(module)}.{owner}.{label}" if self._own_place(module) else path
        places = (path, beside, self._own_place(path), f"{self._own_place(above)}.{label}")
        if any(part in self._gone for place in places for part in _prefixes(place)):
            return True
        # "No longer a Base" tells of what the class had from it.
        home = self.old.members.get(above, {}).get(label, "")
        place = self._own_place(above)
        told = above in self._lost_bases or place in self._lost_bases
        return told and home.replace(":", ".") not in ("", place)

    def parameters(self) -> Tally:
        groups: dict[tuple[str, str], list[str]] = {}
        for path in self.old.every:
            if not self.old.has(path) or not self.new.has(path) or self._is_outside(path):
                continue
            for name in self._lost_parameters(path):
                groups.setdefault((self.old.definition(path), name), []).append(path)
        found = Tally()
        for (_, name), paths in groups.items():
            if any(self._tells(path, name) for path in paths):
                found.right += 1
            else:
                found.wrong.append(f"{min(paths, key=len)}({name})")
        return found

    def _is_outside(self, path: str) -> bool:
        """Whether a class has its constructor, or a class its member, from another package.

        A function that gave way to another package's is told of nowhere in this one.
        """
        homes = (str(side.described[path].get("home", "")) for side in (self.old, self.new))
        tops = {home.partition(":")[0].partition(".")[0] for home in homes} - {""}
        foreign = tops - {path.partition(".")[0]}
        if self._is_told_apart(path) or self._is_import(path, path.rpartition(".")[0]):
            return True
        sorts = {side.described[path]["sort"] for side in (self.old, self.new)}
        return (bool(foreign) and sorts == {"function"}) or any(
            side.described[path]["sort"] == "class" and not side.described[path]["own"]
            for side in (self.old, self.new)
        )

    def _lost_parameters(self, path: str) -> Iterator[str]:
        before, after = self.old.named(path), self.new.named(path)
        if before is None or after is None:
            return
        if any(kind == KEYWORDS for kind, _ in after.values()):
            return
        for name, (kind, _) in before.items():
            by_name = kind in NAMED[1:] and not name.startswith("_")
            if by_name and name not in after:
                yield name

    def _tells(self, path: str, name: str) -> bool:
        above, _, label = path.rpartition(".")
        places = (path, self._own_place(path), f"{self._own_place(above)}.{label}")
        if any(part in self._gone for part in _prefixes(path)):
            return True
        return any(name in self._parameters.get(place, ()) for place in places)


def _neighbours(
    side: Mapping[str, tuple[int, bool]], other: Mapping[str, tuple[int, bool]], name: str
) -> tuple[set[str], set[str]]:
    """What stands before and after a parameter of those that both take by position."""
    both = [one for one, (kind, _) in side.items() if one in other and max(kind, other[one][0]) < 2]  # noqa: PLR2004
    at = both.index(name) if name in both else len(both)
    return set(both[:at]), set(both[at + 1 :])


def _prefixes(path: str) -> Iterator[str]:
    while path:
        yield path
        path = path.rpartition(".")[0]
