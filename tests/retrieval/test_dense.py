from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from libdrift.errors import InfrastructureError
from libdrift.retrieval.dense import Embedder, fused, nearest, vectors

TEXTS = [f"text {at}" for at in range(200)]


class Model:
    """Gives two numbers a text, and breaks after so many batches."""

    def __init__(self, batches: int = 100) -> None:
        self.left = batches
        self.asked: list[str] = []

    def __call__(self, texts: Sequence[str]) -> list[list[float]]:
        if not self.left:
            raise ConnectionError("gone")
        self.left -= 1
        self.asked += texts
        return [[1.0, float(text.split()[1])] for text in texts]


def test_vectors_are_made_once_and_go_on_after_a_failure(tmp_path: Path) -> None:
    first, second, third = Model(2), Model(), Model(0)
    with pytest.raises(ConnectionError):
        vectors(Embedder("m", first), TEXTS, tmp_path, "key")
    found = vectors(Embedder("m", second), TEXTS, tmp_path, "key")
    assert first.asked + second.asked == TEXTS
    assert (vectors(Embedder("m", third), TEXTS, tmp_path, "key") == found).all()
    assert found.shape == (200, 2)
    assert float((found[7] ** 2).sum()) == pytest.approx(1)
    other = Model()
    vectors(Embedder("another", other), TEXTS[:1], tmp_path, "key")
    vectors(Embedder("m", other), TEXTS[:1], tmp_path, "another key")
    assert len(other.asked) == 2


@pytest.mark.parametrize(
    ("answer", "match"),
    [
        ([[1.0]], "1 vectors for 2 texts"),
        ([[1.0], [float("nan")]], "did not return vectors"),
        ([[], []], "did not return vectors"),
        ([[1.0], [1.0, 2.0]], "several lengths"),
    ],
)
def test_what_is_no_vector_is_refused(
    tmp_path: Path, answer: list[list[float]], match: str
) -> None:
    with pytest.raises(InfrastructureError, match=match):
        vectors(Embedder("m", lambda _: answer), ["a", "b"], tmp_path, "key")
    good = vectors(Embedder("m", lambda _: [[1.0], [0.0]]), ["a", "b"], tmp_path, "key")
    assert good.tolist() == [[1.0], [0.0]]  # nothing of it was kept; and zeros do no harm


def test_the_nearest_by_angle(tmp_path: Path) -> None:
    embedder = Embedder("m", Model())
    known = vectors(embedder, TEXTS, tmp_path, "key")
    assert [at for at, _ in nearest(embedder, "text 0", known, 2)] == [0, 1]
    assert nearest(embedder, "text 0", known[:0], 2) == []
    with pytest.raises(InfrastructureError, match="3 numbers"):
        nearest(Embedder("m", lambda _: [[1.0, 2.0, 3.0]]), "x", known, 2)


def test_a_place_that_cannot_be_written_to(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InfrastructureError, match="cannot be stored"):
        vectors(Embedder("m", Model()), TEXTS, tmp_path / "file", "key")


def test_fusion_prefers_what_is_far_up_in_both() -> None:
    ranked = fused([(1, 9.0), (2, 8.0)], [(3, 0.9), (2, 0.8)])
    assert [number for number, _ in ranked] == [2, 1, 3]
    assert fused([], []) == []
