from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tests.build.live.small import evidence


def test_what_families_share_is_worked_out_once() -> None:
    seen = evidence()
    runs: list[str] = []

    def make(left_out: Counter[str]) -> Iterator[str]:
        runs.append("made")
        left_out["too long"] += 2
        yield "a"

    for _ in range(2):
        reasons: Counter[str] = Counter({"too long": 1})
        assert seen.once("texts", make, reasons) == ("a",)
        assert reasons == {"too long": 3}
    assert runs == ["made"]
    assert evidence().once("texts", make, Counter()) == ("a",)
    assert len(runs) == 2
