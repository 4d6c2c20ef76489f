"""What is known of the API at stake, told (``api-info``) or not (``no-info``), as RustEvo² does.

There each task has a record of one API: its name, the kind of its change, its signature and its
documentation. Here it is a benchmark's own record where it has one, else what the mined history
has: of exactly the task's release, or, where that does not have it, what became of it. Releases
that are not mined yet are mined first. Both ask as ``greedy`` does: runs differ in nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from inspect_ai.model import ModelOutput

from libdrift.errors import LibdriftError, UserError
from libdrift.evals import prompts
from libdrift.evals.asking import Asker
from libdrift.evals.options import EvalOptions
from libdrift.evals.plain_prompts import is_about
from libdrift.evals.prompts import Prompt
from libdrift.evals.strategies.base import StrategyAnswer
from libdrift.evals.strategies.greedy import Greedy
from libdrift.evals.strategy_context import StrategyContext
from libdrift.history import versions
from libdrift.history.questions import Life, document, life
from libdrift.history.spelling import dotted
from libdrift.history.store import Store
from libdrift.records import Task
from libdrift.retrieval.documents import described, shortened
from libdrift.retrieval.mined import namesakes
from libdrift.retrieval.releases import release_of

_REMEMBERED = 4096  # APIs: many tasks are about one


@dataclass(frozen=True, slots=True)
class ApiInformation:
    """What there is to tell of an API: where that is from, and why, if it is from nowhere."""

    source: str = "none"  # record, document, history
    text: str = ""
    why: str = ""


class NoInfo(Greedy):
    """The task alone."""

    about = "The problem alone, for comparison with api-info."


class ApiInfo(Greedy):
    about = "The problem, with information on its API at the task's version."

    def __init__(self, room: StrategyContext) -> None:
        super().__init__(room)
        self._mined = lru_cache(_REMEMBERED)(self._look_up)

    @classmethod
    def unfit(cls, task: Task, ways: EvalOptions) -> str:
        del ways
        return "its information is what they ask for" if is_about(task) else ""

    async def prepare(self, asker: Asker) -> None:
        tasks = self.room.suite.tasks.values()
        await self.room.shelf.mine(
            task for task in tasks if task.facts.symbol and not _recorded(task)
        )
        self._mined.cache_clear()
        await super().prepare(asker)

    def opening(self, task: Task) -> Prompt:
        plain = super().opening(task)
        known = "\n".join([*self._headlines(task), *filter(None, [self.found(task).text])])
        if not known:
            return plain
        return replace(plain, user=f"{prompts.text('api_info', known=known)}\n{plain.user}")

    def read(self, task: Task, prompt: Prompt, output: ModelOutput) -> StrategyAnswer:
        answer = super().read(task, prompt, output)
        found = self.found(task)
        why = {"api_info_why": found.why} if found.why else {}
        return replace(answer, notes={**answer.notes, "api_info": found.source, **why})

    def found(self, task: Task) -> ApiInformation:
        """Signature and documentation of the API that a task is about, if they can be had."""
        recorded = _recorded(task)
        if recorded:
            return ApiInformation("record", recorded)
        symbol = (task.facts.symbol or "").partition("(")[0].strip()
        if not symbol:
            return ApiInformation(why="the task names no API")
        return self._mined(symbol, *release_of(task))

    def _headlines(self, task: Task) -> list[str]:
        facts = task.facts
        change = facts.change.value if facts.change else facts.category
        since = f", in {facts.library} {facts.changed_in}" if facts.changed_in else ""
        lines = [f"Name: {facts.symbol}"] if facts.symbol else []
        if change:
            lines.append(f"Change: {change}{since if self.ways.version else ''}")
        return lines

    def _look_up(self, symbol: str, library: str, version: str) -> ApiInformation:
        try:
            with Store.open(self.room.settings.history, readonly=True) as store:
                paths = _paths(store, library, version, symbol)
                if len(paths) == 1:
                    return self._described(store, paths[0], library, version)
                count = f"{len(paths)} things" if paths else "nothing"
                return ApiInformation(why=f"{library} {version} has {count} called {symbol}")
        except LibdriftError as error:
            return ApiInformation(why=error.message)
        except UnicodeEncodeError:
            return ApiInformation(why="its name is no text that could be looked up")

    def _described(self, store: Store, path: str, library: str, version: str) -> ApiInformation:
        told = self.ways.version
        lived = life(store, path)
        if store.number(lived.package) != store.number(library):
            return ApiInformation(why=f"{path} is of {lived.package}, not of {library}")
        store.place(library, version)  # a release that is not mined is said to be that
        try:
            held = document(store, path, version)
        except UserError as error:
            gone = _fate(lived, version, told=told)
            return ApiInformation("history", gone) if gone else ApiInformation(why=error.message)
        text = described(held.package, held.version, path, held.symbol)
        head = f"{held.package} {held.version}: "
        return ApiInformation("document", text if told else text.removeprefix(head))


def _paths(store: Store, library: str, version: str, symbol: str) -> list[str]:
    """The symbol, or, where it is a mere name, what the release has under that name."""
    if "." in dotted(symbol) or store.package_of(symbol):
        return [symbol]
    return namesakes(store, library, store.version(library, version), symbol)


def _fate(lived: Life, version: str, *, told: bool) -> str:
    """What became of something that was not found in a release; empty if that is not known."""
    if any(versions.same(version, one) for one in lived.unsure):
        return ""
    here = f"{lived.path} was not found in "
    here += f"{lived.package} {version}" if told else "the installed release"
    at = versions.order(version)
    if at < versions.order(lived.introduced):
        such = f", such as {lived.introduced}" if told else ""
        return f"{here}; it is in later ones{such}."
    if lived.removed is None or at < versions.order(lived.removed):
        return ""
    such = f", such as {lived.definitions[-1].last}" if told else ""
    instead = f" Use {lived.replacement}." if lived.replacement else ""
    return f"{here}; it was in earlier ones{such}.{instead}"


def _recorded(task: Task) -> str:
    """What a benchmark's own record says of its API, as RustEvo²'s do."""
    record = task.source.get("api")
    if not isinstance(record, Mapping):
        return ""
    parts = (str(record.get(name) or "").strip() for name in ("signature", "documentation"))
    return shortened("\n".join(filter(None, parts)))
