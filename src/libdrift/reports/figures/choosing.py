"""Which figures some runs allow, and what is missing for the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from libdrift.analysis.observing import ObservedRun
from libdrift.analysis.rating import metrics_of, rated
from libdrift.analysis.selecting import value_of
from libdrift.reports.figures import building
from libdrift.reports.figures.building import NamedRows, meaning, slug
from libdrift.reports.figures.charts import Axes, Chart
from libdrift.reports.tables import DIMENSIONS

# Metrics that a run is about; texts of different levels do not compare, and are drawn apart.
_PROGRAMS = ("hidden", "locate", "explain", "migrate", "compile")
_TEXTS = ("f1", "em", "cdc")
# Facts in the order of the papers; not those that say another one again.
_FACTS = (
    *"category lifecycle access scenario source step difficulty direction part".split(),
    *"origin cutoff style web incompatibilities language library year".split(),
)
_VERSIONS_OF = 6  # libraries whose versions are drawn: those with most answers


@dataclass(frozen=True, slots=True)
class ChosenCharts:
    charts: tuple[Chart, ...]
    missing: tuple[str, ...]  # what is not drawn, and why


@dataclass(frozen=True, slots=True)
class _Subject:
    """A metric over the answers that it is of: all, or those of one level."""

    metric: str
    level: str
    systems: tuple[NamedRows, ...]

    def name(self, *parts: str) -> str:
        return "-".join(slug(part) for part in (self.level, self.metric, *parts) if part)

    def title(self, rest: str) -> str:
        what = meaning(self.metric)
        where = f"{self.level}: " if self.level else ""
        return f"{where}{what[:1].upper() + what[1:]}{rest}"


def charts_of(
    runs: Sequence[ObservedRun],
    by: Sequence[tuple[str, ...]] = (),
    metrics: Sequence[str] = (),
) -> ChosenCharts:
    """Every figure that the runs allow, or those of metrics or by facts that were asked for."""
    systems = tuple(building.named(runs))
    subjects = list(_subjects(systems, metrics))
    drawn = {subject.metric for subject in subjects}
    missing = [f"no figure of {name}: none is drawn of it" for name in metrics if name not in drawn]
    if not subjects:
        none = ("no figure: the runs have no answer that was judged",)
        return ChosenCharts((), tuple(missing) or none)
    found: list[Chart | None] = []
    for subject in subjects:
        if by:
            for facts in by:
                made = list(_asked(subject, facts))
                found += made
                if not any(made):
                    missing.append(f"{meaning(subject.metric)} by {' and '.join(facts)}: unknown")
            continue
        found += _whole(subject)
        found += _by_facts(subject)
        found += _over_versions(subject)
        found += _of_pairs(subject)
    charts = tuple(chart for chart in found if chart is not None)
    if not by and not metrics:
        missing += _missing(runs, subjects)
    return ChosenCharts(charts, tuple(missing))


def _subjects(systems: Sequence[NamedRows], asked: Sequence[str] = ()) -> Iterator[_Subject]:
    rows = [row for one in systems for row in one.rows]
    known = metrics_of(rows)
    levels = sorted({row.facts.get("level", "") for row in rows if "em" in row.values})
    for metric in asked or _PROGRAMS:
        if metric in known and (metric in _PROGRAMS or not levels):
            yield _Subject(metric, "", tuple(systems))
    for level in levels:
        chosen = tuple(
            NamedRows(
                one.name, tuple(row for row in one.rows if row.facts.get("level", "") == level)
            )
            for one in systems
        )
        texts = [row for one in chosen for row in one.rows]
        has = set(metrics_of(texts))
        metrics = [name for name in asked or _TEXTS if name in has and name not in _PROGRAMS]
        for metric in metrics[:1] if "f1" in metrics and not asked else metrics:
            yield _Subject(metric, level, chosen)


def _asked(subject: _Subject, facts: tuple[str, ...]) -> Iterator[Chart | None]:
    by = " and ".join(DIMENSIONS.get(fact, fact) for fact in facts)
    name, title = subject.name("by", *facts), subject.title(f", by {by}")
    if len(facts) == 1:
        yield building.by_fact(name, title, subject.systems, subject.metric, facts[0])
        return
    for one in subject.systems:
        own, what = _of_system(subject, one)
        yield building.crossed(
            f"{name}{own}", f"{title}{what}", one, subject.metric, (facts[0], facts[1])
        )


def _whole(subject: _Subject) -> list[Chart | None]:
    """Each system, over all tasks; hidden beside visible tests; what fails."""
    metrics = [subject.metric]
    if subject.metric == "hidden":
        metrics.append("visible")
        title = "Success on hidden and visible tests"
    else:
        title = subject.title("")
    found: list[Chart | None] = [
        building.overall(subject.name("overall"), title, subject.systems, metrics)
    ]
    if subject.metric in {"hidden", "migrate"} and len(subject.systems) <= building.MOST_BARS:
        errors = "Answers that fail, by class of error"
        found.append(building.failing(subject.name("errors"), errors, subject.systems))
    return found


def _by_facts(subject: _Subject) -> list[Chart | None]:
    found: list[Chart | None] = []
    for fact in _FACTS:
        if len(_values(subject, fact)) < 2:  # noqa: PLR2004 - one value breaks nothing down
            continue
        by = f", by {DIMENSIONS.get(fact, fact)}"
        found.append(
            building.by_fact(
                subject.name("by", fact), subject.title(by), subject.systems, subject.metric, fact
            )
        )
    if all(len(_values(subject, fact)) > 1 for fact in ("library", "year")):
        found += _each(subject, "library-year", ", by library and year", building.crossed,
                       ("library", "year"))  # fmt: skip
    return found


def _over_versions(subject: _Subject) -> list[Chart | None]:
    """Lines over the versions of single libraries, and how far they are spread."""
    found: list[Chart | None] = []
    for library, versions in list(_versions(subject).items())[:_VERSIONS_OF]:
        if versions < 3:  # noqa: PLR2004 - two points make no course
            continue
        chosen = tuple(
            NamedRows(
                one.name, tuple(row for row in one.rows if row.facts.get("library") == library)
            )
            for one in subject.systems
        )
        title = subject.title(f", over versions of {library}")
        name = subject.name("versions", library)
        found.append(building.by_fact(name, title, chosen, subject.metric, "version"))
    if sum(versions > 2 for versions in _versions(subject).values()) > 1:  # noqa: PLR2004
        found += _each(subject, "spread", ", spread over versions", building.spread,
                       ("library", "version"))  # fmt: skip
    return found


def _each(
    subject: _Subject,
    name: str,
    title: str,
    build: Callable[[str, str, NamedRows, str, tuple[str, str]], Chart | None],
    facts: tuple[str, str],
) -> list[Chart | None]:
    """One figure for each system."""
    found = []
    for one in subject.systems:
        own, what = _of_system(subject, one)
        found.append(
            build(f"{subject.name(name)}{own}", subject.title(f"{title}{what}"), one,
                  subject.metric, facts)
        )  # fmt: skip
    return found


def _of_system(subject: _Subject, one: NamedRows) -> tuple[str, str]:
    """What the name and the title of a figure of one system add, where there are several."""
    if len(subject.systems) == 1:
        return "", ""
    names = [slug(other.name) for other in subject.systems]
    number = subject.systems.index(one)
    own = names[number] if names.count(names[number]) == 1 else f"{names[number]}-{number + 1}"
    return f"-{own}", f": {one.name}"


def _of_pairs(subject: _Subject) -> list[Chart | None]:
    """What several systems have in common, and how two of their metrics go together."""
    if len(subject.systems) < 2:  # noqa: PLR2004 - no pair
        return []
    found: list[Chart | None] = []
    if subject.metric != "f1":  # which is no verdict
        title = f"Agreement of systems: {meaning(subject.metric)}"
        name = subject.name("agreement")
        found.append(building.agreeing(name, title, subject.systems, subject.metric))
    other = (
        "api_hit_rate" if subject.metric == "hidden" else "em" if subject.metric == "cdc" else ""
    )
    points = {}
    for one in subject.systems:
        x, y = rated(one.rows, other).value, rated(one.rows, subject.metric).value
        if x is not None and y is not None:
            points[one.name] = (x, y)
    if len(points) > 2:  # noqa: PLR2004 - a line goes through any two
        axes = Axes(meaning(other), meaning(subject.metric))
        title = f"{axes.x[:1].upper() + axes.x[1:]} and {axes.y}"
        found.append(building.against(subject.name("and", other), title, points, axes))
    return found


def _values(subject: _Subject, fact: str) -> set[str]:
    values = (value_of(row, fact) for one in subject.systems for row in one.rows)
    return {value for value in values if value is not None}


def _versions(subject: _Subject) -> dict[str, int]:
    """How many versions libraries have answers for, those with most answers first."""
    answers: Counter[str] = Counter()
    versions: dict[str, set[str]] = {}
    for one in subject.systems:
        for row in one.rows:
            library, version = row.facts.get("library"), row.facts.get("version")
            if library and version:
                answers[library] += 1
                versions.setdefault(library, set()).add(version)
    return {library: len(versions[library]) for library, _ in answers.most_common()}


def _missing(runs: Sequence[ObservedRun], subjects: Sequence[_Subject]) -> Iterator[str]:
    """What the runs do not allow, in a line each."""
    if len(runs) == 1:
        yield "agreement, comparisons: one run; give several"
    elif len(runs) == 2:  # noqa: PLR2004
        yield "scatter of two metrics: three runs or more are needed"
    for fact in ("year", "version"):
        if all(len(_values(subject, fact)) < 2 for subject in subjects):  # noqa: PLR2004
            what = "years of releases" if fact == "year" else "versions of a library"
            yield f"lines over {what}: the answers have fewer than two"
    libraries = max((len(_values(subject, "library")) for subject in subjects), default=0)
    if libraries > building.MOST_LABELS:
        most = building.MOST_LABELS
        yield f"by library: the {most} with most answers of {libraries:,}"
