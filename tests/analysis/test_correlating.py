from __future__ import annotations

from pathlib import Path

import pytest
from scipy import stats

from libdrift.analysis.correlating import correlate_runs, place_of, read_leaderboard
from libdrift.errors import UserError
from libdrift.metrics.correlation import pearson, spearman
from libdrift.records import Observation, Outcome
from tests.analysis.runs import observed_run, outcomes, row

FIRST, SECOND = [1.0, 2.0, 3.0, 4.0, 6.0], [1.0, 3.0, 2.0, 5.0, 5.5]


def test_pearsons_interval_is_scipys() -> None:
    found = pearson(FIRST, SECOND)
    assert found is not None
    expected = stats.pearsonr(FIRST, SECOND).confidence_interval()
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


def test_ranks_are_less_sure_and_three_points_say_nothing() -> None:
    ranked, plain = spearman(FIRST, SECOND), pearson(FIRST, SECOND)
    assert ranked is not None
    assert plain is not None
    assert ranked.low is not None
    assert ranked.high is not None
    assert ranked.low < ranked.value < ranked.high
    few = pearson(FIRST[:3], SECOND[:3])
    assert few is not None
    assert (few.low, few.high) == (None, None)


def test_metrics_over_the_tasks_of_a_run() -> None:
    rows = [
        Observation(
            "r", str(at), 0, Outcome.PASSED, {}, {"hidden": float(at % 2), "api_hit_rate": float(at % 2)}
        )
        for at in range(8)
    ]  # fmt: skip
    (found,) = correlate_runs([observed_run(rows)]).within
    assert (found.first, found.second, found.n) == ("hidden", "api_hit_rate", 8)
    assert found.pearson is not None
    assert found.pearson.value == pytest.approx(1)


def test_a_leaderboard_of_models(tmp_path: Path) -> None:
    path = tmp_path / "board.csv"
    path.write_text("\ufeffmodel,score\nGPT-x,30%\nother/m2,20\n\nr3,10\nnobody,5\n")
    board = read_leaderboard(path)
    assert board == {"gpt-x": 30.0, "other/m2": 20.0, "r3": 10.0, "nobody": 5.0}
    runs = [
        observed_run([row("a", 1.0), row("b", 1.0)], "r1", model="openai/gpt-x"),
        observed_run([row("a", 1.0), row("b", 0.0)], "r2", model="other/m2"),
        outcomes("r3", {"a": [0], "b": [0]}),
        outcomes("r4", {"a": [0], "b": [0]}),
    ]
    assert [place_of(run, board) for run in runs] == [30.0, 20.0, 10.0, None]
    found = correlate_runs(runs, board)
    (one,) = found.leaderboard
    assert (one.first, one.second, one.n) == ("hidden", "leaderboard", 3)
    assert one.pearson is not None
    assert one.pearson.value == pytest.approx(1)
    assert found.unmatched == ("r4",)
    with pytest.raises(UserError, match="no run is on the leaderboard"):
        correlate_runs([runs[3]], board)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no row"),
        ("name,value\n", "has no row"),
        ("a,1\nb,two\n", "row 2 is not name,value"),
    ],
)
def test_no_leaderboard(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "board.csv").write_text(text)
    with pytest.raises(UserError, match=message):
        read_leaderboard(tmp_path / "board.csv")
    with pytest.raises(UserError, match="cannot read"):
        read_leaderboard(tmp_path / "nowhere.csv")


def test_a_leaderboard_without_end(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="/dev/zero has over 16 MB"):
        read_leaderboard(Path("/dev/zero"))
