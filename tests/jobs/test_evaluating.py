"""Names of runs."""

from __future__ import annotations

import pytest

from libdrift.jobs.evaluating import model_label


@pytest.mark.parametrize(
    ("model", "label"),
    [
        ("smollm2", "smollm2"),
        ("openai/gpt-4o-mini", "openai-gpt-4o-mini"),
        ("ollama/llama3:8b", "ollama-llama3-8b"),
        ("replay//somewhere/deep/runs/gitchameleon-gpt/", "replay-gitchameleon-gpt"),
        ("scripted/models/big.py", "scripted-big.py"),
        (
            "together/meta-llama/Meta-Llama-3.1-405B-Instruct-Turbo",
            "llama-Meta-Llama-3.1-405B-Instruct-Turbo",
        ),
        ("openai/" + "x" * 60, "x" * 40),
    ],
)
def test_a_model_in_a_folders_name(model: str, label: str) -> None:
    assert model_label(model) == label
