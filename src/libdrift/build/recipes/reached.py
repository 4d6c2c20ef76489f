"""Which blocks of a reference its tests reach: those where an early end makes a test fail.

Nothing is instrumented and no other tool is needed: each block in turn gets a first statement that
ends the program, and where all tests still pass, none of them has come by.
"""

from __future__ import annotations

from dataclasses import dataclass

from tree_sitter import Node

from libdrift.build.recipes.executing import job_of, passed
from libdrift.build.recipes.steps import JudgeRequest, Part
from libdrift.metrics import trees
from libdrift.records import Task, Tests

_STOP = {"rust": b'{ panic!("not reached");', "python": b'raise AssertionError("not reached")'}
_FUNCTIONS = {"rust": "function_item", "python": "function_definition"}
_MOST = 40  # blocks of one reference that are tried


@dataclass(frozen=True, slots=True)
class CodeBlock:
    line: int
    end_line: int
    stopped: str  # the program that ends there


@dataclass(frozen=True, slots=True)
class ReachedBlocks:
    """How many blocks there are, and those that no test comes by."""

    count: int
    missed: tuple[CodeBlock, ...]

    @property
    def share(self) -> float:
        return 1.0 - len(self.missed) / self.count if self.count else 1.0


def blocks(code: str, language: str) -> list[CodeBlock]:
    """The blocks in a program's functions, in the order of the text."""
    data = trees.encoded(code)
    root = trees.root(data, language)
    found = [node for node in trees.walk(root) if node.type == "block" and _inside(node, language)]
    return [_stopped(node, data, language) for node in found[:_MOST]]


def _inside(node: Node, language: str) -> bool:
    above = node.parent
    while above is not None:
        if above.type == _FUNCTIONS[language]:
            return True
        above = above.parent
    return False


def _stopped(node: Node, data: bytes, language: str) -> CodeBlock:
    start = node.start_byte
    if language == "rust":
        changed = data[:start] + _STOP[language] + data[start + 1 :]
    else:
        first = node.named_children[0].start_byte if node.named_children else start
        line_start = data.rfind(b"\n", 0, first) + 1
        indentation = data[line_start:first]
        own_line = not indentation.strip()
        glue = b"\n" + indentation if own_line else b"; "
        changed = data[:first] + _STOP[language] + glue + data[first:]
    text = changed.decode("utf-8", "replace")
    return CodeBlock(node.start_point[0] + 1, node.end_point[0] + 1, text)


def reached(task: Task, tests: Tests) -> Part[ReachedBlocks]:
    """The blocks of a task's reference that some tests do not reach, found by running."""
    found = blocks(task.reference, task.language)
    jobs = tuple(
        job_of((task.id, "block", str(number)), task, tests, block.stopped)
        for number, block in enumerate(found)
    )
    if not jobs:
        return ReachedBlocks(0, ())
    judged = yield JudgeRequest("coverage", jobs)
    missed = tuple(
        block
        for number, block in enumerate(found)
        if passed(judged.get((task.id, "block", str(number))))
    )
    return ReachedBlocks(len(found), missed)
