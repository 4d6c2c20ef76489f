"""What a build adds to the files of the checkout: the commit that it is of, and the manual."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class BuildAdditions(BuildHookInterface[Any]):
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":  # a checkout knows its commit itself
            return
        self._aside = tempfile.TemporaryDirectory()
        root = Path(self.root)
        commit = _commit(root)
        # Of a source archive, the file is there already.
        if commit and not (root / "src/libdrift/commit.txt").exists():
            prefix = "src/" if self.target_name == "sdist" else ""
            built = self._write("commit.txt", f"{commit}\n")
            build_data["force_include"][built] = f"{prefix}libdrift/commit.txt"
        if self.target_name == "wheel":
            page = self._write("libdrift.1", _manual(root))
            build_data["shared_data"][page] = "share/man/man1/libdrift.1"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        del build_data, artifact_path
        if version != "editable":
            self._aside.cleanup()

    def _write(self, name: str, text: str) -> str:
        path = Path(self._aside.name, name)
        path.write_text(text, encoding="utf-8")
        return str(path)


def _commit(root: Path) -> str:
    """The checkout's commit; marked where files of it were changed since."""
    spec = importlib.util.spec_from_file_location("version", root / "src/libdrift/version.py")
    if spec is None or spec.loader is None:
        return ""
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    commit: str = module.commit()
    if not commit or not (root / ".git").exists():
        return commit
    try:
        asked = ["git", "-C", str(root), "status", "--porcelain", "--untracked-files=no"]
        changed = subprocess.run(asked, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return commit
    return f"{commit}-changed" if changed.strip() else commit


def _manual(root: Path) -> str:
    sys.path.insert(0, str(root / "src"))
    try:
        import typer

        from libdrift.cli.app import app
        from libdrift.cli.manual import manual
        from libdrift.version import __version__

        return manual(typer.main.get_command(app), __version__)
    finally:
        sys.path.remove(str(root / "src"))
