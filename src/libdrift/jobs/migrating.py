"""Code brought to other versions of its packages, as a diff or in its files."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from libdrift import config
from libdrift.advisor.editing import LeftFinding
from libdrift.advisor.loading import Releases
from libdrift.advisor.migrating import CodeMigrator, EditGroup, MigratedCode, group_of
from libdrift.advisor.notebooks import NotebookCode
from libdrift.advisor.programs import programs
from libdrift.advisor.requirements import project_root
from libdrift.advisor.suppression import Suppressions, is_meant, project_settings
from libdrift.advisor.taken import TakenNames
from libdrift.advisor.trials import CommandTrial, TrialOutcome, trial_places, with_limits
from libdrift.advisor.verifying import FileEdit, Verification, verified
from libdrift.advisor.versions import VersionStep
from libdrift.advisor.writing import SourceFile, refuse_dirty, write_all
from libdrift.jobs.checking import CheckOptions, CheckRun
from libdrift.mining import MiningProgress
from libdrift.records import Finding, FindingLevel
from libdrift.sandbox import Limits, choose

_NOTEBOOK = ".ipynb"
_RANK = {FindingLevel.ERROR: 0, FindingLevel.WARNING: 1, FindingLevel.INFO: 2}


@dataclass(frozen=True, slots=True)
class MigrateOptions:
    """``check`` says between which versions, and which findings count."""

    check: CheckOptions = field(default_factory=CheckOptions)
    risky: bool = False  # edits that are only likely, too
    write: bool = False
    force: bool = False  # into a git tree with changes that are not committed
    verify: str = ""  # a command that is run at the old and at the new versions
    sandbox: str = "bubblewrap"
    seconds: float = 600.0  # that the command may take


@dataclass(frozen=True, slots=True)
class MigratedFile:
    file: str
    before: str
    after: str
    applied: tuple[Finding, ...]
    left: tuple[LeftFinding, ...]

    @property
    def is_changed(self) -> bool:
        return self.before != self.after

    @property
    def diff(self) -> str:
        """As `patch -p1` and `git apply` take it."""
        here, path = Path.cwd(), Path(self.file)
        inner = path.relative_to(here) if path.is_relative_to(here) else path
        name = inner.as_posix().lstrip("/")
        return "".join(_unified(self.before, self.after, name)) if self.is_changed else ""


@dataclass(frozen=True, slots=True)
class Migration:
    files: tuple[MigratedFile, ...]  # with an edit, or a finding that was left
    steps: tuple[VersionStep, ...]
    problems: tuple[str, ...]
    is_written: bool = False
    verification: Verification | None = None
    exit_code: int = 0

    @property
    def changed(self) -> tuple[MigratedFile, ...]:
        return tuple(item for item in self.files if item.is_changed)

    @property
    def applied(self) -> tuple[Finding, ...]:
        return tuple(one for item in self.files for one in item.applied)

    @property
    def left(self) -> tuple[LeftFinding, ...]:
        return tuple(one for item in self.files for one in item.left)


def migrate(
    paths: str | Path | Sequence[str | Path],
    options: MigrateOptions | None = None,
    progress: MiningProgress | None = None,
) -> Migration:
    """Edit code so that it does at the target versions what it did at its own."""
    options = options or MigrateOptions()
    listed = [paths] if isinstance(paths, str | Path) else paths
    places = [Path(item) for item in listed] or [Path()]
    run = MigrationRun(places, options, progress)
    done = run.verified(run.migrated()) if options.verify else run.migrated()
    return run.written(done) if options.write else done


class MigrationRun:
    """The programs and releases of one migration, loaded once."""

    def __init__(
        self, places: Sequence[Path], options: MigrateOptions, progress: MiningProgress | None
    ) -> None:
        settings = config.load()
        check = options.check
        self.places, self.options, self.settings = places, options, settings
        self.project = project_settings(places[0])
        self.releases = Releases(settings, check.store or settings.history, progress, check.offline)
        self.problems: list[str] = []
        exclude = (*check.exclude, *self.project.exclude)
        self._taken = TakenNames()
        self.files: list[str] = []
        for program in programs(places, exclude, self.problems.append):
            self._taken.read(program.code)
            if self._is_inside(program.file):
                self.files.append(program.file)
        checking = CheckRun(places, check, self.project, self.releases)
        pairs = self.releases.pairs(checking.steps_between(self.problems))
        errors = self.releases.problems
        self.problems += [str(error) for error in errors]
        self.exit_code = max((e.exit_code for e in errors), default=0) if not pairs else 0
        self.steps = tuple(step for step, _ in pairs)
        self.sources: dict[str, SourceFile] = {}
        self._migrator = CodeMigrator(
            [pair for _, pair in pairs],
            is_risky=options.risky,
            wanted=self._wanted,
            shown=self._taken.of_file,
        )

    def migrated(self, without: frozenset[FileEdit] = frozenset()) -> Migration:
        """``without``: edits that are not made."""
        files = []
        for name in self.files:
            left_out = {group for file, group in without if file == name}
            done = self._file(name, left_out)
            if done is not None and (done.is_changed or done.left):
                files.append(done)
        problems = tuple(dict.fromkeys(self.problems))
        return Migration(tuple(files), self.steps, problems, exit_code=self.exit_code)

    def verified(self, done: Migration) -> Migration:
        """Keep the edits under which nothing that passed fails."""
        options = self.options
        root = project_root(self.places[0])
        backend = choose(options.sandbox, self.settings)
        limits = with_limits(Limits(), options.seconds)
        trial = CommandTrial(root, options.verify, backend, limits)
        places = trial_places(root, options.verify, self.steps, self.settings)
        edits = [
            (item.file, group)
            for item in done.changed
            for group in dict.fromkeys(map(group_of, item.applied))
        ]
        made: dict[frozenset[FileEdit], Migration] = {frozenset(): done}

        def tried(without: frozenset[FileEdit]) -> TrialOutcome:
            if without not in made:
                made[without] = self.migrated(without)
            files = {
                Path(item.file): self.sources[item.file].encoded(item.after)
                for item in made[without].changed
            }
            return trial.run(places.new, files)

        self.problems += places.notes
        before = trial.run(places.old, {}) if places.old else TrialOutcome(None, trouble="not run")
        found = verified(edits, before, tried)
        kept = made[found.rejected]
        problems = tuple(dict.fromkeys(self.problems))
        files = _with_rejected(kept, done, found)
        return replace(kept, files=files, verification=found, problems=problems)

    def written(self, done: Migration) -> Migration:
        changed = [Path(item.file) for item in done.changed]
        if not self.options.force:
            refuse_dirty(changed)
        write_all([(self.sources[item.file], item.after) for item in done.changed])
        return replace(done, is_written=True)

    def _is_inside(self, file: str) -> bool:
        """A link of a project to a file elsewhere is read, and never written through."""
        real = Path(file).resolve()
        is_named = any(Path(file) == place for place in self.places)
        if is_named or any(real.is_relative_to(place.resolve()) for place in self.places):
            return True
        self.problems.append(f"{file}: a link to {real}, which is elsewhere; left out")
        return False

    def _wanted(self, code: str, findings: Sequence[Finding]) -> Sequence[Finding]:
        comments = Suppressions(code)
        ignored = (*self.options.check.ignore, *self.project.ignore)
        least = _RANK[self.options.check.level]
        return [
            item
            for item in findings
            if _RANK[item.level] <= least
            and not comments.takes(item)
            and not is_meant(item, ignored)
        ]

    def _file(self, file: str, without: set[EditGroup]) -> MigratedFile | None:
        try:
            source = self.sources.get(file) or SourceFile.read(Path(file))
        except (OSError, SyntaxError, UnicodeDecodeError, LookupError) as error:
            self.problems.append(f"{file}: {error}")
            return None
        if file.endswith(_NOTEBOOK):
            done = self._notebook(source, without)
        else:
            code = self._migrator.migrated(source.text, file, without)
            done = self._encodable(source, self._told(file, code))
        if done is not None and done.is_changed:
            self.sources[file] = source
        return done

    def _notebook(self, source: SourceFile, without: set[EditGroup]) -> MigratedFile | None:
        file = str(source.path)
        try:
            book = NotebookCode.of(source.text)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            self.problems.append(f"{file}: not a notebook that can be read: {error}")
            return None
        done = self._migrator.migrated(book.code, file, without)
        told = self._told(file, done)
        if told is None:
            return None
        applied = tuple(_in_cell(item, book) for item in told.applied)
        left = tuple(replace(one, finding=_in_cell(one.finding, book)) for one in told.left)
        after = book.written(source.text, done.after) if done.is_changed else source.text
        if after is None:
            reason = "the notebook's layout cannot be kept"
            left = (*(LeftFinding(item, reason) for item in applied), *left)
            return MigratedFile(file, source.text, source.text, (), left)
        return MigratedFile(file, source.text, after, applied, left)

    def _told(self, file: str, done: MigratedCode) -> MigratedFile | None:
        if done.problem:
            self.problems.append(f"{file}: left out: {done.problem}")
            return None
        return MigratedFile(file, done.before, done.after, done.applied, done.left)

    def _encodable(self, source: SourceFile, done: MigratedFile | None) -> MigratedFile | None:
        if done is None:
            return None
        try:
            source.encoded(done.after)
        except UnicodeEncodeError:
            reason = f"the file's encoding, {source.encoding}, has not all letters of the edit"
            left = (*(LeftFinding(item, reason) for item in done.applied), *done.left)
            return MigratedFile(done.file, done.before, done.before, (), left)
        return done


def _with_rejected(
    kept: Migration, all_: Migration, found: Verification
) -> tuple[MigratedFile, ...]:
    """What the command refused is left, with that reason."""
    files = {item.file: item for item in kept.files}
    for item in all_.changed:
        lost = [one for one in item.applied if (item.file, group_of(one)) in found.rejected]
        if lost:
            here = files.get(item.file) or MigratedFile(item.file, item.before, item.before, (), ())
            more = tuple(LeftFinding(one, "with the edit, tests fail that passed") for one in lost)
            files[item.file] = replace(here, left=(*here.left, *more))
    return tuple(files.values())


def _in_cell(finding: Finding, book: NotebookCode) -> Finding:
    cell, line = book.place(finding.line)
    end = book.place(finding.end_line)[1]
    return replace(finding, cell=cell, line=line, end_line=end)


def _unified(before: str, after: str, name: str) -> Iterator[str]:
    old, new = _lines(before), _lines(after)
    for line in difflib.unified_diff(old, new, _header(f"a/{name}"), _header(f"b/{name}")):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _header(name: str) -> str:
    """A name as git writes it in a diff: one that could end the line is quoted."""
    if name.isprintable() and not any(sign in name for sign in '"\\'):
        return name
    signs = (f"\\{byte:03o}" if _is_special(byte) else chr(byte) for byte in os.fsencode(name))
    return f'"{"".join(signs)}"'


def _is_special(byte: int) -> bool:
    return not 0x20 <= byte < 0x7F or byte in b'"\\'  # noqa: PLR2004  (of ASCII, what is printed)


def _lines(text: str) -> list[str]:
    """Split at line feeds alone: other letters that end lines are content, to a diff."""
    parts = text.split("\n")
    return [f"{part}\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])
