"""Tests that a model wrote for a Python function, as a script that goes on in its namespace."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from libdrift.build.recipes.executing import job_of, passed, told
from libdrift.build.recipes.gates import hollowed
from libdrift.build.recipes.replies import python_code
from libdrift.build.recipes.steps import JudgeRequest, Part, ReplyFault
from libdrift.languages.python.usage import imported, parsed
from libdrift.records import Split, Task, Tests, TestStyle
from libdrift.suites.versicode.unit_tests import looked_at

_RUNNERS = {"pytest", "unittest.TestCase", "nose"}


def script_tests(reply: str) -> str | ReplyFault:
    """Assertions as statements. Functions called test_… are called, where nobody calls them."""
    code = python_code(reply)
    return code if isinstance(code, ReplyFault) else plain_script(code)


def plain_script(code: str) -> str | ReplyFault:
    """The same of code that parses."""
    tree = parsed(code)
    if tree is None:
        return ReplyFault("the tests do not parse")
    for node in ast.walk(tree):
        for item in imported(node):
            if item.full.partition(".")[0] in _RUNNERS:
                return ReplyFault(f"write plain assert statements, without {item.full}")
        if isinstance(node, ast.ClassDef) and any("TestCase" in ast.unparse(b) for b in node.bases):
            return ReplyFault("write plain assert statements, without classes of tests")
    raised = any(isinstance(node, ast.Raise) for node in ast.walk(tree))
    if not raised and looked_at(code) is None:
        return ReplyFault("the tests assert nothing")
    calls = "".join(f"{name}()\n" for name in _uncalled(tree))
    return f"{code.rstrip()}\n{calls}"


def _uncalled(tree: ast.Module) -> Iterator[str]:
    called = {
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
            taken = [*node.args.posonlyargs, *node.args.args]
            if node.name not in called and len(taken) == len(node.args.defaults):
                yield node.name


def script_holds(task: Task, code: str, *, split: Split = Split.HIDDEN) -> Part[str]:
    """Why tests are no good for a task's reference: it fails them, or a hollow one does not."""
    tests = Tests(split, TestStyle.SCRIPT, code)
    hollow = hollowed(task.reference)
    jobs = [job_of((task.id, "reference"), task, tests, task.reference)]
    if hollow != task.reference:
        jobs.append(job_of((task.id, "hollow"), task, tests, hollow))
    found = yield JudgeRequest("tests", tuple(jobs))
    reference = found[task.id, "reference"]
    if not passed(reference):
        return f"the solution does not pass these tests: {told(reference)}"
    if passed(found.get((task.id, "hollow"))):
        return "a function without a body passes these tests: they must look at what it returns"
    return ""
