from __future__ import annotations

import pytest

from libdrift.errors import UserError
from libdrift.suites.libevolutioneval.styles import FAMILIES, sentinels


@pytest.mark.parametrize(
    ("family", "asked"),
    [
        ("starcoder2", "<fim_prefix>A<fim_suffix>B<fim_middle>"),
        ("bigcode/starcoder2-3b", "<fim_prefix>A<fim_suffix>B<fim_middle>"),
        ("granite", "<fim_prefix>A<fim_suffix>B<fim_middle>"),
        ("stable_code", "<fim_prefix>A<fim_suffix>B<fim_middle>"),
        ("santacoder", "<fim-prefix>A<fim-suffix>B<fim-middle>"),
        ("CodeLlama-7b", "<PRE> A <SUF>B <MID>"),
        ("deepseek-coder-6.7b-base", "<｜fim▁begin｜>A<｜fim▁hole｜>B<｜fim▁end｜>"),
        ("Qwen/Qwen2.5-Coder-7B", "<|fim_prefix|>A<|fim_suffix|>B<|fim_middle|>"),
        ("codegemma", "<|fim_prefix|>A<|fim_suffix|>B<|fim_middle|>"),
        ("codestral", "[SUFFIX]B[PREFIX]A"),
        ("mistral", "[SUFFIX]B[PREFIX]A"),
    ],
)
def test_marks_of_a_family(family: str, asked: str) -> None:
    assert sentinels(family).around("A", "B") == asked


def test_every_family_ends_its_answers() -> None:
    for family, marks in FAMILIES.items():
        assert marks.stop, family
        assert sentinels(family) is marks


@pytest.mark.parametrize("family", [None, "", "gpt-4o"])
def test_an_unknown_family(family: str | None) -> None:
    with pytest.raises(UserError, match="fill-in-the-middle is not possible") as caught:
        sentinels(family)
    assert "starcoder2" in caught.value.fix
