"""Which names a file binds where, what its imports stand for, and where each of them is used."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from libdrift.advisor.editing.defaults import is_literal

_LITERALS = (ast.Constant, ast.UnaryOp, ast.Tuple)  # a list may be filled after it was made
_PATH = re.compile(r"\w+(?:\.\w+)+")  # that a test puts something else at
_TABLES = ("globals", "locals", "vars")
_PROMPT = re.compile(r"^\s*(?:>>>|\.\.\.) (.*)", re.MULTILINE)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(frozen=True, slots=True, eq=False)
class ImportedName:
    """One name that an import statement binds."""

    local: str
    path: str  # what the name stands for
    module: str  # that the statement loads: a.b of `import a.b` and of `from a.b import c`
    statement: ast.Import | ast.ImportFrom
    alias: ast.alias
    block: NameBlock

    @property
    def is_dotted(self) -> bool:
        """`import a.b`, which binds `a`."""
        return isinstance(self.statement, ast.Import) and self.local != self.path_written

    @property
    def path_written(self) -> str:
        return self.alias.asname or self.alias.name


@dataclass(slots=True, eq=False)
class NameBlock:
    """A module, class, function or comprehension, with the names that it binds."""

    outer: NameBlock | None
    is_class: bool = False
    bound: dict[str, int] = field(default_factory=dict)  # how often
    elsewhere: set[str] = field(default_factory=set)  # global and nonlocal

    def binder(self, name: str) -> NameBlock | None:
        """The block that a name in this one is of."""
        block: NameBlock | None = self
        while block is not None:
            hidden = block.is_class and block is not self
            if name in block.bound and name not in block.elsewhere and not hidden:
                return block
            block = block.outer
        return None

    def bind(self, name: str) -> None:
        self.bound[name] = self.bound.get(name, 0) + 1


class NamesOfFile:
    def __init__(self, tree: ast.Module) -> None:
        self.imports: list[ImportedName] = []
        self.stars: list[str] = []  # modules that everything is imported from
        self.words: set[str] = set()  # every name that occurs at all
        self.quoted = _quoted(tree)  # in texts that name something: __all__, "Type", a doctest
        self.uses: list[tuple[ast.Name, NameBlock]] = []
        self._blocks: dict[tuple[int, int], NameBlock] = {}
        # What each name or attribute is followed by a dot and a name in.
        self._attributes = {
            id(node.value): node for node in ast.walk(tree) if isinstance(node, ast.Attribute)
        }
        self._tree = tree  # keeps the nodes, whose numbers are the keys above
        self._constants: dict[tuple[NameBlock, str], str] = {}
        self._elsewhere: set[str] = set()  # of some function: global or nonlocal
        self.module = NameBlock(None)
        self._read(tree.body, self.module)

    # --- questions

    def block_of(self, line: int, column: int) -> NameBlock:
        """The innermost block of some name that begins there (columns in bytes)."""
        return self._blocks.get((line, column), self.module)

    def import_of(self, name: str, block: NameBlock) -> ImportedName | None:
        """The only import that a name stands for in a block; None if it may be something else."""
        binder = block.binder(name)
        found = [one for one in self.imports if one.local == name and one.block is binder]
        if binder is None or not found or len({one.path for one in found}) != 1:
            return None
        return found[0] if binder.bound[name] == len(found) else None

    def uses_of(self, imported: ImportedName) -> list[ast.Name]:
        return [
            node
            for node, block in self.uses
            if node.id == imported.local and block.binder(node.id) is imported.block
        ]

    def is_used(self, imported: ImportedName) -> bool:
        """Of `import a.b` only what begins with `a.b` is a use."""
        uses = self.uses_of(imported)
        if not imported.is_dotted:
            return bool(uses)
        return any(f"{self.chain(node)[0]}.".startswith(f"{imported.module}.") for node in uses)

    def chain(self, name: ast.Name) -> tuple[str, list[ast.Attribute]]:
        """The dotted name that begins with a name, and the attributes that it is made of."""
        text, found = name.id, []
        above = self._attributes.get(id(name))
        while above is not None:
            text = f"{text}.{above.attr}"
            found.append(above)
            above = self._attributes.get(id(above))
        return text, found

    def constant(self, name: str, block: NameBlock) -> str:
        """The code of the only value that a name is ever given, where that is a literal."""
        binder = block.binder(name)
        if binder is None or binder.bound[name] != 1 or name in self._elsewhere:
            return ""
        if binder is self.module and self.stars:
            return ""  # what they bring may have that name, too
        return self._constants.get((binder, name), "")

    def is_set_elsewhere(self, name: str) -> bool:
        """Whether a function may give it another value: `global`, `nonlocal`."""
        return name in self._elsewhere

    def is_unused_word(self, name: str) -> bool:
        return name not in self.words

    # --- reading

    def _read(self, nodes: Sequence[ast.AST], block: NameBlock) -> None:
        for node in nodes:
            self._node(node, block)

    def _node(self, node: ast.AST, block: NameBlock) -> None:
        if isinstance(node, ast.Name):
            self._name(node, block)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            self._import(node, block)
        elif isinstance(node, ast.ClassDef):
            self._class(node, block)
        elif isinstance(node, _FUNCTIONS):
            self._function(node, block)
        elif isinstance(node, _COMPREHENSIONS):
            # The first iterable is read outside; a name there is looked up the same way, but for
            # the targets, which shadow.
            self._read(list(ast.iter_child_nodes(node)), NameBlock(block))
        else:
            if isinstance(node, ast.Global | ast.Nonlocal):
                block.elsewhere.update(node.names)
                self._elsewhere.update(node.names)
                self.words.update(node.names)
            elif isinstance(node, ast.Assign):
                self._value(node, block)
            for name in _bound_by(node):
                self.words.add(name)
                block.bind(name)
            self._read(list(ast.iter_child_nodes(node)), block)

    def _name(self, node: ast.Name, block: NameBlock) -> None:
        self.words.add(node.id)
        self._blocks[node.lineno, node.col_offset] = block
        self.uses.append((node, block))
        if not isinstance(node.ctx, ast.Load):
            block.bind(node.id)

    def _class(self, node: ast.ClassDef, block: NameBlock) -> None:
        block.bind(node.name)
        self.words.add(node.name)
        self._read([*node.decorator_list, *node.bases, *node.keywords], block)
        self._read(node.body, NameBlock(block, is_class=True))

    def _function(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, block: NameBlock
    ) -> None:
        inner = NameBlock(block)
        if not isinstance(node, ast.Lambda):
            block.bind(node.name)
            self.words.add(node.name)
            self._read(node.decorator_list, block)
            if node.returns:
                self._node(node.returns, block)
        given = node.args
        self._read([*given.defaults, *(item for item in given.kw_defaults if item)], block)
        stars = [item for item in (given.vararg, given.kwarg) if item]
        for argument in (*given.posonlyargs, *given.args, *given.kwonlyargs, *stars):
            inner.bind(argument.arg)
            self.words.add(argument.arg)
            if argument.annotation:
                self._node(argument.annotation, block)
        self._read(node.body if isinstance(node.body, list) else [node.body], inner)

    def _import(self, node: ast.Import | ast.ImportFrom, block: NameBlock) -> None:
        for alias in node.names:
            local = alias.asname or alias.name.partition(".")[0]
            if isinstance(node, ast.Import):
                path, module = (alias.name if alias.asname else local), alias.name
            else:
                module = "." * node.level + (node.module or "")
                path = f"{module}.{alias.name}"
                if alias.name == "*":
                    self.stars.append(module)
                    continue
            self.words.add(local)
            block.bind(local)
            self.imports.append(ImportedName(local, path, module, node, alias, block))

    def _value(self, node: ast.Assign, block: NameBlock) -> None:
        target = node.targets[0]
        mutable = any(isinstance(item, ast.List | ast.Dict) for item in ast.walk(node.value))
        if isinstance(target, ast.Name) and isinstance(node.value, _LITERALS) and not mutable:
            text = ast.unparse(node.value)
            if is_literal(text):
                self._constants[block, target.id] = text


def _quoted(tree: ast.Module) -> set[str]:
    """Words of texts that Python, a test or a reader of types takes for names of the file."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            parts = [node.value] if _PATH.fullmatch(node.value) else _PROMPT.findall(node.value)
        else:
            parts = [text for place in _naming_places(node) for text in _texts_in(place)]
        found.update(word for part in parts for word in re.findall(r"\w+", part))
    return found


def _naming_places(node: ast.AST) -> Iterator[ast.AST]:
    """Annotations, statements about `__all__`, and keys of `globals()`."""
    if isinstance(node, ast.AnnAssign | ast.arg) and node.annotation:
        yield node.annotation
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.returns:
        yield node.returns
    elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Call):
        yield from [node.slice] if getattr(node.value.func, "id", "") in _TABLES else []
    if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Expr):
        names = (one.id for one in ast.walk(node) if isinstance(one, ast.Name))
        yield from [node] if "__all__" in names else []


def _texts_in(place: ast.AST) -> list[str]:
    return [
        item.value
        for item in ast.walk(place)
        if isinstance(item, ast.Constant) and isinstance(item.value, str)
    ]


def _bound_by(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
        yield node.name
    elif isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest
