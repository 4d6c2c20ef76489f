"""What an answer tells of APIs: the fields of objects, or words, as a careful reader takes them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from libdrift.execution import naming
from libdrift.execution.literals import Number

_FIELDS = {
    "name": "api name function method class symbol apiname fullname path signature label interface "
    "call oldapi oldname old functionname methodname classname fullyqualifiedname",
    "kind": "kind change changetype type updatetype changekind kindofchange category status "
    "whathappened event action update typeofchange",
    "version": "version since inversion changedin deprecatedin removedin addedin introducedin "
    "versionchanged changeversion sinceversion versionadded versionintroduced deprecatedsince "
    "removedsince addedsince versions deprecatedversion removedversion versiondeprecated "
    "versionremoved movedin renamedin replacedin",
    "replacement": "replacement replacedby replacewith replacedwith alternative alternatives "
    "instead use useinstead newapi newname new substitute successor replacementapi movedto "
    "renamedto recommended replacements recommendedreplacement supersededby",
    "prose": "text description explanation details detail note notes reason comment summary "
    "message why info",
}
_ROLES = {word: role for role, words in _FIELDS.items() for word in words.split()}
_WRAPPERS = frozenset(
    "api apis names changes change result results answer answers functions methods classes labels "
    "affected affectedapis list output data items symbols locate explain explanation explanations "
    "deprecated removed deprecatedapis changedapis incompatible incompatibleapis response issues "
    "apichanges json".split()
)
_LETTERS = re.compile(r"[^a-z]")
_LONGEST, _SENTENCE = 20_000, 1000  # characters of words that are read for an explanation
_SENTENCES = re.compile(
    r"\n{2,}|\n(?=[ \t]{0,9}(?:[-*•]|\d+[.)])\s)|\n(?=[ \t]{0,9}\|)"
    r"|(?<=[\w)`\"'])\.\s{1,9}(?=[A-Z`])"
)
_FILLER = re.compile(
    r"^(?:the|class|interface|function|method|module|package|import|static|api|new|deprecated|"
    r"python's|builtin|built-in)\s+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class StatedChange:
    """What is told of one API, in texts; ``None`` where nothing is."""

    kind: str | None = None
    version: str | None = None
    replacement: str | None = None
    prose: str = ""  # in which the rest may stand

    @property
    def says(self) -> bool:
        return bool(self.kind or self.version or self.replacement or self.prose)


def told_by(value: object) -> dict[str, StatedChange] | None:
    """What a list or an object tells, by name; ``None`` where it is not about APIs."""
    value = _unwrapped(value)
    if isinstance(value, list):
        found: dict[str, StatedChange] = {}
        for item in value:
            one = {item: StatedChange()} if type(item) is str else _of_object(item)
            if one is None:
                return None
            found.update(one)
        return found
    return _of_object(value)


def name_in(text: str) -> str:
    """The name that a text is, with or without a remark."""
    plain = text.strip().strip("*").strip()
    while (shorter := _FILLER.sub("", plain)) != plain:
        plain = shorter
    head = plain.partition("(")[0].strip("` ;")
    if naming.NAME.fullmatch(head) or not re.search(r"\s", plain):
        return plain
    spots = naming.mentions(plain)
    return spots[0].name if spots else plain


def told_in_words(text: str) -> dict[str, StatedChange]:
    """What sentences tell: each of the APIs that it names, or of the one before."""
    found: dict[str, list[str]] = {}
    last: list[str] = []
    for sentence in _SENTENCES.split(text[:_LONGEST]):
        named = [one.name for one in naming.mentions(sentence) if one.changed]
        last = list(dict.fromkeys(named)) or last
        for name in last:
            found.setdefault(name, []).append(sentence[:_SENTENCE])
    return {name: StatedChange(prose=". ".join(parts)) for name, parts in found.items()}


def _of_object(value: object) -> dict[str, StatedChange] | None:
    if not isinstance(value, dict):
        return None
    roles = {_role(key) for key in value}
    if "name" in roles and len(roles - {""}) == len(roles) and _flat(value):
        names = [part for key, one in value.items() if _role(key) == "name" for part in _texts(one)]
        return {name: _told(value) for name in names} or None
    found = {}
    for name, one in value.items():
        if isinstance(one, dict):
            found[name] = _told(one)
        elif one is False:
            continue  # it did not change
        elif one is None or isinstance(one, str | bool):
            found[name] = StatedChange(prose=one if isinstance(one, str) else "")
        elif isinstance(one, list) and all(isinstance(part, str) for part in one):
            found[name] = StatedChange(prose=", ".join(one))
        else:
            return None
    # Texts alone may be anything: a name has a dot, or stands for an object.
    words = [name for name, one in value.items() if not isinstance(one, dict)]
    return found if all(_is_name(name) for name in words) else None


def _told(fields: dict[str, object]) -> StatedChange:
    said: dict[str, list[str]] = {}
    for key, value in fields.items():
        said.setdefault(_role(key), []).extend(_texts(value))

    def joined(role: str, joint: str) -> str | None:
        return joint.join(said[role]) if said.get(role) else None

    return StatedChange(
        joined("kind", ", "),
        joined("version", ", "),
        joined("replacement", " or "),
        joined("prose", ". ") or "",
    )


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for part in value:
            if isinstance(part, str):
                yield part
    elif isinstance(value, dict):
        for key, part in value.items():
            if isinstance(part, str) and _role(key) in {"name", "replacement", "version", "kind"}:
                yield part


def of_one(value: object) -> StatedChange | None:
    """What an object tells of an API that it does not name."""
    if not isinstance(value, dict) or not value:
        return None
    roles = {_role(key) for key in value}
    return _told(value) if "kind" in roles and not {"", "name"} & roles else None


def _flat(fields: dict[str, object]) -> bool:
    return not any(isinstance(one, dict) for one in fields.values())


def _role(key: str) -> str:
    return _ROLES.get(_LETTERS.sub("", key.lower()), "")


def _is_name(text: str) -> bool:
    name = name_in(text).partition("(")[0].strip("` ")
    return bool(naming.NAME.fullmatch(name)) and not _role(name) and name.lower() not in _WRAPPERS


def _unwrapped(value: object) -> object:
    """What stands alone in an object: ``{"changes": {…}}``, ``{"note": "…", "apis": […]}``."""
    while isinstance(value, list) and len(value) == 1 and isinstance(value[0], list):
        (value,) = value
    if not isinstance(value, dict):
        return value
    inner = [(key, one) for key, one in value.items() if isinstance(one, dict | list)]
    if len(inner) != 1 or any("." in key for key in value):
        return value
    key, one = inner[0]
    beside = [name for name in value if name != key]
    word = _LETTERS.sub("", key.lower())
    if isinstance(one, dict):
        # An API's own explanation has texts in it; what is around APIs has objects.
        wraps = bool(one) and all(isinstance(part, dict) for part in one.values())
        wraps = wraps or (word in _WRAPPERS and not any(_role(name) for name in one))
        return _unwrapped(one) if wraps and all(_plain(value[name]) for name in beside) else value
    of_names = all(isinstance(part, dict) or _has_dot(part) for part in one)
    if "name" in {_role(name) for name in beside}:
        return value  # an API of which several things are said
    return one if one and (of_names or word in _WRAPPERS) else value


def _has_dot(value: object) -> bool:
    return isinstance(value, str) and bool(naming.DOTTED.search(value))


def _plain(value: object) -> bool:
    return value is None or isinstance(value, str | Number | bool)
