"""Code of an agent, checked and edited for the versions of its project. Nothing of it is run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from libdrift import temporary
from libdrift.advisor.checking import parsed
from libdrift.advisor.imports import imported_tops
from libdrift.advisor.pins import usual
from libdrift.advisor.programs import programs
from libdrift.advisor.versions import read_pin
from libdrift.build.pins import distributions
from libdrift.errors import LibdriftError, UserError
from libdrift.history import versions
from libdrift.jobs import on_demand as missing
from libdrift.jobs.answering.advice import (
    CodeAnswer,
    CodeFinding,
    CodeQuestion,
    MigratedAnswer,
)
from libdrift.jobs.answering.context import AnswerContext, ServedRelease, runs_when_read
from libdrift.jobs.checking import CheckOptions, check
from libdrift.jobs.migrating import MigratedFile, MigrateOptions, migrate
from libdrift.records import Finding

_SENT = "code.py"  # what code is called that came without a file


def check_code(context: AnswerContext, asked: CodeQuestion) -> CodeAnswer:
    """What the code uses that its versions have not, or treat otherwise."""
    with _placed(context, asked) as place:
        targets = _targets(context, asked, place)
        given = dict(_exact(text) for text in asked.old)
        found: dict[tuple[object, ...], Finding] = {}
        compared: list[str] = []
        problems: list[str] = []
        for others in _sources(context, targets, given, problems):
            options = CheckOptions(
                to=tuple(f"{item.package}=={item.version}" for item in targets),
                old=tuple(f"{package}=={version}" for package, version in others.items()),
                store=context.history,
                within=_within(context, asked),
                offline=_offline(context, targets),
            )
            result = check([place], options, context.on_demand.progress)
            compared += [f"{item.package} {item.old} → {item.new}" for item in result.steps]
            problems += result.problems
            for item in result.findings:
                found.setdefault((item.file, item.line, item.column, item.kind, item.symbol), item)
        told = sorted(found.values(), key=lambda item: (item.file, item.line, item.column))
        return CodeAnswer(
            tuple(targets),
            tuple(_finding(item, _named(item.file, place, asked)) for item in told),
            tuple(dict.fromkeys(compared)),
            tuple(dict.fromkeys(of_named(text, place, asked) for text in problems)),
        )


def migrate_code(context: AnswerContext, asked: CodeQuestion) -> MigratedAnswer:
    """The code edited for its versions, as a diff; what no edit is sure for is left and named."""
    if not asked.old:
        raise UserError(
            "the versions that the code was written for are not given",
            'Add from: ["numpy==1.26.4"]',
        )
    with _placed(context, asked) as place:
        targets = _targets(context, asked, place)
        old = dict(_exact(text) for text in asked.old)
        named = set(map(usual, old))
        targets = [item for item in targets if item.package in named] or targets
        options = MigrateOptions(
            CheckOptions(
                to=tuple(f"{item.package}=={item.version}" for item in targets),
                old=tuple(f"{package}=={version}" for package, version in old.items()),
                store=context.history,
                within=_within(context, asked),
                offline=_offline(context, targets),
            )
        )
        done = migrate([place], options, context.on_demand.progress)
        files = [replace(item, file=_named(item.file, place, asked)) for item in done.files]
        return MigratedAnswer(
            tuple(targets),
            "".join(item.diff for item in files),
            _whole(files, place) if asked.code is not None else "",
            len(done.applied),
            tuple(
                replace(
                    _finding(one.finding, item.file),
                    message=f"{one.finding.message}; left: {one.reason}",
                )
                for item in files
                for one in item.left
            ),
            tuple(of_named(text, place, asked) for text in done.problems),
        )


def _whole(files: Sequence[MigratedFile], place: Path) -> str:
    return files[0].after if files else place.read_text("utf-8")


@contextmanager
def _placed(context: AnswerContext, asked: CodeQuestion) -> Iterator[Path]:
    if (asked.code is None) == (asked.path is None):
        raise UserError("code or path is needed, and only one of them", "Send code, or name a file")
    if asked.path is not None:
        yield context.inside(asked.path)
        return
    fault = parsed(asked.code or "")
    if isinstance(fault, str):  # "no findings" would be taken for a good word
        raise UserError(f"the code does not parse: {fault}", "Send code that parses")
    with temporary.folder() as folder:
        place = folder / _SENT
        place.write_text(asked.code or "", "utf-8", errors="replace")
        # The folder is a project of its own: settings that anybody may leave above it, where all
        # users keep temporary files, say nothing of this code.
        (folder / "pyproject.toml").touch()
        yield place


def _within(context: AnswerContext, asked: CodeQuestion) -> tuple[Path, ...]:
    """Where files may be that are read for a path; code that was sent is its only file."""
    return () if asked.path is None else tuple(root.resolve() for root in context.roots)


def _offline(context: AnswerContext, targets: Sequence[ServedRelease]) -> bool:
    """Whether only what is mined is compared."""
    return not context.on_demand.allowed or any(runs_when_read(one.package) for one in targets)


def _exact(text: str) -> tuple[str, str]:
    """A pin of ``from``. A name alone is none, and no file either: files are the project's."""
    package, version = read_pin(text, "from")
    if not version:
        raise UserError(f"from {text!r} is not an exact version", 'Write from: ["numpy==1.26.4"]')
    return package, version


def _named(file: str, place: Path, asked: CodeQuestion) -> str:
    if asked.code is not None:
        return _SENT
    path = Path(file)
    return str(path.relative_to(place)) if place.is_dir() and path.is_relative_to(place) else file


def of_named(text: str, place: Path, asked: CodeQuestion) -> str:
    """What is said of a file, by the name that the client knows it by."""
    return text if asked.code is None else text.replace(str(place), _SENT)


# --- between which versions


def _targets(context: AnswerContext, asked: CodeQuestion, place: Path) -> list[ServedRelease]:
    """The releases that the code is to run with: those asked for, or pinned and imported."""
    if asked.requirements:
        pins = [read_pin(text, "requirements") for text in asked.requirements]
        return [context.release(package, version or None) for package, version in pins]
    found: list[ServedRelease] = []
    for top in _imported(place, _within(context, asked)):
        for package in dict.fromkeys([*distributions(top), usual(top)]):
            pin = context.pinned(package)
            if pin is not None:
                found.append(context.release(package, pin[0]))
                found[-1] = replace(found[-1], chosen=f"pinned by {pin[1]}")
                break
    if not found:
        raise UserError(
            "nothing pins a package that the code imports",
            'Add requirements: ["numpy==2.1.0"]',
        )
    return found


def _imported(place: Path, within: Sequence[Path]) -> list[str]:
    found = programs([place], (), lambda _: None, within=within)  # the check tells of what is not
    return list(imported_tops(found))


def _sources(
    context: AnswerContext,
    targets: Sequence[ServedRelease],
    given: dict[str, str],
    problems: list[str],
) -> Iterator[dict[str, str]]:
    """Versions that the code may have been written for: the given ones, else newer and older.

    Code of an agent does not say for which version it was written. What another version has, and
    the target has not, is found by comparing with both sides.
    """
    if given:
        yield {usual(package): version for package, version in given.items()}
        return
    rounds: list[dict[str, str]] = []
    for item in targets:
        try:
            series = (
                missing.newest_of_series(item.package)
                if context.on_demand.allowed
                else missing.mined_versions(context.history, item.package)
            )
        except LibdriftError as error:
            problems.append(str(error))
            series = missing.mined_versions(context.history, item.package)
        for at, version in enumerate(_others(item.version, series)):
            rounds += [{}] * (at + 1 - len(rounds))
            rounds[at] = {**rounds[at], item.package: version}
    yield from rounds


def _others(version: str, series: Sequence[str]) -> list[str]:
    """The newest release, and the last and the first of the major series before this one.

    Where there was none, the oldest of all: what went within one major series is seen from there.
    """
    order = versions.order(version)
    later = [one for one in series if versions.order(one) > order]
    before = [one for one in series if versions.order(one) < order]
    major = version.partition(".")[0]
    earlier = [one for one in before if one.partition(".")[0] != major]
    if not earlier:
        return [*later[-1:], *before[:1]]
    last = earlier[-1]
    first = next(one for one in earlier if one.partition(".")[0] == last.partition(".")[0])
    return list(dict.fromkeys([*later[-1:], last, first]))


def _finding(item: Finding, file: str, note: str = "") -> CodeFinding:
    return CodeFinding(
        file,
        item.line,
        item.level.value,
        item.kind.value,
        item.symbol,
        f"{item.message}{note}",
        item.replacement,
        item.since,
        item.is_fixable,
    )
