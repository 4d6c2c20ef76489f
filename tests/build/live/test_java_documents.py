from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from libdrift.build.live.java_documents import JavaLink, JdkSources
from libdrift.languages.java import jdks
from libdrift.languages.java.jdks import Jdk

CODE = """package a.b;

public class Old {
    /**
     * Counts.
     * @deprecated It is slow. Use
     *     {@link #total(int)} or {@link Other#sum} instead.
     * @since 1.2
     */
    public int count(int[] all, String... rest) { return 0; }

    /** @deprecated see {@link #total(int)} */
    public int count(int one) { return 0; }

    /** @deprecated replaced by {@link java.util.List#of()}. */
    public static final int LIMIT = 1;

    /** Use {@link #total(int)}. */
    public int steady() { return 0; }

    public static class Inner {
        /** @deprecated As of 9, use the static factory {@link #make(int)}. */
        public Inner(java.util.List<String> values) { }
    }
}
"""


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> JdkSources:
    (tmp_path / "lib").mkdir()
    with zipfile.ZipFile(tmp_path / "lib" / "src.zip", "w") as archive:
        archive.writestr("some.module/a/b/Old.java", CODE)
    monkeypatch.setattr(jdks, "discover", lambda: (Jdk(tmp_path, "25", 25),))
    return JdkSources()


@pytest.mark.parametrize(
    ("path", "links"),
    [
        ("a.b.Old.count(int[],String[])", [JavaLink("", "total")]),
        ("a.b.Old.count(int)", []),  # what is only seen beside it
        ("a.b.Old.LIMIT", [JavaLink("java.util.List", "of")]),
        ("a.b.Old.steady", []),
        ("a.b.Old.Inner.Inner(List)", [JavaLink("", "make")]),
        ("a.b.New.count", []),
    ],
)
def test_what_to_use_instead_is_what_is_said_to_be(
    sources: JdkSources, path: str, links: list[JavaLink]
) -> None:
    assert list(sources.instead(path)) == links


def test_without_sources_nothing_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jdks, "discover", lambda: (Jdk(tmp_path, "25", 25),))
    assert not JdkSources()
