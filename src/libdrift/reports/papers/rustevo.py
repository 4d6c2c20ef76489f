"""RustEvo² (arXiv 2503.16922), by its four questions."""

from __future__ import annotations

from libdrift.reports.papers.layout import (
    Column,
    Elsewhere,
    FigureKind,
    Paper,
    PaperFigure,
    PaperTable,
    Setting,
)

TOLD = Setting("with the API's record", "api-info", also=("greedy",))
ALONE = Setting("without information", "no-info", flags="--cutoff YYYY-MM-DD")
TOLD_CUT = Setting("with the API's record", "api-info", flags="--cutoff YYYY-MM-DD")
RAG = Setting("RAG", "rag", flags="--cutoff YYYY-MM-DD")

_THREE = (
    Column("Pass@1", "hidden", TOLD),
    Column("AUA", "api_usage_released", TOLD),
    Column("AUA, resolved", "api_usage", TOLD),
    Column("AUA, by rule", "api_usage_by_rule", TOLD),
    Column("coverage", "coverage", TOLD),
)

PAPER = Paper(
    "rustevo",
    "RustEvo²: An Evolving Benchmark for API Evolution in LLM-based Rust Code Generation",
    (
        Elsewhere("Figure 1", "An API that changed", reason="a drawing that explains: no data"),
        Elsewhere("Framework", "From changes to tasks", reason="a drawing that explains: no data"),
        Elsewhere("Other benchmarks", "How they differ", reason="definitions in words"),
        Elsewhere("Data", "Changes by kind, source, version and crate; tests per task",
                  "libdrift suites stats rustevo"),
        Elsewhere("Collection", "Changes of the standard library and of crates",
                  "libdrift mine rust"),
        Elsewhere("Task quality", "Tasks read by people",
                  "libdrift judge rustevo --tasks --model PROVIDER/MODEL",
                  "its readers are people; here a model and the audit answer the same questions"),
        PaperTable("RQ1", "Pass@1, API usage accuracy and coverage", _THREE),
        PaperTable("RQ1, standard library and crates", "Pass@1 by where the API is from",
                   (Column("Pass@1", "hidden", TOLD),), by="origin"),
        PaperTable("RQ2", "Pass@1 by kind of change", (Column("Pass@1", "hidden", TOLD),),
                   by="category"),
        PaperTable("RQ2, use of the API", "API usage accuracy by kind of change",
                   (Column("AUA", "api_usage_by_rule", TOLD),), by="category"),
        PaperFigure("RQ2, figure", "Pass@1 by kind of change", FigureKind.BY_FACT, (TOLD,),
                    by=("category",)),
        Elsewhere("RQ2, stable APIs", "A control set of APIs that did not change",
                  "libdrift build control --from 1.71.0 --to 1.84.0 --out control.jsonl"),
        PaperTable("RQ3", "Pass@1 before and after the models' cut-off dates",
                   (Column("Pass@1", "hidden", ALONE), Column("Pass@1", "hidden", TOLD_CUT)),
                   by="cutoff"),
        PaperFigure("RQ3, figure", "Pass@1 by year of the release", FigureKind.BY_FACT,
                    (ALONE, TOLD), by=("year",)),
        PaperTable("RQ4", "RAG, before and after the cut-off dates",
                   (Column("Pass@1", "hidden", ALONE), Column("Pass@1", "hidden", RAG)),
                   by="cutoff"),
        PaperTable("RQ4, gain", "RAG minus no information",
                   (Column("Pass@1", "hidden", RAG, minus=ALONE),)),
        Elsewhere("Prompts", "What a model is sent",
                  "libdrift suites prompts rustevo prompts.jsonl --prompts paper"),
    ),
)  # fmt: skip
