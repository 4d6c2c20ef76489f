"""Members that classes inherit from Python's own, told by the Python that runs libdrift."""

from __future__ import annotations

import functools
import importlib
import inspect
import re
import sys
import warnings

# Bases that add no public name and no constructor.
PLAIN = frozenset(
    {
        "builtins.object",
        "abc.ABC",
        "typing.Generic",
        "typing.Protocol",
        "typing_extensions.Protocol",
    }
)
# They open windows, print, or change the process when they are imported.
_NEVER = {"antigravity", "this", "idlelib", "turtle", "turtledemo", "tkinter", "test", "lib2to3"}
_SAME = {"typing_extensions": "typing"}
# What code for two Pythons calls them.
_BUILTINS = {"six.text_type": "builtins.str", "six.binary_type": "builtins.bytes"}
_OF_SELF = re.compile(r"\bself\.([A-Za-z]\w*)(?:\s*:[^=\n]+)?\s*=(?!=)")
_MOVES = "six.moves."
_MOVED = {
    "BaseHTTPServer": "http.server",
    "UserDict": "collections",
    "UserList": "collections",
    "UserString": "collections",
    "cPickle": "pickle",
    "cStringIO": "io",
    "html_parser": "html.parser",
    "http_client": "http.client",
    "http_cookiejar": "http.cookiejar",
    "http_cookies": "http.cookies",
    "xmlrpc_client": "xmlrpc.client",
    "xmlrpc_server": "xmlrpc.server",
}


def named(path: str) -> str:
    """The name of a class of another package, or of Python, under which it is known here."""
    if path.startswith(_MOVES):
        module, _, name = path.removeprefix(_MOVES).rpartition(".")
        return f"{_MOVED.get(module or name, module)}.{name}" if module or name in _MOVED else path
    return _BUILTINS.get(path, path)


@functools.lru_cache(maxsize=4096)
def members(path: str) -> tuple[str, ...] | None:
    """Public names of a class of the standard library; None where it is not one."""
    if path in PLAIN:
        return ()
    found = _class(path)
    if found is None:
        return None
    if not isinstance(found, type):
        return ()
    # Not `dir`, which leaves out what a metaclass hides (`Enum.name`).
    names = {name: None for base in found.__mro__ for name in vars(base)}
    names.update((name, None) for base in found.__mro__ for name in _given(base))
    return tuple(sorted(name for name in names if not name.startswith("_")))


def _given(base: type) -> list[str]:
    """Attributes that the code of a class gives to its objects; none of a compiled one."""
    try:
        return _OF_SELF.findall(inspect.getsource(base))
    except (OSError, TypeError):
        return []


@functools.lru_cache(maxsize=4096)
def ancestors(path: str) -> tuple[str, ...]:
    """Names of all classes that a class of the standard library is one of; none of others."""
    found = _class(path)
    return tuple(base.__name__ for base in found.__mro__) if isinstance(found, type) else ()


def _class(path: str) -> object | None:
    module, _, name = path.rpartition(".")
    module = _SAME.get(module, module)
    top = module.partition(".")[0]
    if top not in sys.stdlib_module_names or top in _NEVER or not module:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError):
        return None
    # typing.Mapping is collections.abc.Mapping
    origin: object = getattr(found, "__origin__", found)
    return origin
