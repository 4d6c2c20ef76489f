"""LibEvolutionEval (arXiv 2412.04478): its analyses, by name where their number is not known."""

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

_ALSO = ("fim", "left", "greedy")


def _context(title: str, name: str) -> Setting:
    return Setting(title, "instruct", options(context=name), f"-S context={name}", _ALSO)


IN_FILE = _context("in-file", "in-file")
VERSION = _context("version-aware", "version")
RAG = _context("version-aware RAG", "version-rag")
_CONTEXTS = (IN_FILE, VERSION, RAG)

PAPER = Paper(
    "libevolutioneval",
    "LibEvolutionEval: A Benchmark and Study for Version-Specific Code Generation",
    (
        Elsewhere("Figure 1", "An API over the versions of a library",
                  reason="a drawing that explains: no data"),
        Elsewhere("Data", "Documents, examples, lengths of prompts and references",
                  "libdrift suites stats libevolutioneval"),
        PaperTable("Libraries", "F1 by library", (Column("", "f1", VERSION),), by="library"),
        PaperFigure("Years", "F1 by release year", FigureKind.BY_FACT, (VERSION,), "f1",
                    ("year",)),
        PaperFigure("Versions", "F1 over versions", FigureKind.BY_FACT, _CONTEXTS, "f1",
                    ("version",)),
        PaperTable("Contexts", "F1 by what the prompt tells",
                   tuple(Column("F1", "f1", one) for one in _CONTEXTS)),
        PaperTable("Access", "F1 of direct and indirect use",
                   tuple(Column("", "f1", one) for one in _CONTEXTS), by="access"),
        PaperFigure("Access over versions", "F1 of direct and indirect use, by version",
                    FigureKind.CROSSED, (VERSION,), "f1", ("access", "version")),
        PaperTable("Lifecycle", "F1 by what the version did to the API",
                   tuple(Column("", "f1", one) for one in _CONTEXTS), by="lifecycle"),
        PaperTable("Scenario", "F1 of realistic and controlled examples",
                   tuple(Column("", "f1", one) for one in _CONTEXTS), by="scenario"),
        PaperTable("Documents", "Retrieval of the right document",
                   (
                       Column("MRR", "documents_mrr", RAG),
                       Column("recall", "documents_recall", RAG),
                       Column("F1", "f1", RAG),
                   )),
        PaperFigure("Embedders", "MRR of documents over versions", FigureKind.BY_FACT, (RAG,),
                    "documents_mrr", ("version",)),
        PaperTable("Right context", "F1 with and without the code behind the gap",
                   tuple(
                       Column("F1", "f1", Setting(title, "fim", options(right=right),
                                                  f"-S right={right}"))
                       for title, right in (("few lines", "few"), ("all of it", "whole"),
                                            ("none", "none"))
                   )),
        PaperFigure("Model size", "F1 of models of several sizes", FigureKind.BY_FACT, (VERSION,),
                    "f1", ("library",), facts=only(scenario="realistic")),
        Elsewhere("Prompts", "What a model is sent",
                  "libdrift suites prompts libevolutioneval prompts.jsonl"),
        Elsewhere("Templates", "Controlled examples from documentation",
                  "libdrift build completion --package matplotlib --out tasks.jsonl"),
    ),
)  # fmt: skip
