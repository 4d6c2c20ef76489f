"""What releases say in words about a name's successor, and which name of a surface they mean."""

from __future__ import annotations

import builtins
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from keyword import iskeyword

from libdrift.history.views import View
from libdrift.languages.python.wording import replacement_in
from libdrift.records import Deprecation, Surface, Symbol, SymbolKind

_QUOTED = re.compile(r"`+([^`]+)`+|'([^' ]+)'|\"([^\" ]+)\"")
_NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_ADVICE = re.compile(r"(?i)\b(?:us(?:e|ing)|instead|favou?r|migrate|prefer|replaced|renamed)\b")
# What documentation calls things by (:func:`…`) is not their name.
_ROLES = set("func meth class attr mod data exc obj ref term paramref doc".split())
_ALIAS = re.compile(r"\b[Aa]lias (?:of|for|to) [`:\w~]*?`*~?([A-Za-z_][\w.]*)")
_BUILTIN = re.compile(
    r"(?i)\b(?:alias (?:for|of|to)|use) (?:the |python(?:'s)? )*built-?in (?:type |function )?"
    r"[`'\"]*(\w+)|\buse [`'\"]+(\w+)[`'\"]+ by itself"
)
_IMPORT_FROM = re.compile(
    r"\b[Ii]mport(?:ed)? (?:it |them |directly )?from (?:the )?[`'\"]*([a-z]\w+)\b[`'\"]*(?![\w.])"
)
_USE_PACKAGE = re.compile(r"\b[Uu]se (?:the )?[`'\"]*([a-z]\w+)[`'\"]* (?:package|library) instead")
_NO_PACKAGES = {"the", "there", "here", "its", "their", "this", "that", "one", "now", "a"}
_CONTRAST = re.compile(r"(?i)\b(?:instead of|rather than|not|than)\s+(?:the )?(?::\w+:)?$")
# What messages call the thing that a method is of.
RECEIVERS = set("self cls obj df ser s arr index idx result out x instance object".split())
_OPENING = 300  # characters of documentation: where it says what a thing is
_STEPS = 5  # of a chain a -> b -> c


@dataclass(frozen=True, slots=True)
class Hint:
    name: str  # as it is written
    message: str
    source: str  # for people: "deprecation in 1.5.3"

    @property
    def is_name(self) -> bool:
        """Whether it is surely a name, and not a word of the sentence."""
        quoted = re.search(rf"[`'\"]{re.escape(self.name)}\b", self.message)
        if iskeyword(self.name) or len(self.name) == 1 or self.name.startswith(("_", "http")):
            return False
        return bool(quoted) or "." in self.name

    @property
    def is_plain(self) -> bool:
        """Whether it is the name alone, for the same use.

        Not `sort(a, axis=0)`, not `asarray` with a dtype, not the `errstate` context manager, and
        not where something is to be set first.
        """
        last = re.escape(self.name.rpartition(".")[2])
        called = r"\(\s*(?!\.\.\.\))[^)\s]"
        more = rf"-(?:\w+\.)*{last}\b|\b{last}[`'\"]*(?:{called}|[`'\"]* with\b|\[)"
        several = (
            rf"\b{last}[`'\"()]* and (?:[`:'\"]|\w+\.\w)|"
            rf"\b{last}[`'\"()]*(?:,| and| &) [`:'\"]*[\w.]+[`'\"()]*"
            r"(?:,? or [\w.`:'\"()]+)? instead"
        )
        other_use = (
            rf"\b{last}[`'\"()]* (?:context manager|decorator)\b|"
            rf"\b{last}[`'\"()]* as an alternative\b|"
            # "use shift and the freq argument": the old call has no such argument.
            rf"\b{last}[`'\"()]*,? (?:and|plus) [^.,;]{{0,30}}?"
            r"\b(?:argument|parameter|keyword|option)\b|"
            rf"\bset [`'\"][^.]*\band use [`:'\"~]*(?:\w+\.)*{last}\b"
        )
        return not re.search(rf"{more}|{several}|{other_use}", self.message)


def of(path: str, releases: Sequence[Surface], new: View) -> Iterator[Hint]:
    """Hints for a path that is gone: the newest first, a tombstone before all."""
    text = new.surface.tombstones.get(path, "")
    last = path.rpartition(".")[2]
    if text:
        source = f"the error in {new.surface.release.version}"
        first = replacement_in(text)
        names = [first] if first and first != last else []
        names += [name for name in named(text) if name not in names]
        yield from (Hint(name, text, source) for name in names)
    for surface in reversed(releases):
        symbol = surface.resolve(path)
        told = own_deprecations(symbol) if symbol else []
        if symbol and not told:
            for match in _ALIAS.finditer(symbol.doc[:_OPENING]):
                yield Hint(match[1], "", f"documentation in {surface.release.version}")
        for item in told:
            source = f"deprecation ({item.source}) in {surface.release.version}"
            names = [item.replacement] if item.replacement not in {"", *_ROLES} else []
            names += [name for name in advised(item.message) if name not in names]
            yield from (Hint(name, item.message, source) for name in names if name != last)


def messages(path: str, releases: Sequence[Surface], new: View) -> Iterator[str]:
    """All that releases say of the end of a thing."""
    yield new.surface.tombstones.get(path, "")
    for surface in (new.surface, *releases):
        symbol = surface.resolve(path)
        yield from (told.message for told in own_deprecations(symbol)) if symbol else ()


def builtin(path: str, releases: Sequence[Surface], new: View) -> str:
    """Python's own name that messages say to use; empty if there is none."""
    found = (match for text in messages(path, releases, new) for match in _BUILTIN.finditer(text))
    names = (match[1] or match[2] for match in found)
    return next((name for name in names if hasattr(builtins, name)), "")


def own_deprecations(symbol: Symbol) -> list[Deprecation]:
    """What says that the symbol itself goes; what some uses raise, if there is nothing else."""
    own = [item for item in symbol.deprecations if not item.parameter]
    certain = [item for item in own if not item.conditional]
    return certain or own


def named(text: str) -> list[str]:
    """Names that a message quotes, those that it advises first; of code what it begins with."""
    found: dict[str, bool] = {}
    advice = _ADVICE.search(text)
    start = advice.start() if advice and advice[0].lower() != "instead" else 0
    for match in _QUOTED.finditer(text):
        quoted = match[match.lastindex or 0]
        if quoted.startswith("-") or _CONTRAST.search(text[: match.start()]):
            continue  # `-np.inf` is not np.inf, nor is what "instead of" names advised
        for name in _NAME.finditer(quoted):
            if len(name[0]) > 1 and not iskeyword(name[0]):
                found.setdefault(name[0], match.start() < start)
                break
    return sorted(found, key=lambda name: found[name])


def advised(text: str) -> list[str]:
    """Names that a message quotes, if it advises at all."""
    return named(text) if advises(text) else []


def told_after(text: str) -> list[str]:
    """Names that a message quotes after the word that advises, and not before it."""
    advice = _ADVICE.search(text)
    if advice is None:
        return []
    before = advice[0].lower() == "instead"
    return named(text if before else text[advice.start() :])


def is_package(name: str, text: str) -> bool:
    """Whether a message calls something a package: "use the foo package instead"."""
    word = re.escape(name)
    called = rf"\b{word}[`'\"]* (?:package|library)\b|\bimport(?:ed)? (?:\w+ )?from [`'\"]*{word}\b"
    return re.search(called, text) is not None


def package_in(text: str, last: str = "") -> str:
    """The package that a message says to use, or from which to import something called ``last``."""
    found = _IMPORT_FROM.search(text)
    if found is None:
        whole = _USE_PACKAGE.search(text)
        return whole[1] if whole else ""
    if found[1] in _NO_PACKAGES:
        return ""
    return f"{found[1]}.{last}" if last else found[1]


def advises(text: str) -> bool:
    return _ADVICE.search(text) is not None


def follow(hint: Hint, path: str, releases: Sequence[Surface], new: View) -> str:
    """The path in the new release that a hint means; through further hints if it went on.

    What is deprecated itself is followed on too; where that leads nowhere, it is still there.
    """
    name, at, dying = hint.name, path, ""
    for _ in range(_STEPS):
        found = resolve(name, at, new, path)
        if found and not is_dying(found, new):
            return found
        dying = dying or found
        more = _next_hint(found or name, at, [*releases, new.surface])
        if more is None:
            break
        name, at = more
    return dying


def onward(path: str, releases: Sequence[Surface], new: View) -> str:
    """What replaces a thing that the new release has and deprecates; empty if that is unknown."""
    for hint in of(path, [new.surface], new):
        found = follow(hint, path, releases, new)
        if found and not is_dying(found, new):
            return found
    return ""


def is_dying(path: str, view: View) -> bool:
    symbol = view.symbol(path)
    told = symbol.deprecation if symbol else None
    return told is not None and not told.conditional


def _next_hint(name: str, path: str, releases: Sequence[Surface]) -> tuple[str, str] | None:
    """The hint that the named thing itself had, before it went too."""
    for surface in reversed(releases):
        for candidate in _near(name, path, surface.resolve):
            symbol = surface.resolve(candidate)
            if symbol and symbol.deprecation and symbol.deprecation.replacement:
                return symbol.deprecation.replacement, candidate
    return None


def resolve(name: str, path: str, new: View, origin: str = "") -> str:
    """A name as a message writes it, near a path, to a path of the surface; empty if to none.

    Never to ``origin``, the thing that is to be replaced, nor to another name of it.
    """
    own = new.find(origin or path)
    for candidate in _near(name, path, new.find):
        found = new.find(candidate)
        if found is None or encloses(candidate, path) or candidate == origin:
            continue
        if own is None or found.target != own.target:
            return _best(candidate, new)
    inner = _in_namesake(name.strip(".-"), path, new)
    if inner and inner not in {path, origin}:
        return inner
    late = _of_object(name.strip(".-"), new) or _late_member(name.strip(".-"), path, new)
    if late and late not in {path, origin}:
        return late
    tail = _by_tail(name.strip(".-"), new)
    found = new.find(tail) if tail else None
    if found is None or encloses(tail, path) or (own is not None and found.target == own.target):
        return ""
    return tail if tail not in {path, origin} else ""


def _in_namesake(name: str, path: str, new: View) -> str:
    """``Image.crop``, where `Image` is the module, and has a class of that name with the member."""
    first, _, rest = name.partition(".")
    if not rest or "." in rest:
        return ""
    for candidate in _near(first, path, new.find):
        found = new.find(candidate)
        inner = f"{candidate}.{first}.{rest}"
        if found is not None and ":" not in found.target and new.find(inner):
            return inner
    return ""


def _of_object(name: str, new: View) -> str:
    """``crawler.stats``, where one class alone is called `Crawler`, and has the member."""
    first, _, rest = name.partition(".")
    owner = _only(first.capitalize(), new) if rest and first.islower() else ""
    symbol = new.symbol(owner) if owner else None
    is_class = symbol is not None and symbol.kind is SymbolKind.CLASS
    return f"{owner}.{rest}" if is_class and new.find(f"{owner}.{rest}") else ""


def is_late(path: str, new: View) -> bool:
    """Whether a path is an attribute that some method gives to the objects of a class."""
    parent, _, label = path.rpartition(".")
    owner = new.find(parent) if parent else None
    is_class = owner is not None and ":" in owner.target and owner.target in new.symbols
    return owner is not None and is_class and label in new.from_outside(owner.target)


def _late_member(name: str, path: str, new: View) -> str:
    first, dot, rest = name.partition(".")
    parent = path.rpartition(".")[0]
    label = rest if dot and first in {*RECEIVERS, parent.rpartition(".")[2]} else name
    place = f"{parent}.{label}"
    return place if "." not in label and is_late(place, new) else ""


def _by_tail(name: str, new: View) -> str:
    """`Figure.tight_layout`, `ticker.Formatter`: if one thing alone has that name."""
    first, _, rest = name.partition(".")
    if first in sys.stdlib_module_names or first.startswith("_"):
        return ""
    if not rest and (first.islower() and "_" not in first):
        return ""  # a word that many things may have
    found = _only(first, new)
    path = f"{found}.{rest}" if found and rest else found
    if path and new.find(path):
        return path
    places = {
        new.names[place].target: f"{place}.{rest}"
        for place in (new.by_last.get(first, ()) if rest and not first.islower() else ())
        if new.find(f"{place}.{rest}")
    }
    if len(places) == 1:
        return next(iter(places.values()))
    last = rest.rpartition(".")[2]
    # `pkg.sub.Thing`, which is in another module of the package
    return _only(last, new) if last[:1].isupper() and first in new.surface.roots else ""


def _only(last: str, new: View) -> str:
    """The path of the one thing that has a name."""
    places = new.by_last.get(last, [])
    one = len({new.names[place].target for place in places}) == 1
    return min(places, key=new.rank) if one else ""


def _near(name: str, path: str, find: Callable[[str], object]) -> Iterator[str]:
    """Spellings, but of `name.keep`, where `name` is a member, not `keep` of some object."""
    first, dot, _ = name.partition(".")
    is_object = first not in RECEIVERS and not abbreviates(first, path.partition(".")[0])
    is_nested = bool(dot) and is_object and find(f"{path.rpartition('.')[0]}.{first}") is not None
    for candidate in spellings(name, path):
        if not is_nested or candidate.endswith(name):
            yield candidate


def encloses(candidate: str, path: str) -> bool:
    """A thing is not replaced by itself, nor by the class or module that it is in."""
    return path == candidate or path.startswith(f"{candidate}.") or path.endswith(f".{candidate}")


def _best(path: str, new: View) -> str:
    """The most public path of what was named; the named one among equals."""
    name = new.names.get(path)
    if name is None:  # a member
        owner, _, last = path.rpartition(".")
        return f"{_best(owner, new)}.{last}" if owner in new.names else path
    best = new.best(name.target)
    symbol = new.symbols.get(name.target)
    is_class = symbol is not None and symbol.kind is SymbolKind.CLASS
    better = new.rank(best)[:2] < new.rank(path)[:2] and new.is_inner(best) <= new.is_inner(path)
    return best if better or (is_class and best.count(".") < path.count(".")) else path


def spellings(name: str, path: str) -> Iterator[str]:
    """`items`, `.items`, `df.items`, `DataFrame.items`, `pd.DataFrame.items` near a path."""
    bare = name.strip(".-")
    parent = path.rpartition(".")[0]
    root = path.partition(".")[0]
    if bare.startswith(f"{root}."):
        yield bare
    scope = parent
    while scope:
        yield f"{scope}.{bare}"
        scope = scope.rpartition(".")[0]
    first, _, rest = bare.partition(".")
    if rest and first.startswith("_"):
        yield from spellings(rest, path)  # `_orm.relationship`, in SQLAlchemy's documentation
    elif rest and abbreviates(first, root):
        yield f"{root}.{rest}"  # np.x, pd.x
    elif first in sys.stdlib_module_names:
        return  # pickle.load is Python's
    elif rest and (first.islower() or len(first) == 1) and "." not in rest:
        yield f"{parent}.{rest}"  # self.x, df.x, X.x


def abbreviates(short: str, root: str) -> bool:
    """`np` of numpy, `pd` of pandas."""
    letters = iter(root)
    return short[:1] == root[:1] and all(letter in letters for letter in short)
