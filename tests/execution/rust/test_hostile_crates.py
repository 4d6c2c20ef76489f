"""Build scripts and macros of crates, which run when they are compiled, and are held."""

from __future__ import annotations

import shutil
import threading
from importlib import resources
from pathlib import Path

import pytest

from libdrift.config import Settings
from libdrift.environments.crates import CrateBuild, Crates
from libdrift.errors import InfrastructureError
from libdrift.execution import Options
from libdrift.execution.rust.compiling import Compiler
from libdrift.execution.rust.places import _sandboxed
from libdrift.languages.rust import toolchains
from libdrift.languages.rust.toolchains import Toolchain
from libdrift.sandbox import Backend, Limits
from libdrift.sandbox.hostile_rust import crates


@pytest.fixture
def toolchain() -> Toolchain:
    try:
        return toolchains.newest()
    except InfrastructureError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("name", crates())
def test_crates_are_held(
    name: str, toolchain: Toolchain, settings: Settings, bubblewrap: Backend, tmp_path: Path
) -> None:
    options = Options(settings, bubblewrap, Limits())
    source = Path(str(resources.files("libdrift.sandbox.hostile_rust"))) / name
    project, target = tmp_path / "project", tmp_path / "target"
    shutil.copytree(source, project)
    target.mkdir()
    for folder in (tmp_path, *tmp_path.parents[:2]):
        folder.chmod(0o755)
    ran = _sandboxed(options, threading.Event())(
        CrateBuild(
            argv=(str(toolchain.cargo), "build", "--offline"),
            environ={"CARGO_TARGET_DIR": str(target), "RUSTC": str(toolchain.rustc)},
            read=(toolchain.sysroot, project),
            write=(target,),
            folder=project,
        )
    )
    assert ran.status == 0, ran.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["project", "target"]
    if name == "proc_macro":
        library = next((target / "debug").glob("*.so"))
        arguments = (f"--extern=hostile_proc_macro={library}",)
        held = Crates(frozenset({"hostile_proc_macro"}), arguments, (target,))
        compiler = Compiler(toolchain, held, bubblewrap, Limits(), threading.Event())
        folder = tmp_path / "made"
        folder.mkdir()
        uses = {"main.rs": "hostile_proc_macro::reach!();"}
        made = compiler.compile(uses, "main.rs", "2021", folder, compiler.config(None, []))
        assert made.done, made.errors
