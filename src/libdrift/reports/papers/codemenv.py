"""CODEMENV (arXiv 2506.00894): its three tasks, by name where a table's number is not known."""

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
)

PLAIN = Setting("as published", also=("sample", "advisor"))
SAMPLED = Setting("five answers", "sample", flags="--samples 5 --k 1,5", also=("greedy",))
_PARTS = tuple(
    f"{difficulty} {direction}"
    for difficulty in ("easy", "hard")
    for direction in ("OLD2NEW", "NEW2OLD")
)


def _tasks(metric: str, title: str) -> tuple[Column, ...]:
    return tuple(
        Column(f"{title}, {level}", metric, PLAIN, only(difficulty=level))
        for level in ("easy", "hard")
    )


PAPER = Paper(
    "codemenv",
    "CODEMENV: Benchmarking Large Language Models on Code Migration",
    (
        Elsewhere("Figure 1", "Code that must move to another version",
                  reason="a drawing that explains: no data"),
        Elsewhere("Figure 2", "The three tasks", reason="a drawing that explains: no data"),
        Elsewhere("Data", "Samples by package, difficulty, direction and kind of change",
                  "libdrift suites stats codemenv"),
        PaperTable("Tasks 1 and 2", "APIs located and changes explained",
                   (*_tasks("locate", "locate"), *_tasks("explain", "explain"))),
        Elsewhere("Tasks 1 and 2, judged", "The same by the authors' lenient judge",
                  "libdrift judge RUN --model PROVIDER/MODEL --judge released"),
        PaperTable("Task 2, in parts", "Kind of change, version and replacement apart",
                   tuple(
                       Column(f"{part}, {level}", f"explain_{part}", PLAIN, only(difficulty=level))
                       for part in ("kind", "version", "replacement")
                       for level in ("easy", "hard")
                   )),
        PaperTable("Task 3", "Pass@1 and Pass@5 of migrations",
                   tuple(
                       Column(f"{part} pass@{k}", f"migrate@{k}", one, only(part=part))
                       for k, one in ((1, PLAIN), (5, SAMPLED))
                       for part in _PARTS
                   )),
        PaperTable("Java", "Tasks 1, 2 and 3 of Java",
                   (
                       Column("locate", "locate", PLAIN, only(language="java")),
                       Column("explain", "explain", PLAIN, only(language="java")),
                       Column("compile", "compile", PLAIN, only(language="java")),
                   ),
                   note="Java samples have no tests: that the answer compiles is what is known"),
        PaperTable("Incompatibilities", "Success by the number of APIs that do not work",
                   (
                       Column("APIs: locate", "locate", PLAIN),
                       Column("APIs: migrate", "migrate", PLAIN),
                   ), by="incompatibilities"),
        PaperFigure("Packages", "Pass@1 of migrations by package", FigureKind.BY_FACT, (PLAIN,),
                    "migrate", ("library",)),
        PaperFigure("Directions", "Pass@1 of migrations by direction", FigureKind.BY_FACT,
                    (PLAIN,), "migrate", ("part",)),
        PaperFigure("Errors", "Answers that fail, by class of error", FigureKind.ERRORS, (PLAIN,),
                    "migrate"),
        PaperTable("Consistency", "Located and not migrated, and the other way",
                   tuple(
                       Column(f"{title}, {level}", metric, PLAIN, only(difficulty=level))
                       for title, metric in (
                           ("only located", "located_not_migrated"),
                           ("only migrated", "migrated_not_located"),
                       )
                       for level in ("easy", "hard")
                   )),
        PaperTable("Error classes", "Migrations that fail, by class of error",
                   tuple(
                       Column(name, "error_rate", PLAIN, only(error=name))
                       for name in ("CallError", "RunError", "WrongAnswer")
                   ),
                   note="RunError is any exception; of run_error_rate in `--json` those that do "
                   "not end are apart"),
        Elsewhere("Case studies", "Answers that are read one by one",
                  "libdrift report RUN --failures 5",
                  "what they mean, a person says"),
        Elsewhere("Prompts", "What a model is sent",
                  "libdrift suites prompts codemenv prompts.jsonl --prompts paper"),
    ),
)  # fmt: skip
