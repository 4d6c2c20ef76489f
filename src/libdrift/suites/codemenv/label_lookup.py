"""Whether names are there in an environment, gone, or on their way out: by import, in the sandbox.

All names of an environment are looked up in one process, since some libraries take seconds to
import. What was seen is kept, as all that scripts print is.
"""

from __future__ import annotations

import json
import keyword
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from libdrift.execution.outputs import Observed, ScriptRun, observe
from libdrift.records import Environment

if TYPE_CHECKING:
    from libdrift.execution.jobs import Options

_MARK = "==names=="


class State(StrEnum):
    THERE = "there"
    DEPRECATED = "deprecated"
    GONE = "gone"
    NO_NAME = "no name"
    UNKNOWN = "unknown"  # the environment is not to be had


@dataclass(frozen=True, slots=True)
class LabelState:
    """What became of a label in an environment; ``how`` is what the library says of it."""

    state: State
    how: str = ""


@dataclass(frozen=True, slots=True)
class Label:
    """A name without aliases, and the package that its sample is about."""

    name: str
    package: str

    @property
    def paths(self) -> tuple[str, ...]:
        """Where to look, best first: ``Pattern.split`` of ``re`` is ``re.Pattern.split``."""
        parts = self.name.split(".")
        if not all(part.isidentifier() and not keyword.iskeyword(part) for part in parts):
            return ()
        if self.package in ("python", parts[0]):
            return (self.name,)
        return self.name, f"{self.package}.{self.name}"


def look_up(
    wanted: Iterable[tuple[Environment, Label]], options: Options
) -> dict[tuple[Environment, Label], LabelState]:
    """Each label in each environment."""
    pairs = list(dict.fromkeys(wanted))
    labels: defaultdict[Environment, set[Label]] = defaultdict(set)
    for environment, label in pairs:
        if label.paths:
            labels[environment].add(label)
    scripts = {
        environment: ScriptRun(environment, _script(group), twice=False)
        for environment, group in labels.items()
    }
    seen = observe(scripts.values(), options)
    told = {environment: _read(seen[item]) for environment, item in scripts.items()}
    return {
        (environment, label): _found(label, told[environment]) if label.paths else _NO_NAME
        for environment, label in pairs
    }


_NO_NAME = LabelState(State.NO_NAME)


def _found(label: Label, told: Mapping[str, list[str]] | str) -> LabelState:
    if isinstance(told, str):
        return LabelState(State.UNKNOWN, told)
    answers = [LabelState(State(told[path][0]), told[path][1]) for path in label.paths]
    return next((item for item in answers if item.state is not State.GONE), answers[0])


def _read(seen: Observed) -> Mapping[str, list[str]] | str:
    if not seen.runs:
        return seen.why_not
    # Libraries may print when they are imported: what counts is behind the mark.
    found: dict[str, list[str]] = json.loads(seen.ended.stdout.rpartition(_MARK)[2])
    return found


def _script(labels: Iterable[Label]) -> str:
    paths = sorted({path for label in labels for path in label.paths})
    return _PROBE.replace("PATHS", json.dumps(paths)).replace("MARK", repr(_MARK))


# Runs on every Python from 2.7 on. A function whose body warns of its deprecation whatever it is
# called with is deprecated, as is one whose documentation says so of the whole of it.
_PROBE = r"""
import ast, importlib, inspect, json, re, sys, textwrap, types, warnings
try:
    import builtins
except ImportError:
    import __builtin__ as builtins

LEAVING = (DeprecationWarning, PendingDeprecationWarning, FutureWarning)
SAYS = re.compile(
    r"^\.\. deprecated::|THIS \w+ IS DEPRECATED|\A[^\n]*\(deprecated\)|(?:\A|\n\n)\W*deprecated\b",
    re.M | re.I,
)
# Classes that older Pythons have no name for.
HIDDEN = {"re.Pattern": type(re.compile("")), "re.Match": type(re.match("", ""))}


def first_line(error):
    return (str(error).strip() or type(error).__name__).splitlines()[0][:200]


def reach(path):
    parts = path.split(".")
    here = roots[parts[0]]
    if here is None:
        raise AttributeError("no module and no builtin is called " + parts[0])
    for number in range(1, len(parts)):
        whole = ".".join(parts[: number + 1])
        try:
            here = getattr(here, parts[number])
        except Exception:
            if whole in HIDDEN:
                here = HIDDEN[whole]
            elif isinstance(here, types.ModuleType):
                error = sys.exc_info()[1]
                try:
                    here = importlib.import_module(whole)
                except Exception:
                    raise error
            else:
                raise
    return here


def body_warns(thing):
    while hasattr(thing, "__wrapped__"):
        thing = thing.__wrapped__
    thing = getattr(thing, "fget", None) or getattr(thing, "__func__", thing)
    if not isinstance(thing, types.FunctionType):
        return ""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(thing)))
    except Exception:
        return ""
    for node in getattr(tree.body[0], "body", []):
        call = node.value if isinstance(node, ast.Expr) else None
        if isinstance(call, ast.Call) and "warn" in ast.dump(call.func):
            text = ast.dump(call)
            if "eprecat" in text or "FutureWarning" in text:
                return "its body warns of it"
    return ""


def leaving(path, thing, caught):
    for item in caught:
        if issubclass(item.category, LEAVING) and path.split(".")[-1] in str(item.message):
            return first_line(item.message)
    told = getattr(thing, "__deprecated__", None)
    if isinstance(told, str):
        return told
    text = inspect.getdoc(thing) or ""
    said = SAYS.search(text) if isinstance(text, type("")) else None
    if said:
        return first_line(text[said.start() :])
    return body_warns(thing)


def judge(path):
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            thing = reach(path)
        how = leaving(path, thing, caught)
    except Exception:
        return ["gone", first_line(sys.exc_info()[1])]
    return ["deprecated", how] if how else ["there", ""]


paths, roots = PATHS, {}
for root in sorted(set(path.split(".")[0] for path in paths)):
    try:
        roots[root] = getattr(builtins, root, None) or importlib.import_module(root)
    except Exception:
        roots[root] = None
print(MARK + json.dumps(dict((path, judge(path)) for path in paths)))
"""
