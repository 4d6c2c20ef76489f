"""What a library says of its values is its own word: only plain data goes on from there."""

from __future__ import annotations

from typing import cast

import pytest

from libdrift.build.live.measuring import Bench, ProgramTrial
from libdrift.build.live.records import Side
from libdrift.mining.examples.comparing import read_run
from libdrift.mining.examples.extracting import DocExample


class Liar:
    """A bench whose library says one thing of every value."""

    def __init__(self, said: str) -> None:
        self._said = said

    def run(self, asked: object, examples: list[DocExample]) -> object:
        del asked
        row = [f"a word of its own\n{self._said}\n", "", [], None, ""]
        return [{one.key: read_run({"statements": [row] * 3, "end": ""}) for one in examples}]


def told(said: str) -> tuple[str, str]:
    trial = ProgramTrial("def solution(): return 1\n", ("solution()",))
    ((outcome,),) = Bench.measure(cast("Bench", Liar(said)), Side.NEW, [trial])
    return outcome.form, outcome.value


@pytest.mark.parametrize(
    "value", ["1", "-1.5", "[1, (2,)]", "{'a': b'\\x00'}", "'# no comment'", "{1, 2}", "None"]
)
def test_plain_data(value: str) -> None:
    assert told(f"value {value}") == ("value", value)
    assert told(f"list {value}") == ("list", value)


@pytest.mark.parametrize(
    "said",
    [
        "value 1 or True",
        "value __import__('os')",
        "value 1, 2",
        "value 1 # and no more",
        "value 1)+(2j",
        "value 1\rimport os",
        "value 1 if",
        "value {[]: 1}",
        f"value {'-' * 1000}1",
        f"value {'[' * 500}{']' * 500}",
        f"value '{'x' * 2000}'",
        "value '\x1b[31m'",
        "strange 1",
        "none int",
        "value",
        "",
    ],
)
def test_what_is_no_plain_data_is_no_value(said: str) -> None:
    assert told(said) == ("none", "")
