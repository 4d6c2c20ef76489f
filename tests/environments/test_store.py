"""Environments that are dropped by their keys."""

from __future__ import annotations

import pytest

from libdrift.config import Settings
from libdrift.environments import drop_named, entries, named, recipe_for
from libdrift.errors import UserError
from tests.environments.stored import env, keep


def test_one_is_dropped_by_the_beginning_of_its_key(empty_settings: Settings) -> None:
    first, second = env("a==1"), env("b==1")
    for one in (first, second):
        keep(one, empty_settings, 1, 1.0)
    key = recipe_for(first).key
    assert drop_named(empty_settings, key[:8]).key == key
    assert [entry.requirements for entry in entries(empty_settings)] == [("b==1",)]


@pytest.mark.parametrize(("key", "words"), [("", "no environment"), ("nope", "no environment")])
def test_nothing_is_dropped_by_mistake(key: str, words: str, empty_settings: Settings) -> None:
    keep(env("a==1"), empty_settings, 1, 1.0)
    with pytest.raises(UserError, match=words):
        drop_named(empty_settings, key)
    assert len(entries(empty_settings)) == 1


def test_a_key_that_is_not_one_is_refused(empty_settings: Settings) -> None:
    for number in range(17):  # by then, two keys begin alike
        keep(env(f"a=={number}"), empty_settings, 1, 1.0)
    keys = [entry.key[0] for entry in entries(empty_settings)]
    twice = next(key for key in keys if keys.count(key) > 1)
    with pytest.raises(UserError, match="Give more characters of the key"):
        named(empty_settings, twice)
