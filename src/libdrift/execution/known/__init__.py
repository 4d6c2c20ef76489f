"""Names that are known to be there, in tables that come with libdrift: nothing is imported or run.

They tell a name that was made up from one that may well be meant, on every machine in the same way.
What they do not cover, they do not judge.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

_JDK, _PYTHON = "jdk11.txt", "python.txt"
_BUILTINS = "builtins"


def in_python(name: str) -> bool | None:
    """Whether a full name is one of Python's library, numpy's or pandas'; ``None``: who knows.

    Of all releases together: that it is there in one does not say that it is in another.
    """
    tables = _table(_PYTHON)
    parts = name.split(".")
    if len(parts) == 1:
        return name in tables[_BUILTINS] or name in tables
    for length in range(len(parts) - 1, 0, -1):
        above, below = ".".join(parts[:length]), parts[length]
        if above in tables:
            # What a class or a module beyond the tables has is not known.
            inner = f"{above}.{below}"
            return below in tables[above] or inner in tables or _leads_to(inner)
        if f"{_BUILTINS}.{above}" in tables:
            return below in tables[f"{_BUILTINS}.{above}"]
    return True if _leads_to(name) else None


def in_jdk(name: str) -> bool:
    """Whether a full name is that of a package of JDK 11, a class of it, or a class's member."""
    return name in _table(_JDK) or jdk_class(name) is not None


def jdk_class(name: str) -> str | None:
    """The class of JDK 11 that a full name is, or is a member of."""
    package, classes = _place(name)
    for length in range(len(classes), 0, -1):
        if ".".join(classes[:length]) in _table(_JDK).get(package, ()):
            return ".".join((package, *classes[:length]))
    return None


def jdk_named(name: str) -> str | None:
    """The class of JDK 11 that is called so, of whatever package; rather one not deprecated."""
    found = [
        (bool(classes[name]), f"{package}.{name}")
        for package, classes in _table(_JDK).items()
        if name in classes
    ]
    return min(found)[1] if found else None


def deprecated_in_jdk(name: str) -> str | None:
    """Since when a class of JDK 11 is deprecated; empty where it does not say, ``None`` if not."""
    package, classes = _place(name)
    mark = _table(_JDK).get(package, {}).get(".".join(classes), "")
    return mark.removeprefix("@") if mark else None


def _place(name: str) -> tuple[str, list[str]]:
    """A name's package, and what is below it."""
    parts = name.split(".")
    first = next((at for at, part in enumerate(parts) if part[:1].isupper()), len(parts))
    return ".".join(parts[:first]), parts[first:]


def _leads_to(name: str) -> bool:
    return any(module.startswith(f"{name}.") for module in _table(_PYTHON))


@cache
def _table(file: str) -> dict[str, dict[str, str]]:
    """By module, package or class: the names in it, with their marks."""
    text = (files(__name__) / file).read_text("utf-8")
    found: dict[str, dict[str, str]] = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            head, *names = line.split()
            pairs = (name.partition("@") for name in names)
            found[head] = {name: mark + since for name, mark, since in pairs}
    return found
