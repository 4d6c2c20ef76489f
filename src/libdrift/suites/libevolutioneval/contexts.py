"""What a model is told beside the code: nothing, the version, or the version's documentation."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from libdrift.records import Facts
from libdrift.suites.libevolutioneval.documents import PublishedDocument, described


class PromptContext(StrEnum):
    IN_FILE = "in-file"  # the code alone
    VERSION = "version"
    DOCUMENTS = "version-rag"


def heading(
    facts: Facts, context: PromptContext, documents: Iterable[PublishedDocument] = ()
) -> str:
    """The comment that stands before the code; empty where there is nothing to tell."""
    if context is PromptContext.IN_FILE:
        return ""
    release = f"{facts.library} {facts.version}"
    lines = [f"This code runs with {release}."]
    if context is PromptContext.DOCUMENTS:
        for document in documents:
            lines += ["", *described(document).splitlines()]
        if len(lines) > 1:
            lines.insert(1, f"From the documentation of {release}:")
            lines.append("")
    return "".join(f"# {line}".rstrip() + "\n" for line in lines)
