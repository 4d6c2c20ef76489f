"""GitChameleon 2.0 (arXiv 2507.12367), table by table."""

from __future__ import annotations

from libdrift.reports.papers.layout import (
    MODEL,
    Column,
    Elsewhere,
    FigureKind,
    Paper,
    PaperFigure,
    PaperTable,
    Setting,
    options,
)

GREEDY = Setting("greedy", also=("no-info",))
DEBUG = Setting("self-debug", "self-debug")
COT = Setting("zero-shot CoT", "cot")
SAMPLED = Setting("temperature 0.8", "sample", flags="--samples 10 --temperature 0.8")
SEK = Setting("SEK", "sek")
OPTIMISED = Setting("optimised prompt", "optimize")
RAG_1 = Setting("RAG, k = 1", "rag", options(documents=1), "-S documents=1")
RAG_3 = Setting("RAG, k = 3", "rag", options(documents=3), "-S documents=3")
AGENT = Setting("agent with sandbox", "agent")
AGENT_ALONE = Setting("agent without sandbox", "agent", options(execute=False), "-S execute=false")
NO_PROBLEM = Setting(
    "no problem told", "assistant", options(problem=False),
    "-S command='TOOL {path}' -S problem=false", modelless=True,
)  # fmt: skip
PROBLEM = Setting(
    "problem told", "assistant", options(problem=True), "-S command='TOOL {path}'", modelless=True,
)  # fmt: skip
REPAIRED = Setting("repaired by linters", "repair")

_HIT = "api_hit_rate_released"
_TABLE_1 = (
    Column("hidden", "hidden", GREEDY),
    Column("visible", "visible", GREEDY),
    Column("API hit", _HIT, GREEDY),
    Column("hidden", "hidden", DEBUG),
    Column("visible", "visible", DEBUG),
    Column("API hit", _HIT, DEBUG),
    Column("hidden", "hidden", COT),
    Column("API hit", _HIT, COT),
)
_RETRIEVED = (
    Column("precision", "documents_precision", RAG_3),
    Column("recall", "documents_recall", RAG_3),
    Column("MRR", "documents_mrr", RAG_3),
)
_HITS_NOTE = "API hit is the rate as the authors' program has it; `report` has the mended one too"


def _rates(setting: Setting) -> tuple[Column, ...]:
    return (Column("hidden", "hidden", setting), Column("API hit", _HIT, setting))


def _drawing(number: str, caption: str) -> Elsewhere:
    return Elsewhere(number, caption, reason="a drawing that explains: no data")


def _words(number: str, caption: str) -> Elsewhere:
    return Elsewhere(number, caption, reason="definitions in words: docs/gitchameleon.md")


PAPER = Paper(
    "gitchameleon",
    "GitChameleon 2.0: Evaluating AI Code Generation Against Python Library Version "
    "Incompatibilities",
    (
        _drawing("Figure 1", "An answer for the wrong version"),
        _drawing("Figure 2", "Code evolution and version-conditioned generation"),
        PaperFigure("Figure 3", "Correlation with another benchmark", FigureKind.LEADERBOARD,
                    (GREEDY,)),
        Elsewhere(
            "Figure 4", "Problems by release year and kind of change",
            "libdrift suites stats gitchameleon --figures DIR",
        ),
        _drawing("Figure 5", "Workflow of one example"),
        PaperTable("Table 1", "Success on hidden and visible tests, API hit rate", _TABLE_1,
                   note=_HITS_NOTE),
        PaperFigure("Figure 6", "Gap between visible and hidden tests", FigureKind.GAP,
                    (GREEDY, DEBUG), "hidden", other="visible"),
        PaperTable("Table 2", "Multi-step agents", (*_rates(AGENT_ALONE), *_rates(AGENT)),
                   row_options=("search", "mcp"),
                   note="searches of the paper are hosted services: give one with -S search=URL or "
                   "-S mcp=COMMAND"),
        PaperTable("Table 3", "Coding assistants", (*_rates(NO_PROBLEM), *_rates(PROBLEM)),
                   row_options=("command",),
                   note="assistants in an editor are worked by a person: libdrift suites export "
                   "gitchameleon DIR, then libdrift score gitchameleon DIR"),
        PaperTable("Table 4", "Retrieval-augmented generation, k = 3",
                   (*_rates(RAG_3), *_RETRIEVED)),
        PaperFigure("Section 3.3", "API hit rate and success", FigureKind.METRICS,
                    (GREEDY, COT, DEBUG), "hidden", other=_HIT),
        PaperFigure("Figure 7", "Success by kind of change", FigureKind.BY_FACT,
                    (GREEDY, DEBUG, AGENT, PROBLEM), by=("category",)),
        PaperFigure("Figure 8", "Errors under greedy decoding and self-debugging",
                    FigureKind.ERRORS, (GREEDY, DEBUG)),
        _words("Table 5", "Fields of a problem"),
        _words("Table 6", "Fields about a problem"),
        _words("Table 7", "Kinds of change"),
        Elsewhere("Section A.4", "Line coverage of the hidden tests",
                  "libdrift suites coverage gitchameleon"),
        Elsewhere("Figure 9", "Versions and problems per library",
                  "libdrift suites stats gitchameleon --figures DIR"),
        PaperTable("Table 8", "As Table 1, of reasoning models", _TABLE_1,
                   note="the rows of Table 1: give runs of reasoning models"),
        PaperTable("Table 9", "Sampling at temperature 0.8, ten seeds", _rates(SAMPLED)),
        PaperFigure("Figure 10", "Success by release year", FigureKind.BY_FACT,
                    (GREEDY, DEBUG, AGENT, PROBLEM), by=("year",)),
        PaperTable("Table 10", "Self-explained keywords", _rates(SEK)),
        PaperTable(
            "Table 11", "Automatic optimisation of the system prompt",
            (
                Column("hidden", "hidden", OPTIMISED),
                Column("minus greedy", "hidden", OPTIMISED, minus=GREEDY),
            ),
        ),
        PaperTable("Table 12", "RAG with one and with three documents",
                   (*_rates(RAG_1), *_rates(RAG_3), *_RETRIEVED)),
        PaperFigure("Figure 11", "Success by library", FigureKind.BY_FACT,
                    (GREEDY, DEBUG, AGENT, PROBLEM), by=("library",)),
        PaperFigure("Figure 12", "RAG minus greedy, by library", FigureKind.GAIN,
                    (GREEDY, RAG_3), by=("library",)),
        PaperFigure("Figure 13", "Agreement of models", FigureKind.AGREEMENT, (GREEDY, COT, RAG_3)),
        PaperTable(
            "Table 13", "Static analysis and automatic repair",
            (
                Column("pylint before", "pylint_before", REPAIRED),
                Column("pylint after", "pylint_after", REPAIRED),
                Column("hidden", "hidden", REPAIRED),
            ),
            note="Black and isort apart: libdrift suites lint gitchameleon ANSWERS DIR --judge",
        ),
        _words("Table 14", "Other benchmarks"),
        _words("Table 15", "What a logic node is"),
        Elsewhere("Figure 14", "Logic nodes of the solutions",
                  "libdrift suites stats gitchameleon --figures DIR"),
        _drawing("Figure 15", "Syntax tree of the solution of problem 0"),
        _drawing("Figure 16", "Syntax tree of the solution of problem 329"),
        Elsewhere("Figure 17", "Prompts of greedy and chain of thought",
                  "libdrift suites prompts gitchameleon prompts.jsonl --prompts paper"),
        *(
            Elsewhere(f"Figure {number}", f"Prompts of {what}",
                      f"libdrift eval gitchameleon --model {MODEL} --strategy {strategy} --limit 1",
                      "every prompt stands in the run's calls.jsonl")
            for number, what, strategy in (
                (18, "self-debugging", "self-debug"),
                (19, "agents", "agent"),
                (20, "RAG", "rag"),
            )
        ),
        Elsewhere("Figure 21", "Prompt and files of coding assistants",
                  "libdrift suites export gitchameleon DIR --layout assistant"),
        *(
            Elsewhere(f"Figure {number}", f"Prompts of SEK: {what}",
                      f"libdrift eval gitchameleon --model {MODEL} --strategy sek --limit 1",
                      "every prompt stands in the run's calls.jsonl")
            for number, what in ((22, "keywords"), (23, "code"))
        ),
    ),
)  # fmt: skip
