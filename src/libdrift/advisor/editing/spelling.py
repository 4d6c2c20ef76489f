"""How a full path is written in a file: by what its imports bind, or by an import that it needs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from libdrift.advisor.editing.outcomes import Refusal, ReleaseKnowledge
from libdrift.advisor.editing.scoping import ImportedName, NameBlock, NamesOfFile


@dataclass(frozen=True, slots=True)
class Spelled:
    text: str
    imports: tuple[str, ...] = ()  # statements that the file lacks


class PathSpeller:
    def __init__(self, names: NamesOfFile, knowledge: ReleaseKnowledge) -> None:
        self._names, self._knowledge = names, knowledge

    def spelled(
        self,
        path: str,
        block: NameBlock,
        without: Collection[ImportedName] = (),
        *,
        dotted: bool = False,
    ) -> Spelled | Refusal:
        """``without``: imports that are on their way out; ``dotted``: whole paths are the style."""
        place, _, last = path.rpartition(".")
        if place == "builtins" and block.binder(last) is None and not self._names.stars:
            return Spelled(last)
        best: str | None = None
        for local in {one.local for one in self._names.imports}:
            found = self._names.import_of(local, block)
            if found is None or found in without or not self._reaches(found, path):
                continue
            text = local + path[len(found.path) :]
            if best is None or (text.count("."), text) < (best.count("."), best):
                best = text
        return Spelled(best) if best is not None else self._with_import(path, block, dotted=dotted)

    def _reaches(self, imported: ImportedName, path: str) -> bool:
        if path != imported.path and not path.startswith(imported.path + "."):
            return False
        at = imported.path
        for part in path[len(at) :].split(".")[1:]:
            at = f"{at}.{part}"
            if self._knowledge.is_module(at) and not self._is_loaded(at):
                return False
        return True

    def _is_loaded(self, module: str) -> bool:
        if self._knowledge.is_loaded(module):
            return True
        return any(
            f"{one.module}.".startswith(f"{module}.") or one.path == module
            for one in self._names.imports
        )

    def _with_import(self, path: str, block: NameBlock, *, dotted: bool) -> Spelled | Refusal:
        module = self._module_of(path)
        rest = path[len(module) + 1 :]
        root = path.partition(".")[0]
        is_free = self._names.is_unused_word(root) or self._is_root(root, block)
        if is_free and (dotted or "." not in module or not rest):
            return Spelled(path, (f"import {module}",))
        first = rest.partition(".")[0]
        if first and self._names.is_unused_word(first):
            return Spelled(rest, (f"from {module} import {first}",))
        if is_free:
            return Spelled(path, (f"import {module}",))
        return Refusal(f"{path} needs an import, and the file uses its name for something else")

    def _is_root(self, root: str, block: NameBlock) -> bool:
        found = self._names.import_of(root, block)
        return found is not None and found.path == root

    def _module_of(self, path: str) -> str:
        parts = path.split(".")
        for length in range(len(parts), 1, -1):
            head = ".".join(parts[:length])
            if self._knowledge.is_module(head) and length < len(parts):
                return head
        return parts[0]
