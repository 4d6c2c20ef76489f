from __future__ import annotations

import pytest

from libdrift.errors import UserError
from libdrift.evals.costs import price_of, read_price, tokens


def test_known_models_have_a_price_and_local_ones_none_to_pay() -> None:
    assert price_of("openai/gpt-4o-mini")(1_000_000, 0) == pytest.approx(0.15)
    assert price_of("smollm2")(10**9, 10**9) == 0
    assert price_of("gguf/some/file.gguf")(10**9, 10**9) == 0
    assert price_of("nobody/nothing-7b")(1, 1) is None


def test_a_price_that_is_told_is_per_million() -> None:
    assert read_price("0.5,2")(2_000_000, 1_000_000) == pytest.approx(3.0)


@pytest.mark.parametrize("text", ["", "1", "1,2,3", "a,b", "-1,2"])
def test_what_is_no_price_is_refused(text: str) -> None:
    with pytest.raises(UserError, match="--price"):
        read_price(text)


def test_tokens_are_four_characters() -> None:
    assert [tokens(text) for text in ("", "abc", "abcd", "abcde")] == [0, 1, 1, 2]
