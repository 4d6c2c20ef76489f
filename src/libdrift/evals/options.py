"""How models are asked: everything that makes one run differ from another."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from libdrift.errors import UserError
from libdrift.retrieval.passages import Way
from libdrift.suites.libevolutioneval.contexts import PromptContext


class Docs(StrEnum):
    """Which release the documents of a prompt are of."""

    EXACT = "exact"
    OTHER = "other-version"


class Planning(StrEnum):
    """When an agent plans."""

    ONCE = "once"  # before the first step
    ALTERNATE = "alternate"  # and anew before each further one


class Wording(StrEnum):
    """Whose prompts are asked: ours, or the papers' in form and content."""

    LIBDRIFT = "libdrift"
    PAPER = "paper"


# Options that belong to a strategy or two, which names them: what each is, for whoever lists them.
STRATEGY_OPTIONS = {
    "rounds": "maximum number of rounds of debugging or optimising",
    "documents": "number of documents in a prompt",
    "docs": "release of the documents; other-version is a wrong one",
    "docs_folder": "folder of documents, instead of the mined history",
    "retriever": "how documents are found",
    "embedder": "model for dense retrieval: smollm2, gguf/FILE, or a server as URL#MODEL",
    "context": "context shown with the code",
    "right": "code shown after a gap: few (as published), whole, none, or a number of lines",
    "family": "family of a fill-in-the-middle model: starcoder2, codellama …; by default "
    "from its name",
    "steps": "maximum agent steps",
    "execute": "whether the agent may run programs and visible tests",
    "planning": "when the agent plans: once, or alternate (again before each step)",
    "mcp": "MCP server whose tools the agent may also use, as a command or URL",
    "search": "address of a search that the agent may also use, like https://host/find?q={query}",
    "tokens": "maximum tokens per task",
    "seconds": "maximum seconds per task",
    "command": "command to run, like 'mytool --file {path}'",
    "problem": "whether the assistant sees the problem",
    "corpus": "file of texts for word frequencies: JSON lines, or one text per line; by "
    "default the suite's own problems",
    "optimizer": "model that rewrites the prompt; by default the evaluated model",
    "allow": "folder that the assistant may read and write (repeatable)",
}
# Options that have one of a few values.
CHOICES: dict[str, type[StrEnum]] = {
    "context": PromptContext,
    "retriever": Way,
    "docs": Docs,
    "planning": Planning,
}
SEARCH = ("documents", "docs", "docs_folder", "retriever", "embedder")


def wording(name: str) -> Wording:
    try:
        return Wording(name)
    except ValueError:
        raise UserError(f"--prompts {name}: unknown", f"Known: {', '.join(Wording)}") from None


@dataclass(frozen=True, slots=True)
class EvalOptions:
    """The options of a run; each strategy reads those that it needs. ``None``: its own default."""

    strategy: str = "greedy"
    samples: int = 1
    temperature: float | None = None
    top_p: float | None = None
    seed: int = 0
    max_tokens: int = 2048
    prompt_limit: int | None = None  # tokens of a prompt, roughly; what is far from the gap goes
    structured: bool | None = None  # an answer and an explanation, as JSON; None: where it is had
    version: bool = True  # whether the prompt tells the library's version
    imports: bool = True  # whether code in the prompt keeps its imports
    system: str = ""  # in place of the strategy's own system prompt
    prompts: str = Wording.LIBDRIFT  # whose wording
    rounds: int | None = None  # of debugging (one by default), or of optimising (five)
    # Documents in the prompt.
    documents: int = 3
    docs: str = Docs.EXACT
    docs_folder: str = ""
    retriever: str = Way.BM25
    embedder: str = ""
    # Completions in the middle of code.
    context: str = PromptContext.VERSION
    family: str = ""  # of the model, whose marks stand around a gap
    right: str = "few"  # code behind a gap: few, whole, none, or a number of lines
    # Agents and assistants.
    steps: int = 10
    execute: bool = True  # whether an agent may run programs
    planning: str = Planning.ONCE
    mcp: str = ""  # a server of tools for agents, by its command or address
    search: str = ""  # the address of a search for agents
    corpus: str = ""  # of texts that tell which words are rare
    optimizer: str = ""  # the model that rewrites prompts
    tokens: int = 50_000
    seconds: float = 600.0
    command: str = ""
    problem: bool = True  # whether an assistant is told the problem
    allow: tuple[str, ...] = ()  # folders that an assistant may write to

    def __post_init__(self) -> None:
        for name, known in CHOICES.items():
            if getattr(self, name) not in list(known):
                values = ", ".join(known)
                raise UserError(f"-S {name}={getattr(self, name)}: unknown", f"Known: {values}")

    def to_json(self) -> dict[str, Any]:
        """What differs from the defaults, and the strategy."""
        plain = asdict(EvalOptions())
        mine = asdict(self)
        return {
            name: value
            for name, value in mine.items()
            if value != plain[name] or name in {"strategy", "samples", "seed", "max_tokens"}
        }
