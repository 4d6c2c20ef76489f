"""Documents in a prompt: before the problem, or as a comment before code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from libdrift.evals import prompts
from libdrift.evals.costs import tokens
from libdrift.evals.prompts import Prompt
from libdrift.retrieval.documents import Document
from libdrift.suites.libevolutioneval.documents import PublishedDocument


def with_documents(
    plain: Prompt, documents: Sequence[Document], limit: int | None = None
) -> Prompt:
    """A prompt with documents before it: the first ones, as far as its limit of tokens goes."""
    kept = documents if limit is None else _fitting(plain, documents, limit)
    if not kept:
        return replace(plain, cut=plain.cut or bool(documents))
    told = prompts.text("rag", documents="\n\n".join(_shown(item) for item in kept))
    return replace(plain, user=f"{told}\n{plain.user}", cut=plain.cut or len(kept) < len(documents))


def in_a_comment(found: Document) -> PublishedDocument:
    """A document as a comment before code has it: the call, and what it does in a line."""
    _, _, rest = found.text.partition("\n")
    signature = found.header.partition(": ")[2]
    return PublishedDocument(found.path, signature, rest.strip())


def _fitting(plain: Prompt, documents: Sequence[Document], limit: int) -> Sequence[Document]:
    left = limit - tokens(plain.system) - tokens(plain.user)
    kept = []
    for item in documents:
        left -= tokens(_shown(item))
        if left < 0:
            break
        kept.append(item)
    return kept


def _shown(document: Document) -> str:
    return f"--- {document.text}"
