"""A function that a release does not have, as the other release defines it.

Its source is read where it is installed, in the sandbox; it is taken only if all that it uses can
be imported in the target. The code is the library's own: who publishes it keeps to its licence.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from libdrift.advisor.solving import equivalents
from libdrift.advisor.solving.reading import parsed
from libdrift.execution.outputs import ScriptRun, observe
from libdrift.records import Environment

if TYPE_CHECKING:
    from libdrift.execution import Options

_MARK = "==definitions=="
_LONGEST = 4000  # characters of a source: more is no helper


def definitions(
    paths: Sequence[str], origin: Environment, target: Environment, options: Options
) -> dict[str, str]:
    """Definitions for some paths, by path; those that cannot be had are left out."""
    wanted = sorted(set(paths))
    if not wanted:
        return {}
    told = _asked(_SOURCES.replace("PATHS", json.dumps(wanted)), origin, options)
    sources = {path: told[path] for path in wanted if isinstance(told.get(path), dict)}
    needed = sorted({tuple(need) for one in sources.values() for need in one["needs"]})
    there = _asked(_NEEDS.replace("NEEDS", json.dumps(needed)), target, options) if needed else {}
    found = {}
    for path, one in sources.items():
        if all(there.get(f"{module}:{name}") for _, module, name in one["needs"]):
            text = _definition(path, one)
            if text:
                found[path] = text
    return found


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


def _definition(path: str, told: Mapping[str, Any]) -> str:
    source = str(told["source"])
    tree = parsed(source)
    if tree is None or not tree.body or len(source) > _LONGEST:
        return ""
    function = tree.body[0]
    if not isinstance(function, ast.FunctionDef):
        return ""
    function.name = equivalents.local_name(path)
    function.decorator_list = []
    function.returns = None
    for node in ast.walk(function):
        if isinstance(node, ast.arg):
            node.annotation = None
    lines = [
        f"from {module} import {name} as {alias}" if name else f"import {module} as {alias}"
        for alias, module, name in told["needs"]
    ]
    lines += [f"{name} = {value}" for name, value in told["values"]]
    return "\n".join([*lines, ast.unparse(function), ""])


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

def told(path):
    thing = reach(path)
    while hasattr(thing, "__wrapped__"):
        thing = thing.__wrapped__
    if not isinstance(thing, types.FunctionType) or thing.__closure__:
        return None
    source = textwrap.dedent(inspect.getsource(thing))
    arguments = ast.parse(source).body[0].args
    given = list(arguments.defaults) + [one for one in getattr(arguments, "kw_defaults", []) if one]
    for one in given:
        ast.literal_eval(one)  # else it is not told what it is
    needs, values = [], []
    for name in thing.__code__.co_names:
        if name not in thing.__globals__:
            continue
        used = thing.__globals__[name]
        if isinstance(used, types.ModuleType):
            needs.append([name, used.__name__, ""])
        elif isinstance(used, (types.FunctionType, type)):
            if "<" in getattr(used, "__qualname__", used.__name__):
                return None
            needs.append([name, used.__module__, used.__name__])
        elif isinstance(used, (int, float, str, bytes, bool, tuple, type(None))):
            values.append([name, repr(used)])
        else:
            needs.append([name, thing.__module__, name])
    return {"source": source, "needs": needs, "values": values}

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
for alias, module, name in NEEDS:
    try:
        here = importlib.import_module(module)
        found[module + ":" + name] = not name or hasattr(here, name)
    except Exception:
        found[module + ":" + name] = False
print(MARK + json.dumps(found))
"""
