"""Troubles that are not a command's own are not told as its crash."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from libdrift.cli import app as commands
from libdrift.history.store import Store, opening
from tests.history.small import function, surface


class _Full(logging.Handler):
    """A log that has no place."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            Path("/no/such/folder/log").write_text("unheard", encoding="utf-8")
        except OSError:
            self.handleError(record)


@pytest.mark.parametrize("verbose", [False, True])
def test_a_log_that_cannot_be_written_leaves_no_trace(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    verbose: bool,  # noqa: FBT001
) -> None:
    monkeypatch.setattr(logging, "raiseExceptions", True)
    commands.root(verbose=verbose)
    logger = logging.getLogger("libdrift.test_trouble")
    handler = _Full()
    logger.addHandler(handler)
    try:
        logger.error("unheard")
    finally:
        logger.removeHandler(handler)
    assert ("Traceback" in capsys.readouterr().err) == verbose


@pytest.mark.parametrize("damaged", [False, True])
def test_what_a_damaged_history_explains_is_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    damaged: bool,  # noqa: FBT001
) -> None:
    path = tmp_path / "history.sqlite"
    monkeypatch.setattr(opening, "OPENED", set())
    with Store.open(path) as store:
        store.add(surface("1", function("pkg:f", "a", doc="x" * 99)))
        if damaged:
            store.db.execute("UPDATE blobs SET data = x'0001' WHERE id = 1")

    def crash() -> None:
        raise TypeError("argument of type 'NoneType' is not iterable")

    monkeypatch.setattr(commands, "app", crash)
    if not damaged:
        with pytest.raises(TypeError):
            commands.main()
        return
    with pytest.raises(SystemExit) as ended:
        commands.main()
    said = capsys.readouterr().err
    assert ended.value.code == 3
    assert said.startswith("libdrift: the history is damaged: content 1 is not what was stored")
    assert said.endswith("libdrift doctor --deep\n")
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("can't start new thread"),
        MemoryError(),
        RuntimeError("ZstdError('zstd compress error: Allocation error : not enough memory')"),
    ],
    ids=["threads", "memory", "compression"],
)
def test_a_machine_that_is_short_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: Exception
) -> None:
    def crash() -> None:
        raise error

    monkeypatch.setattr(commands, "app", crash)
    with pytest.raises(SystemExit) as ended:
        commands.main()
    said = capsys.readouterr().err
    assert (ended.value.code, said.count("\n")) == (3, 1)
    assert said.startswith("libdrift: no memory or processes left on this machine")
