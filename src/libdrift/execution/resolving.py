"""Which API a name means that was written about some code: by the code's imports and aliases.

``in1d`` is ``numpy.in1d`` where the code says ``from numpy import in1d``, and ``frame.append`` is
a method ``append`` of some value. A name may have more than one reading.
"""

from __future__ import annotations

import builtins
import re
import sys
from collections.abc import Iterator

from libdrift.languages.java import usage as java
from libdrift.languages.python.usage import Vocabulary, vocabulary
from libdrift.metrics.accuracies import api_name, same_api

_LONGEST = 1000  # characters of a name
# What is passed within a chain: `pd.Index(frame[key]).is_boolean`.
_CHAIN = re.compile(r"[)\]]\s*\.")
_PASSED = re.compile(r"\([^()\[\]]*\)|\[[^()\[\]]*\]")
_BUILTINS = frozenset(dir(builtins)) | frozenset(
    "apply basestring buffer cmp coerce execfile file intern long raw_input reduce reload unichr "
    "unicode xrange".split()  # of Python 2
)
_ANYBODY = frozenset({"df", "series", "frame", "lock"})  # what people call a value, any
_THEIRS = frozenset({"builtins.", "__builtin__.", "__builtins__."})


def means(name: str, label: str, code: str, language: str) -> bool:
    """Whether a name in an answer is the API of a label, which is a full name."""
    plain = _bare(name)
    if language == "java":
        # A class that the code writes out may be called by its own name alone.
        written = (used for used in java.names(code) if used.endswith(f".{plain}"))
        return any(same_api(one, label) for one in (java.resolve(name, code), *written))
    scope = vocabulary(code)
    return any(_same(one, label, scope) for one in _readings(plain, scope)) or (
        _is_method(plain, scope, label) and _last(plain) == _last(label)
    )


def stands_for(name: str, wanted: str, code: str, language: str) -> bool:
    """Whether a name is the API that is wanted in a label's place.

    A method may be named as one: ``frame.pad()``, or ``pad``.
    """
    if means(name, wanted, code, language):
        return True
    plain, owner = _bare(name), wanted.rpartition(".")[0].rpartition(".")[2]
    method = owner[:1].isupper() or ("." not in wanted and wanted not in _BUILTINS)
    if language == "java" or not method or _last(plain) != _last(wanted):
        return False
    head, dot, _ = plain.partition(".")
    return not dot or head in vocabulary(code).values or head in _ANYBODY


def full_names(name: str, code: str) -> list[str]:
    """What a name in Python may mean, by the imports of some code."""
    return list(dict.fromkeys(_readings(_bare(name), vocabulary(code))))


def _bare(name: str) -> str:
    """A name without what is passed on the way: ``frame[key].append(row)`` is ``frame.append``."""
    name = name.replace("`", "").strip().removesuffix(";")[:_LONGEST]
    before = "" if _CHAIN.search(name) else name
    while before != name:
        before, name = name, _PASSED.sub("", name)
    return name.partition("(")[0].strip().removeprefix(".")


def _last(name: str) -> str:
    return name.rpartition(".")[2]


# --- Python


def _readings(name: str, scope: Vocabulary) -> Iterator[str]:
    head, dot, rest = name.partition(".")
    if head in scope.bound:
        yield scope.bound[head] + dot + rest
    if not dot:
        yield from (f"{module}.{name}" for module in scope.stars)
    yield api_name(name)


def _same(name: str, label: str, scope: Vocabulary) -> bool:
    """As ``same_api``; where a label has no module, a name's must be one that can be meant."""
    if not same_api(name, label):
        return False
    above = name.removesuffix(label)
    if not above or not name.endswith(f".{label}"):
        return True
    if label in _BUILTINS:
        return above in _THEIRS
    head, *classes = above.removesuffix(".").split(".")
    known = head in scope.packages or (
        head in sys.stdlib_module_names and head not in scope.assigned
    )
    return known and all(one[:1].isupper() or head[:1] == "_" for one in classes)


def _is_method(name: str, scope: Vocabulary, label: str) -> bool:
    """Whether a name is that of an attribute of a value in the code: ``frame.append``."""
    head, dot, rest = name.partition(".")
    if not dot:
        return name in scope.members and name not in scope.bound
    if head == label.partition(".")[0] and head not in scope.assigned:
        return False  # the package itself, which the code may call by an alias too
    *between, last = rest.split(".")
    return head in scope.values and last in scope.members and scope.members.issuperset(between)
