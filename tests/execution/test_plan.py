from __future__ import annotations

from libdrift.execution.plan import Job, Plan
from libdrift.records import Environment, TestStyle
from libdrift.sandbox import Program


def job(task: str, place: str, number: int = 0) -> Job:
    program = Program(f"answer {number}", "assert f()", TestStyle.SCRIPT)
    return Job((task, str(number)), Environment("python", "3.11", (place,)), program)


def places(jobs: list[Job | None]) -> list[str]:
    return [item.environment.requirements[0] for item in jobs if item]


def test_workers_keep_to_an_environment_of_their_own() -> None:
    plan = Plan([job(f"t{n}", "a==1") for n in range(3)] + [job(f"u{n}", "b==1") for n in range(3)])
    first, second = [], []
    for _ in range(3):
        first.append(plan.take(1))
        second.append(plan.take(2))
    assert len(set(places(first))) == len(set(places(second))) == 1
    assert {*places(first), *places(second)} == {"a==1", "b==1"}
    assert plan.take(1) is None
    assert plan.take(2) is None


def test_a_free_worker_helps_where_much_is_left_and_only_there() -> None:
    plan = Plan([job(f"t{n}", "a==1") for n in range(8)])
    taken = [plan.take(worker) for worker in (1, 2, 1, 2, 1, 2, 1, 2)]
    assert len(taken) == len([item for item in taken if item]) == 8
    few = Plan([job(f"t{n}", "a==1") for n in range(3)])
    assert few.take(1)
    assert few.take(2) is None, "warming up would take longer than the jobs"
    assert few.take(1)


def test_every_job_is_done_once_and_answers_to_a_task_stay_together() -> None:
    jobs = [job(f"t{n % 3}", "a==1", n) for n in range(12)]
    plan = Plan(jobs)
    order = [plan.take(1) for _ in range(12)]
    assert {item.key for item in order if item} == {item.key for item in jobs}
    tasks = [item.key[0] for item in order if item]
    assert tasks == sorted(tasks)
