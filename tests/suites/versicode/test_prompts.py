from __future__ import annotations

from typing import Any

import pytest

from libdrift.records import Task
from libdrift.suites.finding import Oddities
from libdrift.suites.versicode.items import task_of
from libdrift.suites.versicode.prompts import prompt
from tests.suites.versicode.small import ALL, BACK, BLOCK, LINE, MIGRATION, TOKEN


def task(item: dict[str, Any]) -> Task:
    found = task_of(item, "here", Oddities())
    assert isinstance(found, Task)
    return found


@pytest.mark.parametrize("item", ALL, ids=lambda item: item["id"])
def test_every_prompt_tells_what_it_should(item: dict[str, Any]) -> None:
    asked = task(item)
    told = prompt(asked)
    assert asked.problem in told
    assert f"attrs=={asked.facts.version}" in told
    assert "<start>" in told
    assert "<end>" in told
    assert "Python" in told
    assert "$" not in told, "nothing is left to fill in"
    assert asked.starter.rstrip("\n") in told
    hidden = prompt(asked, version=False)
    assert asked.facts.version not in hidden
    assert "attrs" in hidden
    assert hidden != told


@pytest.mark.parametrize("item", [TOKEN, LINE, MIGRATION, BACK], ids=lambda item: item["id"])
def test_the_code_with_and_without_its_imports(item: dict[str, Any]) -> None:
    statement = task(item).starter.split("\n")[0]
    assert statement.startswith("import ")
    assert statement in prompt(task(item))
    bare = prompt(task(item), imports=False)
    assert statement + "\n" not in bare
    assert "class Point" in bare


def test_a_block_starts_with_imports_that_give_nothing_away() -> None:
    code = "import attrs\nfrom attrs import define\n\n\n@define\nclass Point: ...\n"
    asked = task({**BLOCK, "code": code})
    told = prompt(asked)
    assert "\nThe program starts with:\nimport attrs\nAnswer:" in told
    assert "define" not in told
    assert "starts with" not in prompt(asked, imports=False)
    alone = task({**BLOCK, "code": "from attrs import define\n"})
    assert prompt(alone) == prompt(alone, imports=False)


def test_a_migration_says_from_where_to_where() -> None:
    there, back = prompt(task(MIGRATION)), prompt(task(BACK))
    assert "Written for:\nattrs==20.3.0\n" in there
    assert "Rewrite it for:\nattrs==22.0.0\n" in there
    assert "Written for:\nattrs==22.0.0\n" in back
    assert "attrs.field" not in there
    assert "Rewrite it for:\nattrs, a newer version\n" in prompt(task(MIGRATION), version=False)
    assert "Rewrite it for:\nattrs, an older version\n" in prompt(task(BACK), version=False)


def test_a_range_keeps_its_operator() -> None:
    assert "\nattrs>=21.3\n" in prompt(task({**TOKEN, "version": ">=21.3"}))


@pytest.mark.parametrize(
    ("language", "name", "example"),
    [
        ("java", "Java", "ObjectMapper"),
        ("c#", "C#", "JsonSerializer"),
        ("js", "JavaScript", "JSON.parse"),
    ],
)
def test_other_languages(language: str, name: str, example: str) -> None:
    told = prompt(task({**BLOCK, "language": language}))
    assert f"a piece of {name} code" in told
    assert example in told


def test_what_a_description_says_is_no_template() -> None:
    assert "costs $5 and ${x}" in prompt(task({**TOKEN, "description": "costs $5 and ${x}"}))
