"""A small suite of tasks that are judged by their text, one of each kind."""

from __future__ import annotations

from datetime import date

from libdrift.records import Environment, Facts, Gap, Suite, Task, TaskKind

NOWHERE = Environment("python", "", ("shapes==2.0",))


def text_task(
    name: str, granularity: str, reference: str, gap: Gap, starter: str = "", **facts: str | date
) -> Task:
    return Task(
        id=name,
        suite="texts",
        kind=TaskKind.MIGRATE if "from_version" in facts else TaskKind.COMPLETE,
        language="python",
        environment=NOWHERE,
        title=name,
        problem="Draw something round.",
        starter=starter,
        reference=reference,
        tests=(),
        facts=Facts("shapes", "2.0", granularity=granularity, **facts),  # type: ignore[arg-type]
        gap=gap,
    )


def text_suite() -> Suite:
    whole = "import shapes\nround = shapes.circle(radius=2)\nprint(round)\n"
    line = "round = shapes.circle(radius=2)"
    tasks = [
        text_task(
            "token",
            "token",
            "circle",
            Gap("circle", line, "<token_mask>"),
            whole.replace("circle", "<token_mask>"),
            source="stackoverflow",
            category="addition",
        ),
        text_task(
            "line",
            "line",
            line,
            Gap("circle", line, "<line_mask>"),
            whole.replace(line, "<line_mask>"),
            source="stackoverflow",
            release_date=date(2021, 5, 1),
        ),
        text_task(
            "block",
            "block",
            whole,
            Gap("circle", line),
            source="library_source_code",
            release_date=date(2022, 5, 1),
        ),
        text_task(
            "migration",
            "block",
            whole,
            Gap("circle", line, old_line="round = shapes.ring(2)"),
            "import shapes\nround = shapes.ring(2)\nprint(round)\n",
            from_version="1.0",
            step="major-to-major",
        ),
        text_task(
            "middle",
            "middle",
            "shapes.circle(radius=2)",
            Gap("circle", mask="<fill>", hint="shapes", aliases=("shapes",)),
            "import shapes\nround = <fill>\nprint(round)\n",
            access="direct",
            lifecycle="introduced",
        ),
    ]
    return Suite("texts", "Texts", "made here", {task.id: task for task in tasks})
