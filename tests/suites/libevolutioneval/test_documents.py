from __future__ import annotations

import pytest

from libdrift.suites.libevolutioneval.documents import PublishedDocument, described


@pytest.mark.parametrize(
    ("document", "text"),
    [
        (PublishedDocument("attrs.x", "attrs.x"), "attrs.x"),
        (
            PublishedDocument(
                "attrs.setters.frozen",
                "attrs.setters.frozen(instance, attribute) -> None",
                "Forbid changes.\nSince 20.1.",
                ("instance", "attribute"),
                "frozen(a, b)",
            ),
            "attrs.setters.frozen(instance, attribute) -> None\n"
            "Forbid changes.\n"
            "Parameters: instance, attribute\n"
            "Example:\n"
            "    frozen(a, b)",
        ),
    ],
)
def test_a_document_as_a_prompt_has_it(document: PublishedDocument, text: str) -> None:
    assert described(document) == text
