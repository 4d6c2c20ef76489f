"""What breaks in code when its packages change: found without running it."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from libdrift import config
from libdrift.advisor.by_surface import SUFFIXES, SurfaceChecker, SurfacePair, reader_of
from libdrift.advisor.checking import CodeChecker, advised
from libdrift.advisor.imports import chosen, imported_tops
from libdrift.advisor.lifetimes import dated
from libdrift.advisor.loading import Releases
from libdrift.advisor.programs import PYTHON_FILES, Complaint, SourceProgram, programs, require_all
from libdrift.advisor.suppression import (
    ProjectSettings,
    Suppressions,
    baseline_text,
    is_meant,
    project_settings,
    without_baseline,
)
from libdrift.advisor.versions import (
    PYTHON,
    VersionStep,
    language_of,
    read_pins,
    steps,
    tables,
)
from libdrift.errors import InfrastructureError, LibdriftError, UserError
from libdrift.history.store import Store
from libdrift.mining import MiningProgress
from libdrift.records import Finding, FindingLevel

_DEFINED = re.compile(r"^[ \t]*(?:async[ \t]+)?def[ \t]+(\w+)", re.MULTILINE)
_PYTHON_VERSION = re.compile(r"\d+(?:\.\d+){0,2}(?:(?:a|b|rc)\d+)?")
_RANK = {FindingLevel.ERROR: 0, FindingLevel.WARNING: 1, FindingLevel.INFO: 2}


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """``to`` and ``old`` are pins (``numpy==2.1.0``) or files of them; ``old`` may be left out."""

    to: tuple[str, ...] = ()
    old: tuple[str, ...] = ()
    to_latest: bool = False
    python: str = ""  # the Python that the code is to run with
    level: FindingLevel = FindingLevel.WARNING  # the least that is told
    ignore: tuple[str, ...] = ()  # symbols, patterns of them, kinds
    exclude: tuple[str, ...] = ()  # patterns of files
    within: tuple[Path, ...] = ()  # folders that links must not lead out of; none: they may
    baseline: Path | None = None
    write_baseline: Path | None = None
    store: Path | None = None
    offline: bool = False


@dataclass(frozen=True, slots=True)
class CheckResult:
    findings: tuple[Finding, ...]
    steps: tuple[VersionStep, ...]  # what was checked between
    problems: tuple[str, ...]  # what could not be done, a line each
    files: int = 0
    lines: int = 0
    suppressed: int = 0
    below: int = 0  # findings under the level that was asked for
    exit_code: int = 0  # of what went wrong; findings are the caller's to judge


def check(
    paths: str | Path | Sequence[str | Path],
    options: CheckOptions | None = None,
    progress: MiningProgress | None = None,
) -> CheckResult:
    """Find what is true of the code's own versions and false at the target."""
    options = options or CheckOptions()
    listed = [paths] if isinstance(paths, str | Path) else paths
    places = [Path(item) for item in listed] or [Path()]
    settings = config.load()
    releases = Releases(settings, options.store or settings.history, progress, options.offline)
    run = CheckRun(places, options, project_settings(places[0]), releases)
    return run.result()


Checker = CodeChecker | SurfaceChecker


@dataclass(slots=True)
class CodeRead:
    """What was found in programs so far."""

    by_file: list[tuple[list[Finding], list[Finding]]] = field(default_factory=list)
    files: int = 0
    lines: int = 0
    suppressed: int = 0

    @property
    def findings(self) -> list[Finding]:
        return [item for told, _ in self.by_file for item in told]


@dataclass(slots=True)
class CheckRun:
    places: Sequence[Path]
    options: CheckOptions
    project: ProjectSettings
    releases: Releases

    def result(self) -> CheckResult:
        problems: list[str] = []
        wanted = self.steps_between(problems)
        pairs = self.releases.pairs([one for one in wanted if language_of(one.package) == "python"])
        checker = CodeChecker(pair for _, pair in pairs)
        others, steps_of_others = self._others(wanted)
        checked = (*(step for step, _ in pairs), *steps_of_others)
        if pairs:
            self._learn(checker)
        by_suffix: dict[str, Checker] = dict.fromkeys(PYTHON_FILES if pairs else (), checker)
        read = self._read({**by_suffix, **others} or {PYTHON_FILES[0]: checker}, problems)
        findings = read.findings
        suppressed = read.suppressed
        kept = [item for item in findings if _RANK[item.level] <= _RANK[self.options.level]]
        told = self._dated(list(advised(kept, checker.pairs)))
        problems += [str(error) for error in self.releases.problems]
        if self.options.write_baseline:
            place = self.options.write_baseline
            place.write_text(baseline_text(told, place.parent), "utf-8")
        if self.options.baseline:
            fresh = list(without_baseline(told, self.options.baseline))
            suppressed += len(told) - len(fresh)
            told = fresh
        return CheckResult(
            tuple(told),
            checked,
            tuple(problems),
            read.files,
            read.lines,
            suppressed,
            len(findings) - len(kept),
            self._exit_code(checked=bool(checked)),
        )

    def _learn(self, checker: CodeChecker) -> None:
        """Follow values from file to file; what cannot be read is told when it is checked."""
        files = [(item.file, item.code) for item in self._programs(lambda _: None)]
        if len(files) > 1:
            roots = [str(place) for place in self.places if place.is_dir()]
            checker.learn(files, roots)

    def _others(
        self, wanted: Sequence[VersionStep]
    ) -> tuple[dict[str, Checker], list[VersionStep]]:
        """Checkers of code in other languages, by the suffix of their files."""
        found: dict[str, list[SurfacePair]] = {}
        checked: list[VersionStep] = []
        for step in wanted:
            language = language_of(step.package)
            if language == "python":
                continue
            try:
                exact, pair = self.releases.surfaces(step)
            except LibdriftError as error:
                self.releases.problems.append(error)
                continue
            found.setdefault(language, []).append(pair)
            checked.append(exact)
        checkers: dict[str, Checker] = {
            SUFFIXES[language]: SurfaceChecker(pairs, reader_of(language))
            for language, pairs in found.items()
        }
        return checkers, checked

    def _read(self, checkers: Mapping[str, Checker], problems: list[str]) -> CodeRead:
        """All programs, one at a time: there may be very many."""
        read = CodeRead()
        own: set[str] = set()  # what the code itself defines
        usual = checkers.get(PYTHON_FILES[0]) or next(iter(checkers.values()))
        for program in self._programs(problems.append, tuple(checkers)):
            checker = checkers.get(Path(program.file).suffix, usual)
            done = checker.check(program.code, program.file)
            if done.problem:
                problems.append(f"{program.file}: left out: {done.problem}")
            told, hidden = self._kept(done.findings, program)
            guessed, _ = self._kept(done.guesses, program)
            read.by_file.append((told, guessed))
            read.files += 1
            read.lines += program.code.count("\n")
            read.suppressed += hidden
            own.update(_DEFINED.findall(program.code))
        for told, guessed in read.by_file:
            told += [item for item in guessed if item.written.rpartition(".")[2] not in own]
            told.sort(key=lambda item: (item.cell or 0, item.line, item.column))
        return read

    def _programs(
        self, complain: Complaint, suffixes: tuple[str, ...] = PYTHON_FILES
    ) -> Iterator[SourceProgram]:
        exclude = (*self.options.exclude, *self.project.exclude)
        return programs(self.places, exclude, complain, suffixes, self.options.within)

    def _exit_code(self, *, checked: bool) -> int:
        """Of packages that could not be had: all else goes on, but a script must know."""
        errors = self.releases.problems
        if errors and not checked:
            return max(error.exit_code for error in errors)
        return 0

    def _kept(self, found: Sequence[Finding], program: SourceProgram) -> tuple[list[Finding], int]:
        """Without what comments and settings take away, and how much that is."""
        comments = Suppressions(program.code)
        ignored = (*self.options.ignore, *self.project.ignore)
        told = [item for item in found if not comments.takes(item) and not is_meant(item, ignored)]
        return [_placed(item, program) for item in told], len(found) - len(told)

    def _dated(self, findings: list[Finding]) -> list[Finding]:
        if not findings:
            return []
        with Store.open(self.releases.path, readonly=True) as store:
            own = [one for one in findings if language_of(one.package) == "python"]
            others = [
                replace(one, since=one.since or one.new)
                for one in findings
                if language_of(one.package) != "python"
            ]
            return [*dated(own, store), *others]

    # --- versions

    def steps_between(self, problems: list[str]) -> list[VersionStep]:
        options, project = self.options, self.project
        require_all(self.places)  # before anything is asked of it
        targets = read_pins(options.to or project.to, "--to")
        given = read_pins(options.old or project.old, "--from")
        if not targets and not options.to_latest and not options.python:
            raise UserError(
                "no target version is given",
                "Add --to numpy==2.1.0, --to uv.lock, --to-latest or --python 3.13",
            )
        known = tables(self.places[0], problems.append)
        from_files = [item for item in options.to or project.to if Path(item).is_file()]
        if options.to_latest:
            everything = {name: "" for table in reversed(known) for name in table.exact}
            targets = {**everything, **dict.fromkeys(given, ""), **targets}
        if options.to_latest or from_files:
            named = {*read_pins([t for t in options.to if t not in from_files], "--to")}
            targets = self._imported(targets, named)
        python = self._python(from_files)
        targets.pop(PYTHON, None)
        if python:
            targets[PYTHON] = python
        wanted, untold = steps(targets, given, known)
        problems += [
            f"{package}: the version that the code was written for is unknown."
            f" Add --from {package}==VERSION"
            for package in untold
        ]
        if not wanted and untold:
            self._refuse_unknown({name: targets[name] for name in untold})
            raise UserError(problems[-1])
        return [step for step in wanted if step.old != step.new]

    def _python(self, from_files: Sequence[str]) -> str:
        """The Python that is asked for by its option or as a package; a file's is none."""
        options = self.options
        pins = [one for one in options.to or self.project.to if one not in from_files]
        named = read_pins(pins, "--to").get(PYTHON)
        if not options.python and named is None:
            return ""
        python = options.python or named or ""
        if not _PYTHON_VERSION.fullmatch(python):
            option = "--python" if options.python else "--to python:"
            raise UserError(
                f"{option} {python!r} is not a version of Python", "Write --python 3.13"
            )
        return python

    def _refuse_unknown(self, targets: Mapping[str, str]) -> None:
        """What is not there need not be asked about; a network that is down says nothing of it."""
        for package, version in targets.items():
            if package != PYTHON:
                with contextlib.suppress(InfrastructureError):
                    self.releases.refuse_unknown(package, version)

    def _imported(self, targets: dict[str, str], named: set[str]) -> dict[str, str]:
        """Of all that a lock file names, what the code imports."""
        candidates = {name: new for name, new in targets.items() if name not in named}
        candidates.pop(PYTHON, None)

        def learn(package: str) -> Sequence[str]:
            version = candidates[package] or self.releases.latest(package)
            return self.releases.surface(package, version).roots

        tops = imported_tops(self._programs(lambda _: None))  # what cannot be read is told later
        taken = chosen(tops, candidates, self.releases.roots, learn)
        return {name: targets[name] for name in targets if name in {*taken, *named}}


def _placed(finding: Finding, program: SourceProgram) -> Finding:
    if not program.places:
        return finding
    cell, line = program.place(finding.line)
    end = program.place(finding.end_line)[1]
    return replace(finding, cell=cell, line=line, end_line=end)


def fails(result: CheckResult, at: FindingLevel = FindingLevel.ERROR) -> bool:
    """Whether something of a level, or graver, was found."""
    return any(_RANK[item.level] <= _RANK[at] for item in result.findings)
