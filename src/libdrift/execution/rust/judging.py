"""Judging units: many in one crate where that changes nothing for any of them, else alone."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from libdrift.execution.rust import units as placing
from libdrift.execution.rust.compiling import BINARY, EDITIONS, Compiled, Compiler, Message
from libdrift.execution.rust.features import features
from libdrift.execution.rust.running import NO_TEST, AnswerRun, conclude, listing, run_many, run_one
from libdrift.execution.rust.units import Placed, Unit
from libdrift.records import Outcome
from libdrift.sandbox import Judgement, Limits
from libdrift.sandbox.commands import Ended
from libdrift.temporary import folder as _folder

# Errors that 2018 may not have: of syntax and of formats (without a code), of types without `dyn`,
# of ranges in patterns, of methods that its prelude lacks, of paths.
_OF_2018 = frozenset({"", "E0782", "E0783", "E0034", "E0432", "E0433"})
_FEW = 3  # members that are not worth a pass of their own
_ROUNDS = 8  # of leaving out what does not compile
_SIGNALS = 128
# Runs of a plain answer beyond the first: who tosses a coin for one small number of four would pass
# once in four times, and all ten once in a million. Others are run on decoys.
_AGAIN = 9
_UNSTEADY = "unsteady: the same answer does not fare the same in every run"
_NO_LINKER = "linker `cc` not found"
# Errors that 2015 does not have where 2018 has them: words that were not yet reserved, parameters
# without a name, and paths to what the crate itself declares.
_RESERVED = re.compile(r"keyword `(?:async|await|dyn|try)`|expected one of `:`, `@`, or `\|`")
_OF_PATHS = frozenset({"E0432", "E0433"})

# Errors that may come of what stands beside: of types and methods that could be several, of
# implementations that meet, of names that are taken.
_OF_OTHERS = frozenset("E0034 E0117 E0119 E0275 E0282 E0283 E0284 E0428 E0592 E0790".split())

Done = tuple[Unit, Judgement]
Task = Callable[[], "Step"]
_Firsts = Mapping[Unit, Judgement]  # what the newest edition said of units


@dataclass(frozen=True, slots=True)
class Step:
    """What a piece of work has brought: judgements, and more work."""

    done: Sequence[Done] = ()
    more: Sequence[Task] = ()


@dataclass(frozen=True, slots=True)
class RustJudge:
    """Judges units of one set of crates with one toolchain."""

    compiler: Compiler
    limits: Limits
    apis: frozenset[str] = frozenset()  # those of the units' that there are

    def plan(self, units: Sequence[Unit], size: int) -> list[Task]:
        """Work for all units: crates of up to ``size``, and the rest one by one."""
        shared = [unit for unit in units if unit.sharing.crate]
        groups = [shared[start : start + size] for start in range(0, len(shared), size)]
        apart = [unit for unit in units if not unit.sharing.crate]
        return [*(self._group(group) for group in groups), *map(self._apart, apart)]

    def each(self, units: Sequence[Unit]) -> list[Task]:
        """Work for units that may learn nothing of each other."""
        return [self._apart(unit) for unit in units]

    def _group(
        self, group: Sequence[Unit], edition: int = 0, firsts: _Firsts | None = None
    ) -> Task:
        return lambda: self.together(group, edition, firsts or {})

    def _apart(self, unit: Unit) -> Task:
        return lambda: Step(done=[(unit, self.alone(unit))])

    def together(self, group: Sequence[Unit], edition: int, firsts: _Firsts) -> Step:
        """Judge units as modules of one crate; what cannot be told there is told alone.

        Who does not compile is left out, until the rest does: an error in a member's own text
        does not come from the others, of whom it cannot name anything.
        """
        left = placing.together(group)
        config = self.compiler.config(None, self._sought(group))
        wrong: dict[Placed, list[_Error]] = {}
        with _folder(shared=True) as folder:
            if len(left) > _FEW:
                left, wrong = self._check(left, edition, folder, config)
            for _ in range(_ROUNDS):
                if not left:
                    return self._older(wrong, edition, firsts)
                compiled = self.compiler.compile(
                    placing.crate_of(left), "main.rs", EDITIONS[edition], folder, config, len(left)
                )
                if compiled.done:
                    ran = self._run(left, compiled, folder / BINARY)
                    step = self._older(wrong, edition, firsts)
                    silent = [self._apart(unit) for unit, told in ran if told.reason == NO_TEST]
                    done = [(unit, told) for unit, told in ran if told.reason != NO_TEST]
                    return Step([*done, *step.done], [*silent, *step.more])
                blamed = _by_member(compiled.errors, left)
                if _stopped(compiled.ended) or not blamed:
                    break
                wrong.update({one: why for one, why in blamed.items() if not one.shared})
                left = _parted(left, blamed)
        step = self._older(wrong, edition, firsts)
        rest = [self._apart(one.unit) for one in left]
        return replace(step, more=[*step.more, *rest])

    def _check(
        self, placed: list[Placed], edition: int, folder: Path, config: str
    ) -> tuple[list[Placed], dict[Placed, list[_Error]]]:
        """Who compiles without tests, which are the most of the work; and who never will.

        First as they are, then those to blame once more, sharing nothing but the crate.
        """
        wrong: dict[Placed, list[_Error]] = {}
        looked_at = placed
        for _ in range(2):
            told = self.compiler.compile(
                placing.crate_of(looked_at, tests=False),
                *("main.rs", EDITIONS[edition], folder, config, len(looked_at)),
                check=True,
            )
            blamed = _by_member(told.errors, looked_at)
            # Tests that bring imports and the like may be what an answer lacks: no verdict yet.
            open_ended = [one for one in blamed if not placing.stands_apart(one.unit.tests)]
            wrong |= {o: why for o, why in blamed.items() if not (o.shared or o in open_ended)}
            before = set(placed)
            placed = [*_parted(placed, blamed), *(o for o in open_ended if not o.shared)]
            looked_at = [one for one in placed if one not in before]
            if not looked_at:
                break
        return placed, wrong

    def _older(self, wrong: Mapping[Placed, list[_Error]], edition: int, firsts: _Firsts) -> Step:
        """Who does not compile is tried in the older editions; what counts is the first word."""
        told = {one.unit: firsts.get(one.unit) or _refused(errors) for one, errors in wrong.items()}
        if edition == 0:
            again = [one.unit for one, errors in wrong.items() if _is_of_2018(one.unit, errors)]
            # What others may be the cause of counts only when it is so alone.
            doubtful = [
                one.unit
                for one, errors in wrong.items()
                if one.unit not in again and any(error.code in _OF_OTHERS for error in errors)
            ]
            left = [unit for unit in told if unit not in (*again, *doubtful)]
            more = [self._group(again, 1, told)] if again else []
            return Step([(u, told[u]) for u in left], [*more, *map(self._apart, doubtful)])
        # Imports of 2015 begin at the crate, not at the module: there each must be a crate.
        old = [one.unit for one, errors in wrong.items() if _is_of_2015(one.unit, errors)]
        done = [(unit, judgement) for unit, judgement in told.items() if unit not in old]
        return Step(done, [self._oldest(unit, told[unit]) for unit in old])

    def _oldest(self, unit: Unit, first: Judgement) -> Task:
        def work() -> Step:
            told = self._crate(unit, EDITIONS[-1], self.limits)
            return Step(done=[(unit, first if isinstance(told, list) else told)])

        return work

    def alone(self, unit: Unit, limits: Limits | None = None) -> Judgement:
        """Judge a unit in a crate and sandboxes of its own."""
        first: Judgement | None = None
        for edition in EDITIONS:
            told = self._crate(unit, edition, limits or self.limits)
            if isinstance(told, Judgement):
                return told
            first = first or _refused(told)
            older = _is_of_2018 if edition == EDITIONS[0] else _is_of_2015
            if not older(unit, told):
                break
        assert first is not None  # noqa: S101  (there are editions)
        return first

    def _crate(self, unit: Unit, edition: str, limits: Limits) -> Judgement | list[_Error]:
        """Judge a unit in one edition; or what the compiler has against it."""
        one = placing.alone(unit)
        config = self.compiler.config(unit.version, self._sought([unit]))
        with _folder(shared=True) as folder:
            files = placing.files_of([one])
            compiled = self.compiler.compile(files, one.around, edition, folder, config)
            if compiled.done:
                return self._run([one], compiled, folder / BINARY, limits)[0][1]
            if _stopped(compiled.ended):
                return _broken_off(compiled.ended)
            errors = [_Error.of(message, one) for message in compiled.errors]
            lacking = next((e for e in errors if _NO_LINKER in e.text), None)
            if lacking:
                reason = "no linker for Rust programs. Install one with: apt-get install gcc"
                return Judgement(Outcome.INFRASTRUCTURE, reason, 0.0)
            return errors or [_Error("the compiler gave up", "", "", compiled.ended.stderr[-2000:])]

    def _sought(self, group: Sequence[Unit]) -> list[str]:
        return sorted({api for unit in group for api in unit.apis} & self.apis)

    def _run(
        self,
        placed: Sequence[Placed],
        compiled: Compiled,
        binary: Path,
        limits: Limits | None = None,
    ) -> list[Done]:
        """Run the tests of all members of a crate, each in a process of its own."""
        limits = limits or self.limits
        done: dict[Placed, Judgement] = {}
        for one in placed:
            newer = compiled.too_new(one.file, one.shared)
            if newer:
                reason = f"uses {newer[0]}, stable since {newer[1]}, at {one.unit.version}"
                done[one] = Judgement(Outcome.FAILED, reason, 0.0)
        left = [one for one in placed if one not in done]
        done |= self._try(left, binary, limits) if left else {}
        return [
            (
                one.unit,
                replace(done[one], uses=self._uses(one.unit, compiled.used(one.file, one.shared))),
            )
            for one in placed
        ]

    def _try(
        self, placed: Sequence[Placed], binary: Path, limits: Limits
    ) -> dict[Placed, Judgement]:
        backend, stop = self.compiler.backend, self.compiler.stop
        shared = [one for one in placed if one.module and one.unit.sharing.sandbox]
        listed, heard = run_many(binary, shared, backend, limits, stop) if shared else ([], {})
        if not listed:
            listed, ended = listing(binary, backend, limits, stop)
            if ended.status != 0:
                return {one: conclude(_tried(one, (), ended), limits) for one in placed}
        tried = {one: _tried(one, listed, Ended(None, "", "", 0.0)) for one in placed}

        def told(those: Sequence[Placed], heard: Mapping[Placed, Ended]) -> dict[Placed, Judgement]:
            done = {}
            for one in those:
                if one in heard:
                    done[one] = conclude(replace(tried[one], ended=heard[one]), limits)
                    if done[one].outcome is not Outcome.ERROR:
                        continue
                # Whatever was not told clearly among others is told alone.
                own = run_one(binary, one, backend, limits, stop)
                done[one] = conclude(replace(tried[one], ended=own), limits)
            return done

        done = told(placed, heard)
        for _ in range(_AGAIN):
            again = [one for one in placed if _may_be_chance(one.unit, done[one])]
            together = [one for one in again if one in shared]
            heard = run_many(binary, together, backend, limits, stop)[1] if together else {}
            for one, judgement in told(again, heard).items():
                wrong = judgement.outcome is Outcome.FAILED
                done[one] = replace(judgement, reason=_UNSTEADY) if wrong else judgement
        return done

    def _uses(self, unit: Unit, used: frozenset[str]) -> bool | None:
        known = self.apis & frozenset(unit.apis)
        return bool(known & used) if known and self.compiler.checks else None


@dataclass(frozen=True, slots=True)
class _Error:
    """An error of the compiler's, as it is told to people."""

    text: str
    code: str
    source: str  # the words that it is about
    rendered: str

    @classmethod
    def of(cls, message: Message, one: Placed) -> _Error:
        where = f"line {message.line}: "
        if message.file == one.around and message.line == 1:
            where = ""  # what the answer says of the whole crate
        elif message.file == one.around:
            where = f"in the tests, line {message.line - 1}: "
        elif message.file != one.file:
            where = ""
        # The module that it is in is our affair, not the reader's.
        text = str(message).replace(one.prefix, "") if one.module else str(message)
        return cls(where + text, message.code, message.source, message.rendered)


def _may_be_chance(unit: Unit, judgement: Judgement) -> bool:
    return judgement.outcome is Outcome.PASSED and unit.plain and unit.answer != unit.reference


def _is_of_2018(unit: Unit, errors: Sequence[_Error]) -> bool:
    """Whether an edition before 2021 may have nothing against what that one refuses."""
    arrays = "into_iter" in unit.answer or "into_iter" in unit.tests  # of references, then
    return arrays or any(error.code in _OF_2018 for error in errors)


def _is_of_2015(unit: Unit, errors: Sequence[_Error]) -> bool:
    """Whether the oldest edition may have nothing against what a newer one refuses."""
    declared = features(unit.answer).declared | features(unit.tests).declared
    return any(
        _RESERVED.search(error.text)
        or (error.code in _OF_PATHS and error.source.partition("::")[0] in declared)
        for error in errors
    )


def _refused(errors: Sequence[_Error]) -> Judgement:
    log = "\n".join(error.rendered for error in errors)
    return Judgement(Outcome.ERROR, f"does not compile: {errors[0].text}", 0.0, log=log)


def _by_member(errors: Sequence[Message], placed: Sequence[Placed]) -> dict[Placed, list[_Error]]:
    """Whose errors these are; those in what several share are everyone's."""
    files: defaultdict[str, list[Placed]] = defaultdict(list)
    for one in placed:
        for name in filter(None, (one.file, one.around, one.shared)):
            files[name].append(one)
    found: dict[Placed, list[_Error]] = {}
    for error in errors:
        for one in files.get(error.file, ()):
            found.setdefault(one, []).append(_Error.of(error, one))
    return found


def _parted(placed: Sequence[Placed], blamed: Container[Placed]) -> list[Placed]:
    """Who is left when those to blame are gone, or stand apart: each is refused for itself."""
    innocent = [one for one in placed if one not in blamed]
    return innocent + [placing.apart(one) for one in placed if one in blamed and one.shared]


def _stopped(ended: Ended) -> bool:
    return ended.status is None or ended.status > _SIGNALS


def _broken_off(ended: Ended) -> Judgement:
    """What a compiler that did not end by itself says of the answer."""
    log = ended.stderr[-4000:]
    if ended.trouble or ended.stopped_by == "request":
        reason = ended.trouble or "interrupted"
        return Judgement(Outcome.INFRASTRUCTURE, reason, ended.seconds, log=log)
    if ended.stopped_by == "time":
        reason = f"does not compile in {ended.seconds:.0f} s"
        return Judgement(Outcome.ERROR, reason, ended.seconds, log=log)
    why = f"over the {ended.stopped_by} limit" if ended.stopped_by else "the compiler crashed"
    return Judgement(Outcome.ERROR, f"does not compile: {why}", ended.seconds, log=log)


def _tried(one: Placed, listed: Sequence[str], ended: Ended) -> AnswerRun:
    mine = [name.removeprefix(one.prefix) for name in listed if name.startswith(one.prefix)]
    judging = [name for name in mine if name != one.canary]
    return AnswerRun(ended, tuple(judging), tuple(mine), one.canary, one.prefix)
