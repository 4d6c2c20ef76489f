"""`libdrift migrate` on files: diffs, writing, notebooks, and what it refuses."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from libdrift.cli.app import app
from libdrift.history.store import Store
from tests.advisor.small import surface

OLD = "def f(a, b=1): ...\ndef g(): ...\n"
NEW = "def f(a, *, b=1): ...\n"
CODE = "import pkg\npkg.f(0, 2)\n"
EDITED = "import pkg\npkg.f(0, b=2)\n"
VERSIONS = ("--from", "pkg==1.0", "--to", "pkg==2.0", "--offline")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, and a history with two releases of `pkg`."""
    history = tmp_path / "history.sqlite"
    with Store.open(history) as store:
        store.add(surface(OLD, "1.0"))
        store.add(surface(NEW, "2.0"))
    monkeypatch.setenv("LIBDRIFT_HISTORY", str(history))
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    return work


def run(*arguments: str, code: int = 0) -> tuple[str, str]:
    done = CliRunner().invoke(app, ["migrate", *arguments, *VERSIONS])
    assert done.exit_code == code, (done.output, done.exception)
    return done.stdout, done.stderr


def test_a_diff_is_the_default(folder: Path) -> None:
    (folder / "code.py").write_text(CODE + "pkg.g()\n")
    out, told = run("code.py")
    assert (
        out
        == "--- a/code.py\n+++ b/code.py\n@@ -1,3 +1,3 @@\n import pkg\n-pkg.f(0, 2)\n+pkg.f(0, b=2)\n pkg.g()\n"
    )
    assert "left: code.py:3: pkg.g is gone: no replacement is known" in told
    assert "1 finding to edit in 1 file, 1 left" in told
    assert (folder / "code.py").read_text() == CODE + "pkg.g()\n"
    subprocess.run(["git", "apply"], input=out, text=True, cwd=folder, check=True)
    assert (folder / "code.py").read_text() == EDITED + "pkg.g()\n"


def test_files_are_written(folder: Path) -> None:
    (folder / "code.py").write_bytes(
        b"# coding: latin-1\r\nimport pkg\r\nx = '\xfc'\r\npkg.f(0, 2)"
    )
    out, _ = run("code.py", "--write")
    assert out == "code.py: 1 edit\n"
    assert (
        folder / "code.py"
    ).read_bytes() == b"# coding: latin-1\r\nimport pkg\r\nx = '\xfc'\r\npkg.f(0, b=2)"


def test_a_diff_of_a_file_without_a_last_line_end(folder: Path) -> None:
    (folder / "code.py").write_text(CODE.rstrip())
    out, _ = run(".")
    subprocess.run(["git", "apply"], input=out, text=True, cwd=folder, check=True)
    assert (folder / "code.py").read_text() == EDITED.rstrip()


def test_notebooks(folder: Path) -> None:
    cells = [
        {
            "cell_type": "code",
            "source": ["import pkg\n", "%time\n", "pkg.f(0, 2)"],
            "outputs": [{"text": "pkg.f(0, 2)"}],
        }
    ]
    text = json.dumps({"cells": cells, "nbformat": 4}, indent=1) + "\n"
    (folder / "book.ipynb").write_text(text)
    out, _ = run("book.ipynb", "--write", "--json")
    (file,) = json.loads(out)["files"]
    assert (file["edited"][0]["cell"], file["edited"][0]["line"]) == (1, 3)
    assert (folder / "book.ipynb").read_text() == text.replace("pkg.f(0, 2)", "pkg.f(0, b=2)", 1)


def test_json_tells_edits_and_what_is_left(folder: Path) -> None:
    (folder / "code.py").write_text(CODE + "pkg.g()\n")
    told = json.loads(run("code.py", "--json")[0])
    (file,) = told["files"]
    assert file["path"] == "code.py"
    assert "+pkg.f(0, b=2)" in file["diff"]
    assert [item["symbol"] for item in file["edited"]] == ["pkg.f"]
    assert [(item["symbol"], item["reason"], item["risky"]) for item in file["left"]] == [
        ("pkg.g", "no replacement is known", False)
    ]
    assert told["written"] is False


def test_what_is_told_to_be_ignored_stays(folder: Path) -> None:
    (folder / "code.py").write_text("import pkg\npkg.f(0, 2)  # libdrift: ignore\npkg.f(1, 2)\n")
    out, _ = run("code.py")
    assert "+pkg.f(1, b=2)" in out
    assert "pkg.f(0, b=2)" not in out
    assert run("code.py", "--ignore", "pkg.f")[0] == ""


def test_what_cannot_be_read_is_named_and_the_rest_goes_on(folder: Path) -> None:
    (folder / "two.py").write_text("import pkg\nprint pkg.f(0, 2)\n")
    (folder / "bytes.py").write_bytes(b"import pkg\nx = '\xff'\n")
    (folder / "book.ipynb").write_text('{"cells": [3]}')
    (folder / "loop").symlink_to(folder)
    (folder / "code.py").write_text(CODE)
    out, told = run(".")
    assert "+pkg.f(0, b=2)" in out
    assert "two.py" in told
    assert "book.ipynb" in told
    assert "bytes.py" in told


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(("code.py", "--diff", "--write"), "cannot be combined"), (("nothing.py",), "no such file")],
)
def test_mistakes(arguments: tuple[str, ...], message: str, folder: Path) -> None:
    (folder / "code.py").write_text(CODE)
    done = CliRunner().invoke(app, ["migrate", *arguments, *VERSIONS])
    assert message in str(done.exception)


def test_a_dirty_tree_is_refused(folder: Path) -> None:
    (folder / "code.py").write_text(CODE)
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    done = CliRunner().invoke(app, ["migrate", "code.py", "--write", *VERSIONS])
    assert "uncommitted changes" in str(done.exception)
    assert (folder / "code.py").read_text() == CODE
    run("code.py", "--write", "--force")
    assert (folder / "code.py").read_text() == EDITED


def test_an_edit_that_a_command_refuses_is_left(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command passes unedited and fails with one of two edits: the other one is kept."""
    from libdrift import config
    from libdrift.advisor.trials import trial_places
    from libdrift.jobs import migrating

    # `pkg` is on no index: the environments have nothing, and the command reads the sources.
    places = trial_places(folder, "python", [], config.load())
    monkeypatch.setattr(migrating, "trial_places", lambda *_: places)
    (folder / "good.py").write_text(CODE)
    (folder / "bad.py").write_text(CODE)
    (folder / "test.py").write_text("raise SystemExit('b=2' in open('bad.py').read())\n")
    told = json.loads(run(".", "--verify", "python test.py", "--json")[0])
    files = {item["path"]: item for item in told["files"]}
    assert "+pkg.f(0, b=2)" in files["good.py"]["diff"]
    assert files["bad.py"]["diff"] == ""
    assert [item["reason"] for item in files["bad.py"]["left"]] == [
        "with the edit, tests fail that passed"
    ]
    assert (told["verification"]["restored"], told["verification"]["edited"]["status"]) == (True, 0)


def test_nothing_is_written_through_a_link_to_elsewhere(folder: Path) -> None:
    elsewhere = folder.parent / "elsewhere.py"
    elsewhere.write_text(CODE)
    (folder / "link.py").symlink_to(elsewhere)
    _, told = run(".", "--write")
    assert "which is elsewhere; left out" in " ".join(told.split())
    assert elsewhere.read_text() == CODE
    run("link.py", "--write")  # that was asked for
    assert elsewhere.read_text() == EDITED


def test_a_name_with_a_line_break_is_quoted_as_git_does(folder: Path) -> None:
    name = 'a\n+++ "other.py'
    (folder / name).write_text(CODE + "pkg.g()\n")
    (folder / "b\n::error::x.py").write_text("not Python\n")
    out, told = run(".")
    assert not any(line.startswith(("::error", '+++ "o')) for line in (out + told).splitlines())
    subprocess.run(["git", "apply"], input=out, text=True, cwd=folder, check=True)
    assert (folder / name).read_text() == EDITED + "pkg.g()\n"
