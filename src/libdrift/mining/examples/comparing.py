"""One example in two releases: the statements that go another way, if they do so every time."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from libdrift.mining.examples import normalising
from libdrift.mining.examples.extracting import DocExample
from libdrift.records import ExampleOutcome

_FILE = ("FileNotFoundError", "NotADirectoryError", "IsADirectoryError", "PermissionError")
_NETWORK = re.compile(
    r"URLError|gaierror|ConnectionError|HTTPError|SSLError|Name or service not known"
    r"|Network is unreachable|Temporary failure in name resolution"
)
_PLOTTING = re.compile(r"matplotlib|pyplot|Tcl|display|DISPLAY|GUI|pyglet|plotly|graphviz|dot\b")
_LONGEST, _LONGEST_NAME, _MOST = 20_000, 1_000, 200  # of what a guest tells, all is kept so far
CODE = "raises"  # a reason that is the code's own, and not that of where it runs


@dataclass(frozen=True, slots=True)
class StatementRun:
    """What came of a statement, as the guest tells it."""

    output: str
    type: str
    warnings: tuple[tuple[str, str], ...]
    error: tuple[str, ...]  # names of its class and of the bases; empty where there is none
    message: str = ""
    missing: str = ""  # the module that an import did not find
    place: str = ""  # the module that raised

    @property
    def failed(self) -> bool:
        return bool(self.error)

    @property
    def told(self) -> str:
        """As an interpreter would show it."""
        return f"{self.error[0]}: {self.message}" if self.error else self.output.rstrip("\n")


@dataclass(frozen=True, slots=True)
class ExampleRun:
    statements: tuple[StatementRun, ...]
    end: str = ""  # "time", "output", "died …"; empty where it came to its end

    def trouble(self, example: DocExample) -> tuple[int, str]:
        """The first statement that fails unexpectedly, and why; -1 and nothing if none does."""
        for at, (run, statement) in enumerate(
            zip(self.statements, example.statements, strict=False)
        ):
            if run.failed and not statement.may_raise:
                return at, reason_of(run)
        if self.end:
            reason = "takes too long" if self.end == "time" else "ends the process"
            return len(self.statements), reason
        return -1, ""


def read_run(told: Mapping[str, Any]) -> ExampleRun:
    """What a guest told, distrusted: anything of another shape is no run."""
    statements = []
    for output, kind, warnings, error, place in told["statements"]:
        bases, message, missing = error or ((), "", "")
        statements.append(
            StatementRun(
                str(output)[:_LONGEST],
                str(kind)[:_LONGEST_NAME],
                tuple(
                    (str(name)[:_LONGEST_NAME], str(text)[:_LONGEST_NAME])
                    for name, text in warnings[:_MOST]
                ),
                tuple(str(base)[:_LONGEST_NAME] for base in bases[:_MOST]),
                str(message)[:_LONGEST_NAME],
                str(missing)[:_LONGEST_NAME],
                str(place or "")[:_LONGEST_NAME],
            )
        )
    return ExampleRun(tuple(statements), str(told["end"]))


def reason_of(run: StatementRun) -> str:
    """Why a statement fails, in the words that are counted."""
    text = f"{' '.join(run.error)} {run.message}"
    if "ModuleNotFoundError" in run.error or (
        "ImportError" in run.error and re.search(r"install|requires|optional", run.message)
    ):
        return "missing dependency" if not _PLOTTING.search(run.message) else "plotting"
    if _NETWORK.search(text):
        return "needs the network"
    if any(name in run.error for name in _FILE):
        return "needs a file"
    if "NameError" in run.error:
        return "undefined name"
    if "SyntaxError" in run.error:
        return "is not Python"
    if "MemoryError" in run.error:
        return "needs more memory"
    if _PLOTTING.search(run.place):
        return "plotting"
    return CODE


@dataclass(frozen=True, slots=True)
class Divergence:
    """A statement that goes another way in the newer release."""

    at: int
    outcome: ExampleOutcome
    before: StatementRun
    after: StatementRun
    warning: str = ""


@dataclass(frozen=True, slots=True)
class ComparedExample:
    divergences: tuple[Divergence, ...]
    statements: int  # that ran in both
    unsteady: int


def compare(
    example: DocExample,
    old: Sequence[ExampleRun],
    new: Sequence[ExampleRun],
    versions: Versions,
    *,
    is_newer: bool = False,
) -> ComparedExample:
    """Statement by statement; several runs of each release must agree with each other.

    ``is_newer``: only the newer release has the example. An error that it shows is then what it
    promises, and another one in the older release is no promise at all.
    """
    found: list[Divergence] = []
    seen = unsteady = 0
    length = min(len(run.statements) for run in (*old, *new))
    for at in range(length):
        before = [run.statements[at] for run in old]
        after = [run.statements[at] for run in new]
        if not (_is_steady(before) and _is_steady(after)):
            unsteady += 1
            if len({run.failed for run in before}) + len({run.failed for run in after}) > 2:  # noqa: PLR2004
                break
            continue
        seen += 1
        here = list(_diverging(at, before[0], after[0], versions, is_newer=is_newer))
        if not example.statements[at].tells_of_itself:
            found += here
        if before[0].failed != after[0].failed:
            break
    return ComparedExample(tuple(found), seen, unsteady)


@dataclass(frozen=True, slots=True)
class Versions:
    old: str
    new: str

    def hidden(self, text: str) -> str:
        """Without a release's own version, which every release changes."""
        for version in (self.old, self.new):
            text = re.sub(rf"(?<![\w.]){re.escape(version)}(?![\w.])", "<version>", text)
        return text


def _is_steady(runs: Sequence[StatementRun]) -> bool:
    first = runs[0]
    return all(
        run.error[:1] == first.error[:1] and normalising.same(run.output, first.output)
        for run in runs[1:]
    )


def _diverging(
    at: int, before: StatementRun, after: StatementRun, versions: Versions, *, is_newer: bool
) -> Iterator[Divergence]:
    if before.failed != after.failed:
        if reason_of(after if after.failed else before) in {CODE, "undefined name"}:
            outcome = ExampleOutcome.FAILS if after.failed else ExampleOutcome.RUNS
            yield Divergence(at, outcome, before, after)
        return
    if before.failed:
        # Messages are reworded all the time; another class is another promise.
        if before.error[0] not in after.error and after.error[0] not in before.error:
            outcome = ExampleOutcome.RUNS if is_newer else ExampleOutcome.DIFFERS
            yield Divergence(at, outcome, before, after)
        return
    fresh = [text for _, text in after.warnings if not _is_told(text, before.warnings)]
    if fresh:
        yield Divergence(at, ExampleOutcome.WARNS, before, after, fresh[0])
    one, other = versions.hidden(before.output), versions.hidden(after.output)
    if normalising.same(one, other) or normalising.is_prose(other):
        return
    spelled = _last(before.type) == _last(after.type) and normalising.same_but_spelled(one, other)
    yield Divergence(
        at, ExampleOutcome.SPELLED if spelled else ExampleOutcome.DIFFERS, before, after
    )


def _last(path: str) -> str:
    return path.rpartition(".")[2].rstrip("_")  # `bool_` is the same class as `bool`


def _is_told(text: str, warnings: Sequence[tuple[str, str]]) -> bool:
    """Whether the older release warned of the same: messages are reworded, too."""
    words = set(re.findall(r"\w{4,}", text.lower()))
    for _, known in warnings:
        others = set(re.findall(r"\w{4,}", known.lower()))
        if len(words & others) * 2 >= len(words | others):
            return True
    return False
