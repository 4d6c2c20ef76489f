from __future__ import annotations

import bz2
import gzip
import json
import lzma
import tarfile
from collections import Counter
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from libdrift.config import Settings
from libdrift.errors import MissingDataError, UserError
from libdrift.records import ChangeKind, Suite, TaskKind
from libdrift.suites import libevolutioneval
from tests.published import published
from tests.suites.libevolutioneval.small import (
    BEFORE,
    BEHIND,
    REAL,
    SYNTHETIC,
    archives,
    folders,
    task,
)


def load(data: Path, settings: Settings) -> Suite:
    return libevolutioneval.load(replace(settings, data=data))


def test_an_example_becomes_a_task() -> None:
    found = task(REAL)
    assert (found.id, found.kind) == ("attrs_direct_api/v_21_3_0/1", TaskKind.COMPLETE)
    assert (found.language, found.environment.requirements) == ("python", ("attrs==21.3.0",))
    assert found.gap is not None
    assert found.starter.split(found.gap.mask) == [BEFORE, BEHIND]
    assert found.reference == "attrs.astuple(point)"
    assert (found.gap.token, found.gap.line, found.gap.hint) == ("astuple", "", "attrs")
    assert (found.gap.aliases, found.gap.near) == (("attrs",), "\n\n\nprint(flat(1))")
    facts = found.facts
    assert (facts.library, facts.version, facts.symbol) == ("attrs", "21.3.0", "attrs.astuple")
    assert (facts.granularity, facts.scenario, facts.access) == ("middle", "realistic", "direct")
    assert (facts.lifecycle, facts.change) == (None, None)
    assert facts.release_date == date(2021, 12, 28)
    assert not found.source, "nothing is kept twice"


@pytest.mark.parametrize(
    ("group", "scenario", "access", "lifecycle", "change"),
    [
        ("torch_direct_api", "realistic", "direct", None, None),
        ("torch_indirect_api", "realistic", "indirect", None, None),
        ("torch_synth_1000", "controlled", None, None, None),
        ("torch_synth_50", "controlled", None, None, None),
        ("torch_synth_introduced", "controlled", None, "introduced", ChangeKind.INTRODUCED),
        ("torch_synth_deprecated", "controlled", None, "deprecated", ChangeKind.REMOVED),
        ("torch_hard_introduced_or_deprecated", "realistic", "direct", None, None),
        ("torch_riddles", None, None, None, None),
    ],
)
def test_the_set_says_what_an_example_is(
    group: str,
    scenario: str | None,
    access: str | None,
    lifecycle: str | None,
    change: ChangeKind | None,
) -> None:
    facts = task(SYNTHETIC, group).facts
    assert facts.library == "torch"
    assert (facts.scenario, facts.access) == (scenario, access)
    assert (facts.lifecycle, facts.change) == (lifecycle, change)
    assert (facts.category == "introduced or deprecated") == ("hard" in group)


def test_a_library_may_have_a_longer_name() -> None:
    assert task(SYNTHETIC, "scikit_learn_synth_introduced").facts.library == "scikit_learn"


def test_the_mark_of_the_gap_does_not_occur() -> None:
    found = task({**REAL, "prompt": "<fill> <fill2>", "right_context": "<fill>"})
    assert found.gap is not None
    assert found.gap.mask == "<fill3>"
    assert found.starter.replace("<fill3>", "-") == "<fill> <fill2>-<fill>"


def test_aliases_in_one_text() -> None:
    found = task({**REAL, "imports": "attrs, attrs.setters,"})
    assert found.gap is not None
    assert found.gap.aliases == ("attrs", "attrs.setters")


@pytest.mark.parametrize("ending", ["tar.xz", "tar.gz"])
def test_folders_and_archives_give_the_same(
    ending: str, tmp_path: Path, empty_settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    packed = archives(tmp_path / "packed/libevolutioneval", tmp_path / "scratch", ending)
    open_ = folders(tmp_path / "open/libevolutioneval/data")
    (open_ / "eval_examples/attrs_direct_api/._v_21_3_0.jsonl").write_bytes(b"\0\5\x16\7\n")
    one = load(packed.parent, empty_settings)
    two = load(tmp_path / "open", empty_settings)
    assert dict(one.tasks) == dict(two.tasks)
    assert list(one.tasks) == list(two.tasks)
    assert list(one.tasks) == [
        "attrs_direct_api/v_21_3_0/1",
        "attrs_direct_api/v_21_3_0/2",
        "attrs_indirect_api/22_1_0/1",
        "attrs_synth_1000/v_21_3_0/1",
        "attrs_synth_introduced/v_21_3_0/1",
    ]
    assert not caplog.records
    both = archives(tmp_path / "both", tmp_path / "scratch", ending)
    folders(both, {"eval_examples/attrs_direct_api/v_21_3_0.jsonl": [REAL]})
    assert len(load(both, empty_settings).tasks) == 4, "what is unpacked goes before its archive"


def test_an_archive_per_library(tmp_path: Path, empty_settings: Settings) -> None:
    for library in ("attrs", "torch"):
        name = f"{library}_direct_api/v_1_0_0.jsonl"
        folders(tmp_path / library, {name: [REAL]})
        (tmp_path / "data").mkdir(exist_ok=True)
        with tarfile.open(tmp_path / f"data/{library}_eval_examples.tar.gz", "w:gz") as archive:
            archive.add(tmp_path / library / name, f"./{name}")
    assert list(load(tmp_path, empty_settings).tasks) == [
        "attrs_direct_api/v_1_0_0/1",
        "torch_direct_api/v_1_0_0/1",
    ]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("{torn", "object keys must be strings"),
        ("[1]", "Expected `object`, got `array`"),
        ("null", "Expected `object`, got `null`"),
        ({k: v for k, v in REAL.items() if k != "target"}, "missing required field `target`"),
        ({**REAL, "prompt": 3}, "Expected `str`, got `int` - at `$.prompt`"),
        ({**REAL, "imports": {"a": 1}}, "at `$.imports`"),
        ({**REAL, "api": None}, "no API named"),
        ({**REAL, "target": ""}, "nothing to answer with"),
    ],
)
def test_a_malformed_line_is_left_out_and_named(
    row: Any,
    reason: str,
    tmp_path: Path,
    empty_settings: Settings,
    caplog: pytest.LogCaptureFixture,
) -> None:
    folders(tmp_path, {"eval_examples/attrs_direct_api/1_0.jsonl": [REAL, "", row, REAL]})
    assert list(load(tmp_path, empty_settings).tasks) == [
        "attrs_direct_api/1_0/1",
        "attrs_direct_api/1_0/4",
    ]
    (record,) = caplog.records
    message = record.getMessage()
    assert message.startswith("LibEvolutionEval: 1 examples left out (attrs_direct_api/1_0:3: ")
    assert reason in message


def test_unknown_sets_and_flaws_are_one_warning(
    tmp_path: Path, empty_settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    sheets = {
        "eval_examples/attrs_riddles/1_0.jsonl": [REAL, "{}", "{}", "{}", "{}", "{}"],
        "eval_examples/attrs_riddles/2_0.jsonl": [REAL, "\ufeff{}"],
    }
    folders(tmp_path, sheets)
    assert len(load(tmp_path, empty_settings).tasks) == 2
    (record,) = caplog.records
    assert "6 examples left out (attrs_riddles/1_0:2: " in record.getMessage()
    assert "2 files of unknown sets (attrs_riddles, …)" in record.getMessage()


def test_lines_that_are_not_text(
    tmp_path: Path, empty_settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    path = folders(tmp_path, {"eval_examples/attrs_direct_api/1_0.jsonl": [REAL]})
    file = path / "eval_examples/attrs_direct_api/1_0.jsonl"
    file.write_bytes(json.dumps(REAL).encode() + b'\r\n{"prompt": "\xff"}\n\xff\n' + b"[" * 100_000)
    assert len(load(tmp_path, empty_settings).tasks) == 1
    assert "3 examples left out" in caplog.text


def test_what_cannot_be_read_at_all(tmp_path: Path, empty_settings: Settings) -> None:
    folders(tmp_path / "a", {"eval_examples/attrs_direct_api/1_0.jsonl": ["torn", "{torn"]})
    with pytest.raises(UserError, match="attrs_direct_api/1_0: no line is JSON"):
        load(tmp_path / "a", empty_settings)
    packed = archives(tmp_path / "b", tmp_path / "scratch")
    path = packed / "eval_examples.tar.xz"
    whole = path.read_bytes()
    # Wherever it is cut, between two members as well: half of the data is not taken for all.
    for size in range(0, len(whole), 8):
        path.write_bytes(whole[:size])
        with pytest.raises(UserError, match=r"cannot read .*eval_examples\.tar\.xz"):
            load(packed, empty_settings)
    path.write_bytes(b"no archive")
    with pytest.raises(UserError, match=r"cannot read .*eval_examples\.tar\.xz"):
        load(packed, empty_settings)


@pytest.mark.parametrize("ending", ["tar", "tar.gz", "tar.bz2"])
def test_other_archives_are_read_whole_or_not_at_all(
    tmp_path: Path, empty_settings: Settings, ending: str
) -> None:
    packed = archives(tmp_path / "b", tmp_path / "scratch")
    xz = packed / "eval_examples.tar.xz"
    want = set(load(packed, empty_settings).tasks)
    plain = lzma.decompress(xz.read_bytes())
    pack = {"tar": bytes, "tar.gz": gzip.compress, "tar.bz2": bz2.compress}[ending]
    xz.unlink()
    other = packed / f"eval_examples.{ending}"
    other.write_bytes(pack(plain))
    assert set(load(packed, empty_settings).tasks) == want
    # A plain archive is filled up with zeros, of which some may be missing.
    other.write_bytes(pack(plain.rstrip(b"\0")) if ending == "tar" else pack(plain)[:-20])
    with pytest.raises(UserError, match=r"cannot read .*eval_examples\.tar"):
        load(packed, empty_settings)


def test_where_data_is_looked_for(tmp_path: Path, empty_settings: Settings) -> None:
    with pytest.raises(MissingDataError, match="no LibEvolutionEval data on this") as caught:
        libevolutioneval.load(replace(empty_settings, data=None))
    assert "--data DIR or set LIBDRIFT_DATA" in caught.value.fix
    folders(tmp_path / "none", {"eval_examples/attrs_direct_api/1_0.jsonl": []})
    with pytest.raises(MissingDataError, match="no LibEvolutionEval example in"):
        load(tmp_path / "none", empty_settings)
    cached = folders(empty_settings.cache / "data/libevolutioneval")
    for data in (None, tmp_path / "nowhere"):
        suite = libevolutioneval.load(replace(empty_settings, data=data))
        assert suite.source.endswith(str(cached))


@pytest.mark.published
def test_the_published_data_is_read_whole(
    empty_settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    folder = published("libevolutioneval")
    suite = load(folder.parent, empty_settings)
    assert not caplog.records, "every example loads, and every set is known"
    assert Counter(task_id.split("/")[0] for task_id in suite.tasks) == {
        "matplotlib_direct_api": 121,
        "matplotlib_indirect_api": 39,
        "matplotlib_synth_1000": 6000,
        "matplotlib_synth_deprecated": 200,
        "matplotlib_synth_introduced": 1000,
        "torch_hard_introduced_or_deprecated": 316,
        "torch_synth_1000": 10883,
        "torch_synth_deprecated": 223,
    }
    years = Counter((one.facts.release_date or date.min).year for one in suite.tasks.values())
    assert min(years) == 2018
    assert max(years) == 2024
    hints = Counter()
    for one in suite.tasks.values():
        gap = one.gap
        assert gap is not None
        assert (gap.mask, one.starter.count("<fill>")) == ("<fill>", 1)
        assert gap.token
        assert one.starter.partition(gap.mask)[2].startswith(gap.near)
        hints[one.facts.scenario, one.reference.startswith(gap.hint)] += 1
    # One realistic example opens with another name than the one that it hints at.
    assert hints == {
        ("controlled", False): 18306,
        ("realistic", True): 475,
        ("realistic", False): 1,
    }
