"""What a program's run left behind, as a model may read it: short, without this machine's paths.

The same run reads the same each time: what differs (addresses, times, names of temporary files)
is taken out, so that a run that goes on after a kill asks the questions that it asked before.
"""

from __future__ import annotations

import re
from pathlib import Path

from libdrift.config import Settings
from libdrift.records import Outcome
from libdrift.sandbox import Judgement

LONGEST = 3000  # characters: an error and the frames that lead to it
_TIMEOUT = "The program did not end within its time limit."
_TROUBLE = "The machine had trouble with this run: it says nothing about the program."

# A frame of libdrift's own driver, with the source lines that follow it.
_DRIVER = re.compile(r'^  File "/run/libdrift/[^\n]*\n(?:    [^\n]*\n)*', re.MULTILINE)
_LIBRARY = re.compile(r"(?<![\w./])/(?!/)[^\s\"'`()\[\]]*/(?:site|dist)-packages/")
_STANDARD = re.compile(r"(?<![\w./])/(?!/)[^\s\"'`()\[\]]*/lib/python\d\.\d+/")
_WORK = re.compile(r"(?<![\w.])/(?:tmp/work|run/libdrift)/")
_TEMPORARY = re.compile(r"/tmp/tmp\w+")  # noqa: S108  (of the sandbox)
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}\b")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:[.,]\d+)?")
_LASTED = re.compile(r"\b(in|took) \d+\.\d+ ?s(?:ec\w*)?\b")


def told(judgement: Judgement, settings: Settings, longest: int = LONGEST) -> str:
    """What became of a program that did not do what it should."""
    if judgement.outcome is Outcome.TIMEOUT:
        return _joined(_TIMEOUT, output(judgement, settings, longest))
    if judgement.outcome is Outcome.INFRASTRUCTURE:
        return _TROUBLE
    return _joined(
        steady(judgement.reason, settings)[:longest], output(judgement, settings, longest)
    )


def output(judgement: Judgement, settings: Settings, longest: int = LONGEST) -> str:
    """What a program wrote: the end of it, where the error is."""
    return tail(steady(_DRIVER.sub("", judgement.log), settings).strip(), longest)


def steady(text: str, settings: Settings) -> str:
    """A text without paths of this machine, nor what differs from run to run."""
    for pattern in (_LIBRARY, _STANDARD, _WORK):
        text = pattern.sub("", text)
    for folder in (settings.cache, Path.home()):
        if folder.name:  # not the root, which every path begins with
            text = re.sub(rf"{re.escape(str(folder))}/(?:[^\s\"'`()\[\],]*/)?", "", text)
    text = _TEMPORARY.sub("/tmp/…", text)  # noqa: S108
    text = _MOMENT.sub("…", _ADDRESS.sub("0x…", text))
    return _LASTED.sub(r"\1 … s", text)


def tail(text: str, longest: int) -> str:
    """The end of a text, from the beginning of a line where that costs little."""
    if len(text) <= longest:
        return text
    end = text[-longest:]
    line = end.find("\n") + 1
    return f"…\n{end[line:] if line <= longest // 2 else end}"


def head(text: str, longest: int) -> str:
    """The beginning of a text, up to the end of a line where that costs little."""
    if len(text) <= longest:
        return text
    start = text[:longest]
    line = start.rfind("\n")
    return f"{start[:line] if line >= longest // 2 else start}\n…"


def _joined(first: str, rest: str) -> str:
    return f"{first}\n\n{rest}" if rest else first
