"""The hostile corpus: none passes, none harms a neighbour, none leaves anything behind."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from libdrift import config, suites
from libdrift.environments import Ready
from libdrift.execution import Job, Options, run_jobs
from libdrift.records import REMOTE, Environment, Outcome, TestStyle
from libdrift.sandbox import Backend, Judgement, Limits, Program, judge
from libdrift.sandbox.conformance import strangers, traces
from libdrift.sandbox.hostile import Hostile, corpus
from tests.sandbox.lenient_targets import LENIENT
from tests.sandbox.targets import APPLY, DOUBLE, GREET, TARGETS, TOTAL, Target

LIMITS = Limits(wall_seconds=2, cpu_seconds=5)
HONEST, TESTS = TOTAL.reference, TOTAL.tests
HIDDEN, VISIBLE = TESTS[TestStyle.PYTEST], TESTS[TestStyle.SCRIPT]


def run(
    answer: str,
    style: TestStyle,
    place: Ready,
    backend: Backend,
    *,
    fresh: bool = False,
    target: Target = TOTAL,
) -> Judgement:
    """As an answer file's line is judged: with a decoy for whoever passes and is not plain."""
    program = Program(answer, target.tests[style], style)
    options = Options(config.load(), backend, LIMITS, workers=1, fresh=fresh)
    job = Job(("t",), place.environment, program, target.reference)
    ((_, judgement),) = run_jobs([job], options)
    return judgement


def test_the_corpus_is_large_enough_and_says_what_it_tries() -> None:
    programs = corpus()
    assert len(programs) >= 30
    assert all(program.intent.endswith(".") for program in programs)
    assert len({program.intent for program in programs}) == len(programs)
    assert [program.name for program in programs if "# with:" in program.code] == []


# Answers are judged in forks, so all are tried there; a fresh process is the simpler case, and is
# tried with a third of them. `make bench-hostile` runs all of them both ways, beside honest answers.
WAYS = [
    pytest.param(program, style, fresh, id=f"{program.name}-{name}")
    for number, program in enumerate(corpus())
    for style, fresh, name in (
        (TestStyle.PYTEST, False, "forked"),
        (TestStyle.SCRIPT, False, "forked script"),
        (TestStyle.PYTEST, True, "fresh"),
    )
    if not fresh or number % 3 == 0
]


@pytest.mark.parametrize(("program", "style", "fresh"), WAYS)
def test_no_hostile_program_passes(
    program: Hostile,
    style: TestStyle,
    place: Ready,
    bubblewrap: Backend,
    fresh: bool,  # noqa: FBT001
) -> None:
    judgement = run(program.against("total"), style, place, bubblewrap, fresh=fresh)
    assert judgement.outcome not in (Outcome.PASSED, Outcome.INFRASTRUCTURE), judgement


# Those that need texts, callables or random numbers to get anywhere.
ELSEWHERE = [
    (
        GREET,
        ("style_of_quotes", "spelling_of_words", "all_that_can_be_told", "real_outcomes_raised"),
    ),
    (APPLY, ("reach_through_arguments", "odd_calls_of_callbacks", "liars_in_the_arguments")),
    (DOUBLE, ("spoiled_random_state", "nothing_to_compare")),
]


@pytest.mark.parametrize("style", list(TESTS))
@pytest.mark.parametrize(
    ("target", "name"), [(target, name) for target, names in ELSEWHERE for name in names]
)
def test_no_hostile_program_passes_the_tests_it_was_written_for(
    target: Target, name: str, style: TestStyle, place: Ready, bubblewrap: Backend
) -> None:
    program = {item.name: item for item in corpus()}[name]
    answer = program.against(target.entry)
    judgement = run(answer, style, place, bubblewrap, target=target)
    assert judgement.outcome not in (Outcome.PASSED, Outcome.INFRASTRUCTURE), judgement


@pytest.mark.parametrize("name", ["coin_perfect_or_garbled", "coin_perfect_or_one_failure"])
def test_chance_does_not_pass_either(name: str, place: Ready, bubblewrap: Backend) -> None:
    """One time in four would do for a forger that is asked ten times."""
    program = {item.name: item for item in corpus()}[name]
    answer = program.against("total")
    found = [run(answer, TestStyle.PYTEST, place, bubblewrap).outcome for _ in range(12)]
    assert Outcome.PASSED not in found


EVEN = Target(
    "even",
    "def even(number):\n    return number % 2 == 0\n",
    {TestStyle.SCRIPT: "assert even(4) is True\nassert even(7) is False\n"},
)


def test_two_truth_values_are_not_guessed(place: Ready, bubblewrap: Backend) -> None:
    """Once in four times, if asked for them once."""
    coin = "import random\n\n\ndef even(number):\n    return random.choice([True, False])\n"
    program = Program(coin, EVEN.tests[TestStyle.SCRIPT], TestStyle.SCRIPT)
    options = Options(config.load(), bubblewrap, LIMITS, workers=1)
    jobs = [Job((str(n),), place.environment, program, EVEN.reference) for n in range(24)]
    found = [judgement.outcome for _, judgement in run_jobs(jobs, options)]
    assert found.count(Outcome.PASSED) <= 2
    assert found.count(Outcome.FAILED) >= 22
    honest = run(EVEN.reference + "import os\n", TestStyle.SCRIPT, place, bubblewrap, target=EVEN)
    assert honest.outcome is Outcome.PASSED
    assert honest.proof == REMOTE


# Those that live in the room which tests leave, by the tests that leave it; and how often each is
# judged: who tosses coins would pass at least once.
IN_ROOM = [
    ("mean", "fractions_of_nothing", 1),
    ("squares", "sequences_that_give_nothing", 1),
    ("squares", "wrong_numbers_of_parts", 1),
    ("evens", "sequences_that_are_true", 1),
    ("evens", "some_of_its_arguments", 6),
    ("trend", "signs_at_random", 12),
    ("longest", "one_of_its_arguments", 6),
    ("in_order", "arguments_in_another_order", 12),
    ("invertible", "coins_of_other_kinds", 8),
    ("invertible", "nothing_by_chance", 8),
    ("below", "masks_of_coins", 8),
    ("halves", "empty_arrays_further_in", 1),
    ("cut", "empty_arrays_in_arrays", 1),
    ("cut", "graphs_with_two_faces", 1),
    ("root", "floats_that_vanish", 1),
    ("root", "floats_of_one_bit", 6),
    ("positive", "coins_of_logic", 8),
    ("ring", "graphs_with_two_faces", 1),
    ("inverted", "pictures_of_nothing", 1),
    ("product", "numbers_of_few_digits", 1),
    ("divisors", "members_by_chance", 8),
    ("words", "lengths_by_chance", 8),
    ("square_root", "order_beside_errors", 8),
    ("bounds", "empty_arrays_in_objects", 1),
    ("each", "empty_arrays_in_objects", 1),
    ("spread", "empty_arrays_in_objects", 1),
    ("twice", "empty_where_something_is_asked", 1),
    ("Scale", "contexts_that_hide_errors", 1),
    ("report", "every_number_in_words", 1),
    ("running", "first_of_its_elements", 1),
    ("tally", "missing_values", 1),
    ("Gauge", "parts_by_turns", 1),
]
ROOMY = {target.entry: target for target in LENIENT}


def environment_of(target: Target, settings: config.Settings, place: Ready) -> Environment:
    if not target.task:
        return place.environment
    return suites.load("starter", settings).tasks[target.task].environment


@pytest.mark.parametrize("style", list(TESTS))
@pytest.mark.parametrize(("entry", "name", "times"), IN_ROOM)
def test_room_that_tests_leave_is_no_way_to_pass_them(
    entry: str,
    name: str,
    times: int,
    style: TestStyle,
    settings: config.Settings,
    place: Ready,
    bubblewrap: Backend,
) -> None:
    """Once in a thousand times, if at all: each coin here would pass once in four to 20."""
    target = ROOMY[entry]
    attack = {item.name: item for item in corpus()}[name].against(entry)
    honest = target.reference + "import os\n"
    own = environment_of(target, settings, place)
    jobs = [
        Job((str(number),), own, Program(answer, target.tests[style], style), target.reference)
        for number, answer in enumerate([honest, *[attack] * times])
    ]
    found = dict(run_jobs(jobs, Options(settings, bubblewrap, LIMITS.with_time(5), workers=1)))
    right, *wrong = (found[job] for job in jobs)
    assert (right.outcome, right.proof) == (Outcome.PASSED, REMOTE), right
    assert not {Outcome.PASSED, Outcome.INFRASTRUCTURE} & {one.outcome for one in wrong}, wrong


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.entry)
@pytest.mark.parametrize("style", list(TESTS))
def test_the_references_of_all_targets_pass(
    target: Target, style: TestStyle, place: Ready, bubblewrap: Backend
) -> None:
    answer = target.reference + "import os\n"
    judgement = run(answer, style, place, bubblewrap, target=target)
    assert judgement.outcome is Outcome.PASSED, judgement


@pytest.mark.parametrize("style", list(TESTS))
def test_an_honest_answer_passes_the_same_tests(
    style: TestStyle, place: Ready, bubblewrap: Backend
) -> None:
    for text in ("# another text than the reference's\n", "import os\n"):
        judgement = run(HONEST + text, style, place, bubblewrap)
        assert judgement.outcome is Outcome.PASSED
        assert judgement.proof == REMOTE


# Those that reach for what is outside of their process.
VIOLENT = [
    "disk_bomb",
    "endless_output",
    "fork_bomb",
    "forked_memory_bomb",
    "kill_everyone",
    "leave_a_daemon",
    "read_every_descriptor",
    "thread_bomb",
    "threads_that_outlive",
    "write_results",
    "write_to_every_descriptor",
]


@pytest.mark.parametrize("name", VIOLENT)
def test_neighbours_and_host_are_unharmed(name: str, place: Ready, bubblewrap: Backend) -> None:
    program = {item.name: item for item in corpus()}[name]
    before = traces()
    patient = Limits(wall_seconds=60)

    def honest(_: int) -> Outcome:
        neighbour = Program(HONEST, HIDDEN, TestStyle.PYTEST)
        return judge(neighbour, place, bubblewrap, patient).outcome

    with ThreadPoolExecutor(max_workers=2) as pool:
        attack = pool.submit(run, program.against("total"), TestStyle.PYTEST, place, bubblewrap)
        neighbours = [honest(index) for index in range(3)]
        assert attack.result().outcome is not Outcome.PASSED
    assert neighbours == [Outcome.PASSED] * 3
    assert honest(0) is Outcome.PASSED, "the next verdict"
    assert strangers() == []
    assert traces() - before == set()


def test_what_is_running_is_seen(place: Ready, bubblewrap: Backend) -> None:
    """The positive control for "nothing is left": a guest that still runs is found."""
    waiting = Program("import time\ntime.sleep(60)\n", VISIBLE, TestStyle.SCRIPT)
    with ThreadPoolExecutor(max_workers=1) as pool:
        running = pool.submit(judge, waiting, place, bubblewrap, Limits(wall_seconds=2))
        seen = 0
        while not running.done():
            seen = max(seen, len(strangers()))
            time.sleep(0.05)
    assert seen >= 1
    assert strangers() == []


def test_our_own_tests_and_answers_are_not_in_the_sandbox(
    place: Ready, bubblewrap: Backend
) -> None:
    answer = """
import os

SEEN = []
for folder, _, names in os.walk("/"):
    if folder.startswith(("/proc", "/usr/lib", "/usr/share")):
        continue
    SEEN += [os.path.join(folder, n) for n in names if n in ("hidden.py", "reference.py")]
"""
    program = Program(answer, "assert SEEN == [], SEEN", TestStyle.SCRIPT)
    judgement = judge(program, place, bubblewrap, Limits())
    assert judgement.outcome is Outcome.PASSED, judgement.log


def test_packages_beside_the_base_interpreter_are_masked(place: Ready, bubblewrap: Backend) -> None:
    minor = ".".join(place.interpreter.split(".")[:2])
    folder = place.interpreter_prefix / "lib" / f"python{minor}" / "site-packages"
    if not folder.is_dir():
        pytest.skip("this interpreter keeps its packages elsewhere")
    program = Program("import os", f"assert os.listdir({str(folder)!r}) == []", TestStyle.SCRIPT)
    assert judge(program, place, bubblewrap, Limits()).outcome is Outcome.PASSED


def test_a_stopped_run_ends_at_once(place: Ready, bubblewrap: Backend) -> None:
    import threading

    stop = threading.Event()
    threading.Timer(0.5, stop.set).start()
    started = time.monotonic()
    program = Program("while True:\n    pass\n", VISIBLE, TestStyle.SCRIPT)
    judgement = judge(program, place, bubblewrap, Limits(wall_seconds=60), stop)
    assert judgement.outcome is Outcome.INFRASTRUCTURE
    assert time.monotonic() - started < 30
    assert strangers() == []
