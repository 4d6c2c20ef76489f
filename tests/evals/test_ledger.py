from __future__ import annotations

from pathlib import Path

import pytest

from libdrift.errors import InfrastructureError
from libdrift.evals.ledger import FILE, Ledger, Line
from libdrift.evals.troubles import ProviderTrouble, Trouble


def filled(folder: Path, count: int) -> Ledger:
    ledger = Ledger(folder)
    ledger.open(lambda _: True)
    for number in range(count):
        ledger.add_prompt("p", [{"role": "user", "content": "ask"}])
        ledger.add(
            Line(
                prompt="p",
                key=f"k{number}",
                task_id=f"t{number}",
                output={"n": number},
                tokens_in=10,
                cost=0.5,
            )
        )
    return ledger


def test_what_was_answered_is_found_by_another_session(tmp_path: Path) -> None:
    filled(tmp_path, 3).close(retries=2)
    again = Ledger(tmp_path)
    again.open(lambda line: line.task_id != "t1")
    assert again.find("k2") == {"n": 2}
    assert again.find("k1") is None  # not wanted, so not kept in mind
    assert (again.totals.calls, again.totals.tokens_in, again.totals.cost) == (3, 30, 1.5)
    assert again.totals.retries == 2
    assert again.reused == 1
    again.close()


def test_a_torn_line_costs_that_line_alone(tmp_path: Path) -> None:
    filled(tmp_path, 2).close()
    path = tmp_path / FILE
    path.write_bytes(path.read_bytes()[:-9])
    again = Ledger(tmp_path)
    again.open(lambda _: True)
    assert (again.find("k0"), again.find("k1")) == ({"n": 0}, None)
    again.close()


@pytest.mark.parametrize(
    "line", [b'{"cost": "much"}', b"\xff", b'{"more": ' + b"[" * 9999 + b"]" * 9999 + b"}"]
)
def test_what_is_no_call_is_left_out_and_the_rest_kept(tmp_path: Path, line: bytes) -> None:
    filled(tmp_path, 1).close()
    path = tmp_path / FILE
    path.write_bytes(line + b"\n" + path.read_bytes())
    again = Ledger(tmp_path)
    again.open(lambda _: True)
    assert again.find("k0") == {"n": 0}
    again.close()


def test_a_prompt_is_kept_once_however_often_it_is_asked(tmp_path: Path) -> None:
    filled(tmp_path, 5).close()
    text = (tmp_path / FILE).read_text()
    assert text.count('"messages"') == 1


def test_trouble_is_counted_by_kind_and_answers_nothing(tmp_path: Path) -> None:
    ledger = filled(tmp_path, 1)
    ledger.trouble("t9", 0, "p", Trouble(ProviderTrouble.RATE, "slow down"))
    ledger.trouble("t9", 0, "p", Trouble(ProviderTrouble.RATE, "slower"))
    ledger.trouble("t8", 0, "p", Trouble(ProviderTrouble.RATE, "no"))
    told = ledger.totals.open_troubles(lambda place: place[0] == "t9")
    assert told == {"rate limit": {"count": 1, "last": "slower"}}
    assert ledger.totals.calls == 1
    ledger.add(Line(key="k", task_id="t9", output={}))
    assert ledger.totals.open_troubles(lambda place: place[0] == "t9") == {}
    ledger.close()


def test_halves_of_pairs_are_kept_as_json_can(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    ledger.open(lambda _: True)
    ledger.add_prompt("p", [{"role": "user", "content": "\ud800"}])
    ledger.close()
    again = Ledger(tmp_path)
    again.open(lambda _: True)
    again.close()
    assert '"content": "?"' in (tmp_path / FILE).read_text()


def test_without_a_folder_calls_are_counted_only() -> None:
    ledger = Ledger(None)
    ledger.open(lambda _: True)
    ledger.add(Line(key="k", output={}, tokens_out=3))
    assert (ledger.totals.tokens_out, ledger.find("k")) == (3, None)


def test_a_full_disk_is_said_with_its_remedy_whenever_it_shows(tmp_path: Path) -> None:
    (tmp_path / FILE).symlink_to("/dev/full")
    ledger = Ledger(tmp_path)
    ledger.open(lambda _: True)
    for act in (lambda: ledger.add(Line(key="a")), ledger.close):
        with pytest.raises(InfrastructureError, match=r"No space left .* kept\. Free some space"):
            act()
    ledger.close()
