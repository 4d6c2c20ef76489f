"""VersiCode (arXiv 2406.07411v2), by the numbers of its tables where they are known."""

from __future__ import annotations

from libdrift.reports.papers.layout import (
    Column,
    Elsewhere,
    FigureKind,
    Paper,
    PaperFigure,
    PaperTable,
    Setting,
    only,
    options,
)

PLAIN = Setting("as published", also=("sample",))
NO_VERSION = Setting("without the version", "greedy", options(version=False),
                     "--no-tell-version", ("sample",))  # fmt: skip
NO_IMPORTS = Setting("without imports", "greedy", options(imports=False),
                     "--no-imports", ("sample",))  # fmt: skip
_LEVELS = ("token", "line", "block")


def _at(level: str, *metrics: str, setting: Setting = PLAIN) -> tuple[Column, ...]:
    names = {"hidden": "Pass", "ism_unchecked": "unchecked ISM", "pm_unchecked": "unchecked PM"}
    return tuple(
        Column(f"{level} {names.get(one, one.upper())}@1", one, setting, only(level=level))
        for one in metrics
    )


_RULES = tuple(
    Column(f"{level} without rule {rule}", f"cdc_{kind}_{rule}@1", PLAIN, only(level=level))
    for level in ("line", "block")
    for rule, kind in ((1, "ablated"), *((rule, "without") for rule in range(2, 6)))
)

PAPER = Paper(
    "versicode",
    "VersiCode: Towards Version-controllable Code Generation",
    (
        Elsewhere("Figure 1", "The two tasks", reason="a drawing that explains: no data"),
        Elsewhere("Figure 2", "From collected code to tasks",
                  reason="a drawing that explains: no data"),
        Elsewhere("Data", "Libraries, versions, sources, levels, lengths",
                  "libdrift suites stats versicode"),
        PaperTable("Figure 3 (a), numbers", "EM@1 of tokens by source of the code",
                   _at("token", "em"), by="source"),
        PaperTable("Figure 3 (b), numbers", "EM@1 of tokens by what the version did to the API",
                   _at("token", "em"), by="category"),
        PaperFigure("Figure 3 (a)", "EM@1 of tokens by source of the code", FigureKind.BY_FACT,
                    (PLAIN,), "em", ("source",), facts=only(level="token")),
        PaperFigure("Figure 3 (b)", "EM@1 of tokens by what the version did to the API",
                    FigureKind.BY_FACT, (PLAIN,), "em", ("category",), facts=only(level="token")),
        PaperFigure("Figure 3 (other benchmarks)", "EM@1 of tokens and HumanEval or MBPP",
                    FigureKind.LEADERBOARD, (PLAIN,), "em", facts=only(level="token")),
        PaperFigure("Figure 4", "EM@1 of tokens by release year", FigureKind.CROSSED, (PLAIN,),
                    "em", ("category", "year"), facts=only(level="token")),
        PaperTable("Table 1", "Metrics on text and tests by level",
                   (
                       *_at("token", "em"),
                       *_at("line", "em", "ism", "pm", "cdc"),
                       *_at("block", "em", "ism", "pm", "cdc"),
                       *(one for level in _LEVELS for one in _at(level, "hidden")),
                   ),
                   note="Pass@1 is of items that carry a test"),
        PaperTable("Section 4.2", "Without the version, without imports",
                   tuple(
                       column
                       for setting in (PLAIN, NO_VERSION, NO_IMPORTS)
                       for level in _LEVELS
                       for column in _at(level, "em", setting=setting)
                   )),
        PaperTable("Table 2", "CDC@1 of migrations by major and minor versions",
                   (Column("CDC@1", "cdc", PLAIN, only(level="migrate")),), by="step"),
        PaperTable("Directions", "CDC@1 of migrations to newer and to older versions",
                   (Column("CDC@1", "cdc", PLAIN, only(level="migrate")),), by="direction"),
        PaperTable("Languages", "EM@1 by language", (Column("EM@1", "em", PLAIN),), by="language"),
        PaperTable("Appendix D.3", "ISM@1 and PM@1 of blocks without the grammar check",
                   _at("block", "ism", "ism_unchecked", "pm", "pm_unchecked")),
        PaperTable("Table 11 (values)", "CDC@1 with a rule left out: lines, then blocks",
                   (*_at("line", "cdc"), *_at("block", "cdc"), *_RULES)),
        PaperFigure("Table 11 (correlation)", "CDC@1 and Pass@1", FigureKind.METRICS, (PLAIN,),
                    "hidden", other="cdc"),
        PaperTable("Test types", "Pass@1 by what the tests look at",
                   (Column("Pass@1", "hidden", PLAIN),), by="test_type"),
        Elsewhere("Figure 11", "A test as a unittest class",
                  reason="a listing: such tests are run as they are (docs/versicode.md)"),
        Elsewhere("Prompts", "What a model is sent",
                  "libdrift suites prompts versicode prompts.jsonl --prompts paper"),
        Elsewhere("Annotation", "Descriptions checked by people",
                  reason="a person is needed: annotators read samples of the data"),
    ),
)  # fmt: skip
