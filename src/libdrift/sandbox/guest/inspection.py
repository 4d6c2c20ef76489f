"""Looks at a library's objects, all under guard: whatever they do, nothing is raised here.

Types are looked at by ``type``, for a proxy answers ``isinstance`` as it likes.
"""

import enum
import functools
import inspect
import re
import sys
import types

FUNCTIONS = tuple(
    {
        types.FunctionType,
        types.BuiltinFunctionType,
        types.MethodType,
        type(str.join),  # method_descriptor
        type(object.__init__),  # slot wrapper
        type(object().__str__),  # method-wrapper
        type(dict.__dict__["fromkeys"]),  # classmethod_descriptor
        functools.partial,
    }
)
PARTIAL_METHODS = (functools.partialmethod, getattr(functools, "singledispatchmethod", ()))
PROPERTIES = (property, types.GetSetDescriptorType)
TRIVIAL = (int, float, complex, str, bytes, bool, tuple, type(None), type(Ellipsis))
ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
UNSEEN = object()
DOC_LIMIT = 200000
VALUE_LIMIT = 200
TEXT_LIMIT = 300


def get(thing, name, default=None):
    try:
        return getattr(thing, name, default)
    except BaseException:
        return default


def lookup(thing, name):
    """Whether the name is there, and what it is; what cannot be had, like a proxy, is there too."""
    try:
        return True, getattr(thing, name)
    except AttributeError:
        return False, None
    except BaseException:
        return True, UNSEEN


def text_of(thing, name):
    found = get(thing, name)
    return str(found) if issubclass(type(found), str) else ""


def own_dict(thing):
    try:
        return dict(vars(thing))
    except BaseException:
        return {}


def is_a(thing, *kinds):
    return issubclass(type(thing), kinds)


def described(error):
    said = ""
    try:
        lines = [line.strip() for line in str(error).splitlines()]
        said = next((line for line in lines if any(c.isalnum() for c in line)), "")
    except BaseException:
        pass  # its own __str__ raises: the name of its class must do
    return ("%s: %s" % (type(error).__name__, said) if said else type(error).__name__)[:300]


def named(thing):
    """A class or function as code would write it."""
    module, name = text_of(thing, "__module__"), text_of(thing, "__qualname__")
    return name if module in ("", "builtins") else module + "." + name


def shown(value, limit):
    """A short text of a value that says the same on every run; nothing if there is none."""
    try:
        if is_a(value, enum.Enum):
            return "%s.%s" % (type(value).__name__, value.name)
        if is_a(value, type, types.FunctionType, types.BuiltinFunctionType):
            return named(value)
        if value is Ellipsis:
            return "..."
        text = ADDRESS.sub("", repr(value))
    except BaseException:
        return "<%s>" % type(value).__name__
    return text if len(text) <= limit else "<%s>" % type(value).__name__


def constant(value):
    """The value of a constant, where it is one that a reader would write; not a folder's name."""
    if is_a(value, enum.Enum):
        return shown(value, VALUE_LIMIT)
    if type(value) not in TRIVIAL + (list, dict):
        return ""
    text = shown(value, VALUE_LIMIT)
    return "" if text.startswith("<") or sys.prefix in text or sys.base_prefix in text else text


def annotated(value):
    if value is inspect.Signature.empty:
        return ""
    if is_a(value, str):
        return value if len(value) <= TEXT_LIMIT else ""
    if is_a(value, type) and not get(value, "__args__"):
        return named(value)
    text = shown(value, TEXT_LIMIT)
    return "" if text.startswith("<") else text.replace("typing.", "")


def signature_of(thing, bound):
    """Parameters as [name, kind, default, annotation], and what is returned; ``None`` if unknown."""
    try:
        found = inspect.signature(thing)
        items = list(found.parameters.values())
    except BaseException:
        return None
    if bound and items and items[0].kind <= inspect.Parameter.POSITIONAL_OR_KEYWORD:
        items = items[1:]
    told = []
    for item in items:
        empty = item.default is inspect.Parameter.empty
        default = None if empty else shown(item.default, 100)
        told.append([str(item.name), int(item.kind), default, annotated(item.annotation)])
    return {"parameters": told, "returns": annotated(found.return_annotation)}


def doc_of(thing):
    """Its own documentation: an instance would show that of its class."""
    doc = get(thing, "__doc__")
    if not is_a(doc, str) or (not is_a(thing, type) and doc is get(type(thing), "__doc__")):
        return ""
    try:
        return inspect.cleandoc(doc)[:DOC_LIMIT]
    except BaseException:
        return ""


def is_async(thing):
    try:
        return inspect.iscoroutinefunction(thing)
    except BaseException:
        return False


def is_function(thing):
    if is_a(thing, *FUNCTIONS):
        return True
    kind = type(thing)
    if is_a(thing, type) or kind.__module__ in ("typing", "typing_extensions"):
        return False
    if kind.__name__ == "fortran":
        return True
    return callable(thing) and bool(text_of(thing, "__name__"))


def resolved(module, qualname):
    """What stands at that place, raw; ``None`` if nothing does."""
    current = sys.modules.get(module)
    for part in qualname.split("."):
        space = own_dict(current)
        if part not in space:
            return None
        current = space[part]
    return current
