from __future__ import annotations

from pathlib import Path

from libdrift.mining.parse_cache import ParseCache

KEYS = {(number, 10, ".py"): str(number).encode() for number in range(1200)}


def test_records_are_shared_and_found_by_their_whole_key(tmp_path: Path) -> None:
    path = tmp_path / "new" / "parsed.sqlite"
    writer, reader = ParseCache(path, "1"), ParseCache(path, "1")
    writer.put(KEYS)
    writer.put({(5, 10, ".pyi"): b"stub"})
    assert reader.get(KEYS) == KEYS
    assert reader.get([(5, 10, ".pyi"), (5, 11, ".py"), (-1, 0, "")]) == {(5, 10, ".pyi"): b"stub"}
    writer.close()
    reader.close()


def test_another_format_starts_anew(tmp_path: Path) -> None:
    path = tmp_path / "parsed.sqlite"
    first = ParseCache(path, "1")
    first.put(KEYS)
    first.close()
    second = ParseCache(path, "2")
    assert second.get(KEYS) == {}
    second.close()


def test_a_cache_that_cannot_be_used_is_none(tmp_path: Path) -> None:
    path = tmp_path / "parsed.sqlite"
    path.write_bytes(b"no database at all, and long enough to be looked at" * 50)
    records = ParseCache(path, "1")
    records.put(KEYS)
    assert records.get(KEYS) == KEYS
    records.close()
    (tmp_path / "file").write_text("")
    nowhere = ParseCache(tmp_path / "file" / "parsed.sqlite", "1")
    nowhere.put(KEYS)
    assert nowhere.get(KEYS) == {}
    nowhere.close()
