"""Every store, damaged in every way: told in a line or made anew, never misread, found by doctor."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import pytest

from libdrift import kept
from libdrift.advisor.suppression import baseline_text, without_baseline
from libdrift.config import Settings
from libdrift.environments import checking, crate_records, crates, store
from libdrift.errors import LibdriftError, UserError
from libdrift.evals.ledger import Ledger, Line
from libdrift.evals.local.weights import SMOLLM2
from libdrift.execution import RunFolder, proofs, remembered
from libdrift.history.store import Store
from libdrift.history.store.schema import MIGRATIONS
from libdrift.jobs.stores import StoreDamage, check_stores
from libdrift.languages.rust import std_cache
from libdrift.languages.rust.pages import LibraryPages
from libdrift.mining.examples.keeping import KeptRuns
from libdrift.mining.parse_cache import ParseCache
from libdrift.records import Outcome, Verdict
from libdrift.retrieval.passages import FolderPassages
from libdrift.retrieval.queries import query
from libdrift.sandbox.commands import Ended
from tests.history.small import function, surface

_PROVEN = proofs.Proven(remote=True, why_not="so", fooled_by=("a", "b"))
_ENDED = Ended(0, "what was printed\n", "", 1.0)
_PARSED = {(number, 10, ".py"): bytes([number]) * 300 for number in range(50)}
_TOLD = {"printed": ["x" * 100, "y"], "end": "done"}
_PAGES = LibraryPages((), (), ("std::a", "std::b"))
_VERDICTS = [Verdict(f"t{at}", 0, "hidden", Outcome.PASSED, seconds=1.0) for at in range(5)]  # type: ignore[arg-type]
_ABOUT = {"fingerprint": "x", "suite": "small"}


def _proofs(settings: Settings) -> Path:
    proofs.Proofs(settings.proofs)._write("ab" * 16, _PROVEN)
    return settings.proofs / "ab" / f"{'ab' * 16}.json"


def _outputs(settings: Settings) -> Path:
    path = settings.cache / "outputs" / "a.json"
    remembered._write(path, _ENDED)
    return path


def _rust(settings: Settings) -> Path:
    path = settings.cache / "rust" / "std-a.json"
    path.parent.mkdir(parents=True)
    body = json.dumps(std_cache._pack(_PAGES)).encode()
    path.write_bytes(kept.seal(std_cache.KIND, std_cache._FORMAT, body))
    return path


def _parsed(settings: Settings) -> Path:
    path = settings.cache / "mining" / "parsed.sqlite"
    cache = ParseCache(path, "1")
    cache.put(_PARSED)
    cache.close()
    return path


def _examples(settings: Settings) -> Path:
    path = settings.cache / "examples.sqlite"
    runs = KeptRuns(path)
    runs.put("a", _TOLD)
    runs.close()
    return path


def _searched(settings: Settings) -> list[str]:
    documents = settings.cache / "documents" / "pkg"
    documents.mkdir(parents=True, exist_ok=True)
    (documents / "page.md").write_text("# Rows\n\nAppend rows to the end.\n", encoding="utf-8")
    found = FolderPassages(documents.parent, settings.indexes)
    try:
        return [one.text for one in found.search(query("append rows", "pkg", "1"))]
    finally:
        found.close()


def _index(settings: Settings) -> Path:
    assert _searched(settings)
    return next(settings.indexes.glob("index-*.sqlite"))


def _history(settings: Settings) -> Path:
    with Store.open(settings.history) as opened:
        opened.add(surface("1", *(function(f"pkg:f{at}", "a", doc="x" * 99) for at in range(80))))
        opened.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return settings.history


def _read_history(settings: Settings) -> int:
    with Store.open(settings.history, readonly=True) as opened:
        return len(opened.surface("pkg", "1").symbols)


def _run(settings: Settings) -> RunFolder:
    return RunFolder(settings.cache / "runs" / "one")


def _run_json(settings: Settings) -> Path:
    run = _run(settings)
    with run.open(_ABOUT):
        for verdict in _VERDICTS:
            run.append(verdict)
    return run.path / "run.json"


def _verdicts(settings: Settings) -> Path:
    return _run_json(settings).with_name("verdicts.jsonl")


def _read_run(settings: Settings) -> list[Verdict] | None:
    with _run(settings).open(_ABOUT) as known:
        found = list(known.values())
    # What a damaged line was of is computed again; all others must be as they were.
    return _VERDICTS if all(one in _VERDICTS for one in found) else None


def _calls(settings: Settings) -> Path:
    path = _run_json(settings).with_name("calls.jsonl")
    ledger = Ledger(path.parent)
    ledger.open(lambda _: True)
    for at in range(5):
        ledger.add(Line(key=str(at), output={"said": at}))
    ledger.close()
    return path


def _read_calls(settings: Settings) -> str:
    ledger = Ledger(_run(settings).path)
    ledger.open(lambda _: True)
    try:
        found = [ledger.find(str(at)) for at in range(5)]
    finally:
        ledger.close()
    wrong = [told for at, told in enumerate(found) if told not in (None, {"said": at})]
    return f"misread: {wrong}" if wrong else ""


def _environment(settings: Settings) -> Path:
    folder = settings.environments / "abc"
    (folder / "venv" / "bin").mkdir(parents=True)
    (folder / "venv" / "bin" / "python").touch()
    entry = store.StoredEnvironment(
        key="abc",
        language="python",
        runtime="3.11",
        requirements=("a==1",),
        as_of=None,
        status="ready",
        built=store.now(),
    )
    (folder / store.RECORD).write_text(entry.model_dump_json(indent=1), encoding="utf-8")
    return folder / store.RECORD


def _crates(settings: Settings) -> Path:
    path = settings.cache / "crates" / "abc" / crate_records.RECORD
    path.parent.mkdir(parents=True)
    record = {"format": crate_records.FORMAT, "externs": {"bitflags": "x" * 99}, "native": []}
    path.write_text(json.dumps(record), encoding="utf-8")
    return path


def _read_crates(settings: Settings) -> str:
    found = crates._existing(settings.cache / "crates" / "abc")
    return "" if found is None or found.names == {"bitflags"} else "misread"


def _read_parsed(settings: Settings) -> bool:
    cache = ParseCache(settings.cache / "mining" / "parsed.sqlite", "1")
    found = cache.get(_PARSED)
    cache.put(_PARSED)
    again = cache.get(_PARSED)
    cache.close()
    return found.items() <= _PARSED.items() and again.items() <= _PARSED.items()


def _read_examples(settings: Settings) -> object:
    runs = KeptRuns(settings.cache / "examples.sqlite")
    found = runs.get(["a"])
    runs.close()
    return found.get("a", _TOLD)


@dataclass(frozen=True, slots=True)
class _Kind:
    """A store: how a file of it is made, and what its reader must say, damaged or not.

    ``data`` is no cache: there it may refuse as well.
    """

    make: Callable[[Settings], Path]
    read: Callable[[Settings], object]
    expected: object
    data: bool = False


def _weights(settings: Settings) -> Path:
    path = SMOLLM2.path(settings)
    path.parent.mkdir(parents=True)
    path.write_bytes(b"")
    return path


def _sources(settings: Settings) -> Path:
    folder = settings.cache / "rust" / "sources" / "bitflags-2.4.0-abc"
    (folder / "src").mkdir(parents=True)
    path = folder / "src" / "lib.rs"
    path.write_text("pub fn f() {}\n" * 99, encoding="utf-8")
    files = {"src/lib.rs": hashlib.sha256(path.read_bytes()).hexdigest()}
    (folder / ".cargo-checksum.json").write_text(json.dumps({"files": files, "package": "abc"}))
    return path


KINDS = {
    "crate sources": _Kind(_sources, lambda _: "", ""),
    "proofs": _Kind(
        _proofs,
        lambda s: proofs.Proofs(s.proofs)._read("ab" * 16) or _PROVEN,
        _PROVEN,
    ),
    "outputs": _Kind(
        _outputs, lambda s: remembered._read(s.cache / "outputs" / "a.json") or _ENDED, _ENDED
    ),
    "parsed files": _Kind(_parsed, _read_parsed, expected=True),
    "examples": _Kind(_examples, _read_examples, _TOLD),
    "search indexes": _Kind(
        _index, _searched, ["pkg, every version: page.md#1 Rows\nAppend rows to the end."]
    ),
    "environments": _Kind(
        _environment, lambda s: (store.read(s.environments / "abc") or True) and True, expected=True
    ),
    "crates": _Kind(_crates, _read_crates, ""),
    "history": _Kind(_history, _read_history, 81, data=True),
    "runs": _Kind(_run_json, _read_run, _VERDICTS, data=True),
    "runs: verdicts": _Kind(_verdicts, _read_run, _VERDICTS, data=True),
    "runs: calls": _Kind(_calls, _read_calls, "", data=True),
    "rust documentation": _Kind(_rust, lambda _: _PAGES, _PAGES),
}


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 2 // 3])


def _other(path: Path) -> None:
    path.write_bytes(random.Random(1).randbytes(9000))


def _flipped(path: Path) -> None:
    data = bytearray(path.read_bytes())
    chance = random.Random(2)
    for _ in range(12):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    path.write_bytes(bytes(data))


def _denied(path: Path) -> None:
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("root may read everything")


def _a_folder(path: Path) -> None:
    path.unlink()
    (path / "inner").mkdir(parents=True)


DAMAGES = {
    "zero bytes": _empty,
    "cut short": _cut,
    "random bytes": _other,
    "bits flipped": _flipped,
    "permission denied": _denied,
    "a folder in its place": _a_folder,
}


@pytest.fixture
def home(empty_settings: Settings, tmp_path: Path) -> Settings:
    (tmp_path / "cache").mkdir()
    return replace(empty_settings, history=tmp_path / "history.sqlite")


def _damages(settings: Settings) -> list[StoreDamage]:
    states = check_stores(settings, settings.cache / "runs", deep=True)
    return [bad for state in states for bad in state.damaged]


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", KINDS)
def test_damage_is_told_or_mended(home: Settings, name: str, damage: str) -> None:
    kind = KINDS[name]
    path = kind.make(home)
    assert kind.read(home) == kind.expected
    assert _damages(home) == []
    DAMAGES[damage](path)
    # An empty history, and an empty file of lines, are whole: nothing is in them.
    whole = damage == "zero bytes" and (path.suffix == ".jsonl" or name == "history")
    found = _damages(home)
    if damage != "bits flipped":  # which may be in a page that nobody uses
        assert bool(found) != whole, found
    assert all(bad.repair and "\n" not in f"{bad.why}{bad.repair}" for bad in found)
    # Either of these is one line of a command.
    allowed = (LibdriftError, OSError) if kind.data else ()
    with contextlib.suppress(*allowed):
        assert kind.read(home) == kind.expected


@pytest.mark.parametrize("name", ["parsed files", "examples", "search indexes", "outputs"])
def test_a_cache_works_again_after_damage(home: Settings, name: str) -> None:
    path = KINDS[name].make(home)
    _other(path)
    assert KINDS[name].read(home) == KINDS[name].expected
    assert KINDS[name].make(home) == path
    assert _damages(home) == []


def _newer_json(path: Path, field: str) -> None:
    told = json.loads(path.read_bytes())
    path.write_text(json.dumps({**told, field: 99}), encoding="utf-8")


def _newer_seal(path: Path) -> None:
    head, _, body = path.read_bytes().partition(b"\n")
    path.write_bytes(json.dumps({**json.loads(head), "format": 99}).encode() + b"\n" + body)


def _newer_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 99")


NEWER: dict[str, Callable[[Path], None]] = {
    "proofs": _newer_seal,
    "outputs": _newer_seal,
    "rust documentation": _newer_seal,
    "history": _newer_database,
    "runs": lambda path: _newer_json(path, "schema_version"),
    "environments": lambda path: _newer_json(path, "schema_version"),
    "crates": lambda path: _newer_json(path, "format"),
}


@pytest.mark.parametrize("name", NEWER)
def test_what_a_newer_libdrift_wrote_is_neither_read_nor_dropped(home: Settings, name: str) -> None:
    kind = KINDS[name]
    path = kind.make(home)
    NEWER[name](path)
    before = path.read_bytes()
    (bad,) = _damages(home)
    assert "pdate libdrift" in bad.repair
    if kind.data:
        with pytest.raises(LibdriftError, match="newer libdrift"):
            kind.read(home)
    else:
        assert kind.read(home) == kind.expected
    assert path.read_bytes() == before


def test_an_older_history_is_brought_up_to_date(home: Settings) -> None:
    path = _history(home)
    with closing(sqlite3.connect(path)) as db:
        later = ("trials", "trial_findings", "places")
        db.executescript("".join(f"DROP TABLE {name};" for name in later))
        db.execute("PRAGMA user_version = 2")
    assert _read_history(home) == 81
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA user_version").fetchone()[0] == len(MIGRATIONS)


def test_files_of_packages_are_compared_with_what_was_installed(home: Settings) -> None:
    record = _environment(home)
    site = record.parent / "venv" / "lib" / "python3.11" / "site-packages"
    (site / "a-1.dist-info").mkdir(parents=True)
    (site / "a.py").write_text("x = 1\n")
    sum_ = "sha256=XFwWzEeBtaDYDFkLnzE94sXqkRXKOq_HjRSTGhmwVGo"
    (site / "a-1.dist-info" / "RECORD").write_text(f"a.py,{sum_},6\na-1.dist-info/RECORD,,\n")
    (bad,) = checking.check(home, deep=True)
    assert bad.why == "not as it was installed: a.py"
    assert list(checking.check(home, deep=False)) == []


def test_a_place_that_cannot_be_looked_at_is_told(home: Settings) -> None:
    _outputs(home)
    _history(home)
    _denied(home.cache)
    try:
        states = list(check_stores(home, home.cache / "runs", deep=True))
    finally:
        home.cache.chmod(0o755)
    told = [bad for state in states for bad in state.damaged]
    assert any(
        bad.why == "it cannot be looked at: Permission denied"
        and bad.repair.startswith("Check the permissions of")
        for bad in told
    )
    assert next(state for state in states if state.name == "history").damaged == ()


def test_weights_that_are_others_are_dropped(home: Settings) -> None:
    path = _weights(home)
    (bad,) = _damages(home)
    assert (bad.why, bad.repair) == (
        "its content does not match its checksum",
        "removed: it is built again when needed",
    )
    assert not path.exists()


@pytest.mark.parametrize(
    "sums",
    [
        '{"files": {"/dev/zero": ""}}',
        '{"files": {"../../../outside": ""}}',
        '{"files": {"pipe": ""}}',
        f'{{"files": {"[" * 99_999}',
    ],
)
def test_sums_that_name_what_has_no_end(home: Settings, sums: str) -> None:
    folder = _sources(home).parent.parent
    os.mkfifo(folder / "pipe")
    (folder / ".cargo-checksum.json").write_text(sums)
    found = [one for state in check_stores(home, home.cache, deep=True) for one in state.damaged]
    assert [one.place for one in found] == [folder]


def test_a_newer_file_of_known_findings_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "baseline.json"
    file.write_text(baseline_text([], tmp_path), encoding="utf-8")
    assert list(without_baseline([], file)) == []
    _newer_json(file, "schema_version")
    with pytest.raises(UserError, match="newer libdrift"):
        list(without_baseline([], file))


def test_what_killed_writers_left_goes(home: Settings) -> None:
    path = _outputs(home)
    gone = path.with_name(f".{kept._node()}.{2**22 + 7}.1.part")
    mine = path.with_name(f".{kept._node()}.{os.getpid()}.1.part")
    theirs = path.with_name(f".elsewhere.{2**22 + 7}.1.part")
    for one in (gone, mine, theirs):
        one.touch()
    list(check_stores(home, home.cache / "runs", deep=False))
    assert (gone.exists(), mine.exists(), theirs.exists()) == (False, True, True)


def test_records_that_are_kept_hold_what_they_should() -> None:
    assert asdict(_PROVEN)["fooled_by"] == ("a", "b")  # else the tests above compare nothing
