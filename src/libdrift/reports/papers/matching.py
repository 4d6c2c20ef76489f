"""Whose answers a run has, and how they were asked for: what puts it into a paper's cell."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import PurePath
from typing import Any

from libdrift.analysis.observing import ObservedRun
from libdrift.reports.papers.layout import Setting

# Options that make no other experiment of a run: how long, how often, by which tool.
_FREE = frozenset(
    "strategy samples seed max_tokens temperature top_p prompt_limit structured system rounds "
    "retriever embedder family steps tokens seconds command allow docs_folder prompts search mcp "
    "planning corpus optimizer".split()
)
# What files of recorded answers are called by, in front of or behind the model's name.
_STRATEGIES = (
    ("self-debug", r"self[-_ ]?debug(?:ging|ged)?"),
    ("cot", r"(?:zero[-_ ]?shot[-_ ]?)?(?:cot|chain[-_ ]of[-_ ]thoughts?)"),
    ("rag", r"rag|retrieval"),
    ("sek", r"sek"),
    ("agent", r"(?:multi[-_ ]?step[-_ ]?)?agent"),
    ("assistant", r"assistant"),
    ("sample", r"sampl(?:e|es|ing)|temperature"),
    ("optimize", r"optimi[sz]ed?|prompt[-_ ]?opt(?:imi[sz]ation)?"),
    ("repair", r"repair(?:ed)?|lint(?:ed)?"),
    ("api-info", r"api[-_ ]?info"),
    ("no-info", r"no[-_ ]?info"),
    ("greedy", r"greedy|vanilla|baseline"),
)
_EDGES = r"(?<![a-z0-9])(?:{})(?![a-z0-9])"
_WORDS = [(name, re.compile(_EDGES.format(words), re.IGNORECASE)) for name, words in _STRATEGIES]
# Options that such names tell of, too.
_OPTIONS: tuple[tuple[str, re.Pattern[str], Callable[[str], Any]], ...] = tuple(
    (name, re.compile(_EDGES.format(words), re.IGNORECASE), read)
    for name, words, read in (
        ("documents", r"(?:k|top)[-_= ]?(\d{1,2})", int),
        ("problem", r"no[-_ ]?prob(?:lem)?()", bool),
        ("execute", r"no[-_ ]?sandbox()", bool),
        ("version", r"no[-_ ]?version()", bool),
        ("imports", r"no[-_ ]?imports?()", bool),
        ("context", r"(in[-_ ]?file)", lambda _: "in-file"),
        ("context", r"(version[-_ ](?:aware[-_ ])?rag)", lambda _: "version-rag"),
    )
)
# Words that say nothing of whose answers a file holds.
_PLAIN = re.compile(
    _EDGES.format(
        r"answers?|outputs?|solutions?|results?|predictions?|generations?|hidden|visible|tests?"
        r"|eval(?:uation)?"
    ),
    re.IGNORECASE,
)


@dataclass(frozen=True)
class AskedRun:
    """A run, with whose answers they are and how they were asked for."""

    run: ObservedRun
    model: str
    strategy: str
    options: Mapping[str, Any]
    recorded: bool = False  # the answers came as a file: its name is all that is known

    @property
    def short(self) -> str:
        """The model's name without who provides it, which a figure has no room for."""
        return self.model.rpartition("/")[2] or self.model

    def fits(self, setting: Setting, any_of: Sequence[str] = ()) -> bool:
        """Whether a column of this setting may show the run; some options may have any value."""
        if self.strategy not in {setting.strategy, *setting.also}:
            return False
        plain = _defaults()
        changed = {
            name
            for name, value in self.options.items()
            if name not in _FREE and name in plain and value != plain[name]
        }
        if changed - {*setting.options, *any_of}:
            return False
        return all(
            self.options.get(name, plain.get(name)) == value
            for name, value in setting.options.items()
        )


def asked_of(run: ObservedRun) -> AskedRun:
    """From what the run recorded: a model's answers, or a file's whose name tells."""
    about = run.description
    ways = dict(about.get("ways") or {})
    if about.get("model"):
        strategy = str(ways.get("strategy") or "greedy")
        return AskedRun(run, str(about["model"]), strategy, ways)
    path = PurePath(str((about.get("answers") or {}).get("path") or run.name))
    model, strategy, found = named_by(path)
    return AskedRun(run, model or run.name, strategy, found, recorded=True)


def named_by(path: PurePath) -> tuple[str, str, dict[str, Any]]:
    """Model, strategy and options by the name of a file of answers.

    Where that name is plain, such as ``answers.jsonl``, its folder's name tells the model.
    """
    strategy, options = "", dict[str, Any]()
    for part in (_stem(path), path.parent.name):
        rest = part
        for name, words, read in _OPTIONS:
            if (said := words.search(rest)) is not None:
                options.setdefault(name, read(said[1]))
                rest = words.sub(" ", rest)
        for name, words in _WORDS:
            if words.search(rest):
                strategy = strategy or name
                rest = words.sub(" ", rest)
        rest = _PLAIN.sub(" ", rest)
        if re.search(r"[a-z]", rest, re.IGNORECASE):
            model = re.sub(r"[_=.-]*\s[\s_=.-]*", "-", rest).strip("-_.= ")
            return model, strategy or _usual_strategy(options), options
    return "", strategy or _usual_strategy(options), options


def _usual_strategy(options: Mapping[str, Any]) -> str:
    """What answers were asked by, if nothing says so: only assistants may not know the problem."""
    return "assistant" if "problem" in options else "greedy"


def _stem(path: PurePath) -> str:
    name = path.name
    for ending in (".gz", ".jsonl", ".json", ".zip"):
        name = name.removesuffix(ending)
    return name


RowKey = tuple[str, ...]


def row_key(run: AskedRun, names: Sequence[str] = ()) -> RowKey:
    """What tells rows apart: the model, however it is spelled, and options of some tables."""
    model = re.sub(r"[^a-z0-9]+", "", run.model.rpartition("/")[2].casefold())
    return (model or run.model, *(str(run.options.get(name, "")) for name in names))


def row_label(run: AskedRun, names: Sequence[str] = ()) -> str:
    values = (str(run.options.get(name, "")) for name in names)
    return ", ".join(filter(None, (run.model, *values)))


def chosen(
    runs: Iterable[AskedRun], setting: Setting, names: Sequence[str] = ()
) -> tuple[dict[RowKey, AskedRun], list[str]]:
    """By row the run that fits a setting; of several the one with most answers, which is said.

    ``names`` are options that tell rows of one model apart, and so may have any value.
    """
    found: dict[RowKey, AskedRun] = {}
    notes = []
    for run in runs:
        if not run.fits(setting, names):
            continue
        key = row_key(run, names)
        other = found.setdefault(key, run)
        if other is run:
            continue
        kept, left = (run, other) if _size(run) >= _size(other) else (other, run)
        found[key] = kept
        notes.append(f"{run.model}, {setting.title}: {kept.run.name} is shown, not {left.run.name}")
    return found, notes


def _size(run: AskedRun) -> int:
    return len(run.run.observations)


@cache
def _defaults() -> Mapping[str, Any]:
    from libdrift.evals.options import EvalOptions

    return asdict(EvalOptions())
