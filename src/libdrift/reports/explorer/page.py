"""One file that is the whole explorer: no network, no server, and no script but its own."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from libdrift.reports.explorer.columns import PageNumbers
from libdrift.reports.explorer.texts import RunTexts

# In the order in which a browser reads them.
_SCRIPTS = "elements statistics data charts overview compare answers task main".split()
_LIMITS = (20_000, 5_000, 1_500, 400)  # characters of a text, until the page is small enough
_LARGEST = 18_000_000  # bytes


@dataclass(frozen=True, slots=True)
class WrittenPage:
    html: str
    answers: int
    limit: int  # characters of a text
    cut: int  # texts that are longer


@dataclass(frozen=True, slots=True)
class PageShell:
    """The page without what it is about, and what it may do."""

    html: str
    policy: str


def page_of(title: str, numbers: PageNumbers, texts: Sequence[RunTexts]) -> WrittenPage:
    """A page with all numbers, and with texts as long as it has room for."""
    packed = _packed(numbers.content)
    for one in texts:
        one.refresh()
    for limit in _LIMITS:
        found = _texts(numbers, texts, limit)
        words = _packed(found)
        if len(packed) + len(words) <= _LARGEST:
            break
    html = _render(
        title=title,
        policy=_policy(),
        served=False,
        numbers=packed,
        texts=words,
        runs=_without_script(numbers.content),
    )
    return WrittenPage(html, len(numbers.places), limit, _cuts(found))


def shell(title: str) -> PageShell:
    """The page of a server, which is asked for numbers and texts."""
    policy = _policy("connect-src 'self'")
    return PageShell(_render(title=title, policy=policy, served=True), policy)


def _texts(numbers: PageNumbers, texts: Sequence[RunTexts], limit: int) -> dict[str, Any]:
    prompts: dict[str, int] = {}
    kept: list[Any] = []
    answers = []
    owners: dict[tuple[str, str], RunTexts] = {}
    for place in numbers.places:
        run = texts[place.run]
        owners.setdefault((run.run.suite, place.task_id), run)
        answer = run.answer((place.task_id, place.sample), limit)
        prompt = answer.pop("prompt", None)
        if prompt is not None:
            digest = json.dumps(prompt)
            if digest not in prompts:
                prompts[digest] = len(kept)
                kept.append(prompt)
            answer["prompt"] = prompts[digest]
        answers.append(answer)
    tasks = [owners[suite, task_id].task(task_id, limit) for suite, task_id in numbers.tasks]
    return {"tasks": tasks, "prompts": kept, "answers": answers}


def _cuts(texts: Mapping[str, Any]) -> int:
    """How many texts are not whole."""
    parts = [*texts["tasks"], *texts["answers"]]
    parts += [verdict for one in texts["answers"] for verdict in one["verdicts"]]
    parts += [message for prompt in texts["prompts"] for message in prompt]
    return sum(name.endswith("_length") for part in parts for name in part)


def _packed(content: Mapping[str, Any]) -> str:
    """As text that no markup can be in, whatever the content says."""
    return base64.b64encode(packed_json(content)).decode("ascii")


def packed_json(content: Mapping[str, Any]) -> bytes:
    # In ASCII: a model's text may hold what no encoding has.
    return gzip.compress(json.dumps(content, separators=(",", ":")).encode("ascii"), 6, mtime=0)


def _without_script(content: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What a reader without script sees: a line a run."""
    passed = content["outcomes"].index("passed")
    runs = content["rows"]["run"]
    outcomes = content["rows"]["outcome"]
    return [
        {
            **run,
            "answers": runs.count(number),
            "passed": sum(
                one == number and outcome == passed
                for one, outcome in zip(runs, outcomes, strict=True)
            ),
        }
        for number, run in enumerate(content["runs"])
    ]


@cache
def _asset(name: str) -> str:
    return (files(__package__) / "assets" / name).read_text(encoding="utf-8")


@cache
def _script() -> str:
    parts = "\n".join(_asset(f"{name}.js") for name in _SCRIPTS)
    return f'(() => {{\n"use strict";\n{parts}\n}})();'


def _policy(*more: str) -> str:
    """Only this script and this style; nothing else is loaded, sent, framed or evaluated."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {_hash(_script())}",
            f"style-src {_hash(_asset('page.css'))}",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
            *more,
        )
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def _render(**values: Any) -> str:  # noqa: ANN401  (what the template names)
    from jinja2 import Environment, StrictUndefined

    # Everything is escaped but our own script and style, whose hashes the policy names.
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    template = environment.from_string(_asset("page.html.j2"))
    filled = {"numbers": "", "texts": "", "runs": (), **values}
    return template.render(style=_asset("page.css"), script=_script(), **filled)
