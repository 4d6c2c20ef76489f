"""The documentation of an API, as it stands before the code of a prompt."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PublishedDocument:
    """What is documented of one API."""

    call: str  # torch.nn.ReLU6
    signature: str  # torch.nn.ReLU6(inplace=False)
    description: str = ""
    parameters: tuple[str, ...] = ()  # their names
    example: str = ""


def described(document: PublishedDocument) -> str:
    """The call as one writes it, what it does, its parameters, an example."""
    lines = [document.signature]
    lines += document.description.splitlines()[:1]
    if document.parameters:
        lines.append(f"Parameters: {', '.join(document.parameters)}")
    if document.example:
        lines += ["Example:", *(f"    {line}" for line in document.example.splitlines())]
    return "\n".join(lines)
