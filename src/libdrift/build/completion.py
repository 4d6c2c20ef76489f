"""The controlled scenario, from mined history: one call to complete for every documented API.

Rebuilt after LibEvolutionEval's. Each public function, class and method of a release is asked for
once, under its most public path, by a small function that says what the API does and never names
it. (Their function is named after the API, and often no Python.) A method is called through its
class, so what it is called on is its first argument.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from types import MappingProxyType

from libdrift.build import templates
from libdrift.build.examples import summary
from libdrift.build.lifecycles import CHANGES, Lifecycle, Lifecycles
from libdrift.build.masking import HIDDEN, hide
from libdrift.build.results import Built, veiled
from libdrift.history import versions as ordering
from libdrift.history.paths import public_paths
from libdrift.history.store import Store
from libdrift.history.views import View
from libdrift.languages.python.usage import parsed
from libdrift.records import (
    Environment,
    Facts,
    Gap,
    ParameterKind,
    Signature,
    Suite,
    Symbol,
    SymbolKind,
    Task,
    TaskKind,
)
from libdrift.suites import prompt_for
from libdrift.suites.benchmarks import Asking

SUITE = "completion"
FILL = "<fill>"

_CALLED = {SymbolKind.FUNCTION, SymbolKind.CLASS, SymbolKind.METHOD}
_UNBOUND = {"classmethod", "staticmethod"}
_RECEIVERS = ("instance", "receiver", "owner")
_OPEN = {ParameterKind.VARIADIC: "*", ParameterKind.KEYWORDS: "**"}
_LEAST = 3  # words that a description must have for each time that it names the API


@dataclass(frozen=True, slots=True)
class _Api:
    path: str
    symbol: Symbol
    is_member: bool

    @property
    def last(self) -> str:
        return self.path.rpartition(".")[2]


def complete(
    store: Store,
    package: str,
    versions: Sequence[str],
    *,
    only: Collection[Lifecycle] = (),
    limit: int | None = None,
    seed: int = 0,
) -> Built:
    """Tasks of mined releases, in the order of versions and paths.

    ``only`` are lifecycles that are asked for, by default all. ``limit`` is for each version: a
    sample that ``seed`` decides on.
    """
    asked = {store.version(package, version) for version in versions}
    lives = Lifecycles(store, package, sorted(asked))
    left_out: Counter[str] = Counter()
    tasks: list[Task] = []
    counts: dict[str, int] = {}
    for version in sorted(asked, key=ordering.order):
        found = _of_release(lives, version, frozenset(only), left_out)
        if limit is not None and limit < len(found):
            left_out["over the limit"] += len(found) - limit
            chosen = Random(f"{seed} {version}").sample(range(len(found)), limit)  # noqa: S311
            found = [found[at] for at in sorted(chosen)]
        tasks += found
        counts[version] = len(found)
    return Built(tuple(tasks), MappingProxyType(dict(left_out)), MappingProxyType(counts))


def _of_release(
    lives: Lifecycles, version: str, only: Collection[Lifecycle], left_out: Counter[str]
) -> list[Task]:
    view = lives.view(version)
    apis = list(_apis(view, left_out))
    labels = lives.labels(version, [api.path for api in apis])
    found: list[Task] = []
    for api in apis:
        made = _task(api, view, labels[api.path])
        if isinstance(made, str):
            left_out[made] += 1
        elif is_told(made):
            left_out["its name is in the prompt as it is sent"] += 1
        else:
            found.append(made)
    asked = Counter(task.starter for task in found)
    clear = [task for task in found if asked[task.starter] == 1]
    if len(clear) < len(found):
        left_out["its prompt is another's too"] += len(found) - len(clear)
    return [task for task in clear if not only or _is_of(task, only, left_out)]


def _is_of(task: Task, only: Collection[Lifecycle], left_out: Counter[str]) -> bool:
    lifecycle = task.facts.lifecycle
    if lifecycle not in only:
        known = f"{lifecycle}, which is not asked for"
        left_out[known if lifecycle else "no other release tells whether it changed"] += 1
    return lifecycle in only


def is_told(task: Task) -> bool:
    """Whether a model is told the name that it is asked for, by all that it is sent.

    That is more than the task's own code: instructions, and an example of another task. Imports
    must name modules, and the code's own are checked where it is written.
    """
    shown = prompt_for(Suite(SUITE, SUITE, ""), task, Asking())
    lines = f"{shown.system}\n{shown.user}\n{shown.text}".splitlines()
    text = "\n".join(line for line in lines if not line.startswith(("import ", "from ")))
    token = task.gap.token if task.gap else ""
    return token.casefold() in re.findall(r"\w+", text.casefold())


def _apis(view: View, left_out: Counter[str]) -> Iterator[_Api]:
    """The callables that a release offers, by path."""
    for target, (path, inner) in sorted(public_paths(view.surface).items(), key=lambda x: x[1]):
        symbol = view.symbols[target]
        if symbol.kind not in _CALLED:
            continue
        if inner or view.is_forwarded(path):
            left_out["not meant for users"] += 1
        elif view.is_foreign(symbol):
            left_out["another package's"] += 1
        elif not symbol.doc.strip():
            left_out["no documentation"] += 1
        elif symbol.signature is None:
            left_out["unknown signature"] += 1
        else:
            owner = view.find(path.rpartition(".")[0])
            yield _Api(path, symbol, owner is not None and ":" in owner.target)


def _task(api: _Api, view: View, lifecycle: Lifecycle | None) -> Task | str:
    """The task that asks for an API, or why there is none."""
    release = view.surface.release
    package, version = release.package, release.version
    root, _, rest = api.path.partition(".")
    names, arguments = _arguments(api)
    description = hide(summary(api.symbol.doc), api.last)
    title = f"{package} {version}"
    why = _objection(api.last, f"{root} {title}", names, description)
    if why:
        return why
    call = templates.TemplateCall(
        imported=next(item for item in view.surface.roots if f"{api.path}.".startswith(f"{item}.")),
        root=root,
        service=_service(api.path),
        description=description,
        parameters=tuple(names),
        checked=tuple(name for name in names if name[0] != "*"),
    )
    prompt = templates.write(call, api.last)
    problem = f"Complete the code for {title}."
    if prompt is None or _has(problem, api.last):
        return "its name is in the template's words"
    answer = f".{rest}({', '.join(arguments)})"
    if parsed(prompt.left + answer + prompt.right) is None:
        return "its signature is no Python"
    return Task(
        id=f"{package}-{version}-{veiled(api.path)}",
        suite=SUITE,
        kind=TaskKind.COMPLETE,
        language="python",
        environment=Environment("python", "", (f"{package}=={version}",)),
        title=f"{title}: {call.service}",
        problem=problem,
        starter=f"{prompt.left}{FILL}{prompt.right}",
        reference=answer,
        tests=(),
        facts=Facts(
            library=package,
            version=version,
            release_date=release.date,
            change=CHANGES.get(lifecycle) if lifecycle else None,
            symbol=api.path,
            granularity="middle",
            source="library_source_code",
            scenario="controlled",
            access="direct",
            lifecycle=lifecycle and lifecycle.value,
        ),
        gap=Gap(token=api.last, mask=FILL, hint=root, aliases=(root,), near=prompt.right),
    )


def _objection(last: str, package: str, names: Sequence[str], description: str) -> str:
    """Why an API cannot be asked for without telling its name, or with nothing but it."""
    told = re.findall(r"\w+", description.replace(HIDDEN, ""))
    if _has(package, last):
        return "its name is in the package's"
    if package.partition(" ")[0] in names:
        return "an argument has the package's name"
    if any(_has(name, last) for name in names):
        return "its name is in an argument's"
    if not description:
        return "no description"
    if len(told) < _LEAST * max(1, description.count(HIDDEN)):
        return "its description says little beside its name"
    if _has(description, last) or _has(FILL, last):
        return "its name is in the mask"
    return ""


def _arguments(api: _Api) -> tuple[list[str], list[str]]:
    """Parameters of the prompt's function, and what its call passes on."""
    signature, kind, traits = api.symbol.signature, api.symbol.kind, api.symbol.traits
    names, arguments = _mandatory(signature) if signature else ([], [])
    if api.is_member and kind is SymbolKind.METHOD and _UNBOUND.isdisjoint(traits):
        free = [name for name in _RECEIVERS if name not in names and not _has(name, api.last)]
        receiver = free[0] if free else _RECEIVERS[0]
        names, arguments = [receiver, *names], [receiver, *arguments]
    return names, arguments


def _mandatory(signature: Signature) -> tuple[list[str], list[str]]:
    """Mandatory parameters, and how a call passes them; where there are none, open ones."""
    named = [item for item in signature.parameters if item.kind not in _OPEN]
    mandatory = [item for item in named if item.default is None]
    if mandatory:
        return [item.name for item in mandatory], [
            f"{item.name}={item.name}" if item.kind is ParameterKind.KEYWORD_ONLY else item.name
            for item in mandatory
        ]
    given = [
        f"{_OPEN[item.kind]}{item.name}"
        for item in signature.parameters
        # Beside parameters with names, further keywords are seldom what a call is about.
        if item.kind is ParameterKind.VARIADIC or (item.kind in _OPEN and not named)
    ]
    return given, list(given)


def _service(path: str) -> str:
    """A name made of the nearest owner that does not tell the API's."""
    *owners, last = path.split(".")
    owner = next(name for name in reversed(owners) if not _has(name, last))
    words = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z0-9])(?=[A-Z][a-z])", "_", owner)
    return words.lower()


def _has(text: str, name: str) -> bool:
    return name.casefold() in text.casefold()
