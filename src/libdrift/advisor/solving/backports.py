"""A function that a release does not have, as the other release defines it.

Its source is read where it is installed, in the sandbox; it is taken only if all that it uses can
be imported in the target. The code is the library's own: who publishes it keeps to its licence.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from libdrift.advisor.solving import equivalents
from libdrift.advisor.solving.reading import parsed
from libdrift.execution.outputs import ScriptRun, observe
from libdrift.records import Environment

if TYPE_CHECKING:
    from libdrift.execution import Options

_MARK = "==definitions=="
_DEEPEST = 4  # functions that are needed by functions
_LONGEST = 4000  # characters of a source: more is no helper


def definitions(
    paths: Sequence[str], origin: Environment, target: Environment, options: Options
) -> dict[str, str]:
    """Definitions for some paths, by path; those that cannot be had are left out."""
    release = _Release({}, {})
    wanted = set(paths)
    for _ in range(_DEEPEST):
        new = sorted(wanted - set(release.sources))
        if not new:
            break
        told = _asked(_SOURCES.replace("PATHS", json.dumps(new)), origin, options)
        release.sources |= {path: told.get(path) for path in new}
        needs = sorted({need for path in new for need in release.needs(path)})
        if needs:
            asked = _NEEDS.replace("NEEDS", json.dumps(needs))
            release.there |= _asked(asked, target, options)
        wanted |= {f"{module}.{name}" for module, name in needs if not release.has(module, name)}
    found = {path: release.whole(path, equivalents.local_name(path)) for path in sorted(set(paths))}
    return {path: text for path, text in found.items() if text}


@dataclass(slots=True)
class _Release:
    """What is known of the sources of one release, and of what the target has."""

    sources: dict[str, Any]
    there: dict[str, Any]

    def needs(self, path: str) -> list[tuple[str, str]]:
        told = self.sources.get(path)
        return [(need[1], need[2]) for need in told["needs"]] if isinstance(told, dict) else []

    def has(self, module: str, name: str) -> bool:
        return bool(self.there.get(f"{module}:{name}"))

    def whole(self, path: str, local: str, deep: int = 0) -> str:
        """A definition with all that it needs and the target lacks; empty if some cannot be had."""
        told = self.sources.get(path)
        if not isinstance(told, dict) or deep == _DEEPEST:
            return ""
        lines = []
        for alias, module, name in told["needs"]:
            if self.has(module, name):
                plain = f"from {module} import {name} as {alias}"
                lines.append(plain if name else f"import {module} as {alias}")
                continue
            inner = self.whole(f"{module}.{name}", alias, deep + 1) if name else ""
            if not inner:
                return ""
            lines.append(inner)
        lines += [f"{name} = {value}" for name, value in told["values"]]
        own = _definition(local, told)
        return "\n".join([*lines, own, ""]) if own else ""


def _asked(script: str, environment: Environment, options: Options) -> Mapping[str, Any]:
    run = ScriptRun(environment, script.replace("MARK", repr(_MARK)), twice=False)
    seen = observe([run], options)[run]
    if not seen.runs:
        return {}
    try:
        found = json.loads(seen.ended.stdout.rpartition(_MARK)[2])
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _definition(name: str, told: Mapping[str, Any]) -> str:
    source = str(told["source"])
    tree = parsed(source)
    if tree is None or not tree.body:
        return ""
    function = tree.body[0]
    if not isinstance(function, ast.FunctionDef):
        return ""
    function.name = name
    function.decorator_list = []
    function.returns = None
    if ast.get_docstring(function) is not None and len(function.body) > 1:
        del function.body[0]
    for at, alias in told["defaults"]:
        function.args.defaults[at] = ast.Name(alias, ast.Load())
    for node in ast.walk(function):
        if isinstance(node, ast.arg):
            node.annotation = None
    text = ast.unparse(ast.fix_missing_locations(function))
    return text if len(text) <= _LONGEST else ""


# Both run on every Python from 2.7 on.
_SOURCES = r"""
import ast, importlib, inspect, json, textwrap, types

def reach(path):
    parts = path.split(".")
    here = importlib.import_module(parts[0])
    for at in range(1, len(parts)):
        try:
            here = getattr(here, parts[at])
        except AttributeError:
            here = importlib.import_module(".".join(parts[: at + 1]))
    return here

def is_plain(value):
    try:
        return ast.literal_eval(repr(value)) == value
    except Exception:
        return False

def told(path):
    thing = reach(path)
    for inner in ("__wrapped__", "_implementation", "__wrapped__"):
        thing = getattr(thing, inner, thing)
    if not isinstance(thing, types.FunctionType) or thing.__closure__:
        return None
    source = textwrap.dedent(inspect.getsource(thing))
    arguments = ast.parse(source).body[0].args
    for one in getattr(arguments, "kw_defaults", []):
        if one is not None:
            ast.literal_eval(one)  # else it is not told what it is
    needs, values, defaults = [], [], []
    for at, one in enumerate(arguments.defaults):
        try:
            ast.literal_eval(one)
        except ValueError:
            value = thing.__defaults__[at]
            if not isinstance(value, type):
                return None
            alias = "_default_%s_%d" % (thing.__name__, at)
            needs.append([alias, value.__module__, value.__name__])
            defaults.append([at, alias])
    codes = [thing.__code__]
    for code in codes:  # grows
        codes += [one for one in code.co_consts if isinstance(one, types.CodeType)]
    home = thing.__globals__["__name__"]
    for name in sorted(set(name for code in codes for name in code.co_names)):
        if name not in thing.__globals__:
            continue
        used = thing.__globals__[name]
        if isinstance(used, types.ModuleType):
            needs.append([name, used.__name__, ""])
        elif isinstance(used, (types.FunctionType, types.BuiltinFunctionType, type)):
            if "<" in getattr(used, "__qualname__", used.__name__):
                return None
            # Where it is defined, whatever it says of itself.
            place = getattr(used, "__globals__", {}).get("__name__") or used.__module__ or home
            needs.append([name, place, used.__name__])
        elif is_plain(used):
            values.append([name, repr(used)])
        else:
            needs.append([name, home, name])
    return {"source": source, "needs": needs, "values": values, "defaults": defaults}

found = {}
for path in PATHS:
    try:
        found[path] = told(path)
    except Exception:
        found[path] = None
print(MARK + json.dumps(found))
"""
_NEEDS = r"""
import importlib, json

found = {}
for module, name in NEEDS:
    try:
        here = importlib.import_module(module)
        found[module + ":" + name] = not name or hasattr(here, name)
    except Exception:
        found[module + ":" + name] = False
print(MARK + json.dumps(found))
"""
