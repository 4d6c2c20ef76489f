"""Which files are read, which are left out, and what is said of those that cannot be."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from libdrift.advisor.programs import of_notebook, programs
from libdrift.errors import UserError


def names(folder: Path, *exclude: str, told: list[str] | None = None) -> list[str]:
    complaints = told if told is not None else []
    found = programs([folder], exclude, complaints.append)
    return [Path(item.file).relative_to(folder).as_posix() for item in found]


def test_folders(tmp_path: Path) -> None:
    files = [
        "a.py",
        "b/c.py",
        "b/d.txt",
        ".hidden/x.py",
        "node_modules/y.py",
        "b/z.ipynb",
        "v/w.py",
    ]
    for name in files:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text('{"cells": []}' if name.endswith("ipynb") else "import os\n")
    assert names(tmp_path) == ["a.py", "b/c.py", "b/z.ipynb", "v/w.py"]
    assert names(tmp_path, "v", "*.ipynb") == ["a.py", "b/c.py"]


def test_loops_of_links_end(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/x.py").write_text("")
    (tmp_path / "a/loop").symlink_to(tmp_path)
    (tmp_path / "a/same.py").symlink_to(tmp_path / "a/x.py")
    assert len(names(tmp_path)) == 1


def test_what_cannot_be_read_is_told_and_the_rest_goes_on(tmp_path: Path) -> None:
    (tmp_path / "good.py").write_text("x = 1\n")
    (tmp_path / "latin.py").write_bytes(b"x = '\xe9'\n")
    (tmp_path / "said.py").write_bytes(b"# coding: nonsense\nx = 1\n")
    (tmp_path / "broken.ipynb").write_text("{")
    (tmp_path / "gone.py").symlink_to(tmp_path / "nowhere.py")
    told: list[str] = []
    assert names(tmp_path, told=told) == ["good.py"]
    assert sorted(Path(line.partition(":")[0]).name for line in told) == [
        "broken.ipynb",
        "gone.py",
        "latin.py",
        "said.py",
    ]


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_without_rights(tmp_path: Path) -> None:
    (tmp_path / "secret.py").write_text("")
    (tmp_path / "secret.py").chmod(0)
    told: list[str] = []
    assert names(tmp_path, told=told) == []
    assert "secret.py" in told[0]


def test_a_path_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such file"):
        list(programs([tmp_path / "gone"], (), pytest.fail))


def test_notebooks() -> None:
    cells = [
        {"cell_type": "markdown", "source": "# Title"},
        {"cell_type": "code", "source": ["%matplotlib inline\n", "import pkg\n", "!ls\n", "if x:\n", "    %time y"]},
        {"cell_type": "code", "source": "%%bash\necho 1"},
        {"cell_type": "code", "source": "%%time\npkg.f()\npkg?"},
    ]  # fmt: skip
    program = of_notebook("n.ipynb", json.dumps({"cells": cells}).encode())
    compile(program.code, "n.ipynb", "exec")
    line = program.code.split("\n").index("pkg.f()") + 1
    assert program.place(line) == (4, 2)
    assert program.place(2) == (2, 2)


CELLS_THAT_READ = [
    ("what a shell gives has a name", "files = !ls\npkg.f()"),
    ("what a magic gives has a name", "took = %timeit -o pkg.g()\npkg.f()"),
    ("a command over two lines", "!pip install \\\n  pkg\npkg.f()"),
    ("an operator begins a line", "!ls\nx = ('%s'\n     % 5)\npkg.f()"),
    ("a comment within brackets asks", "!ls\npkg.g(\n  # why?\n  1)\npkg.f()"),
    ("a text of several lines looks like magics", "!ls\nx = '''\n%time\n!ls'''\npkg.f()"),
    ("a comment in a block asks", "!ls\nif x:\n    pass\n        # why?\npkg.f()"),
]


@pytest.mark.parametrize(
    "source", [row[1] for row in CELLS_THAT_READ], ids=[row[0] for row in CELLS_THAT_READ]
)
def test_cells_of_a_notebook_are_read(source: str) -> None:
    cells = [{"cell_type": "code", "source": source}]
    program = of_notebook("n.ipynb", json.dumps({"cells": cells}).encode())
    assert program.problems == ()
    assert "pkg.f()" in program.code
    compile(program.code, "n.ipynb", "exec")


def test_a_cell_that_is_no_python_is_left_out_and_told(tmp_path: Path) -> None:
    sources = ["import pkg\n%time x", "this is ( broken", "pkg.f()"]
    cells = [{"cell_type": "code", "source": source} for source in sources]
    (tmp_path / "n.ipynb").write_text(json.dumps({"cells": cells}))
    told: list[str] = []
    (program,) = programs([tmp_path], (), told.append)
    assert program.place(program.code.split("\n").index("pkg.f()") + 1) == (3, 1)
    assert "broken" not in program.code
    (line,) = told
    assert line.startswith(f"{tmp_path}/n.ipynb: cell 2 left out: line 1: ")


def test_what_has_no_end_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "device.py").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "pipe.py")
    told: list[str] = []
    assert names(tmp_path, told=told) == []
    assert [line.rpartition(": ")[2] for line in told] == ["not a regular file; left out"] * 2


def test_a_folder_without_code_is_told(tmp_path: Path) -> None:
    told: list[str] = []
    assert names(tmp_path, told=told) == []
    assert told == [f"{tmp_path}: no Python file and no notebook is there"]
