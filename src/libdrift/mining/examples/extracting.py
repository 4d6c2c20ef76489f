"""Examples in a release's documentation: what stands behind prompts, a docstring a unit."""

from __future__ import annotations

import ast
import builtins
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from libdrift.history.paths import public_paths
from libdrift.languages.python.usage import imported, parsed
from libdrift.records import Surface

_PROMPT = re.compile(r"([ \t]*)>>>(?: (.*))?$")
_MORE = re.compile(r"[ \t]*\.\.\.(?: (.*))?$")
_SKIP = re.compile(r"#\s*doctest:.*\+SKIP")
_DIRECTIVE = re.compile(r"\s*#\s*doctest:.*$", re.MULTILINE)
_TRACEBACK = "Traceback ("
_MOST = 200  # statements of one example
# What tells of the release itself, and of no behaviour.
_OF_ITSELF = re.compile(
    r"\bhelp\(|\bdir\(|__doc__|__version__|__file__|__path__|getsource|show_versions|show_config"
    r"|\binfo\(\w+(?:\.\w+)*\)$"
)


@dataclass(frozen=True, slots=True)
class DocStatement:
    """What stands behind one prompt, and what the documentation says that it prints."""

    code: str
    shown: str = ""
    is_preamble: bool = False  # an import that the documentation takes for granted

    @property
    def may_raise(self) -> bool:
        return self.shown.startswith(_TRACEBACK)

    @property
    def tells_of_itself(self) -> bool:
        return _OF_ITSELF.search(self.code) is not None


@dataclass(frozen=True, slots=True)
class DocExample:
    path: str  # of the symbol whose documentation has it; empty for one of a page
    statements: tuple[DocStatement, ...]
    page: str = ""

    @property
    def key(self) -> tuple[str, ...]:
        """The same code is the same example, wherever it stands."""
        return tuple(statement.code for statement in self.statements)

    @property
    def job(self) -> list[tuple[str, bool]]:
        return [(statement.code, statement.may_raise) for statement in self.statements]


@dataclass(frozen=True, slots=True)
class Examples:
    """The examples of a release by their code; ``imports`` are modules that they use."""

    found: dict[tuple[str, ...], DocExample] = field(default_factory=dict)
    imports: tuple[str, ...] = ()
    unknown: frozenset[str] = frozenset()  # names that nothing binds


def statements(doc: str) -> list[DocStatement]:
    """What is behind the prompts of a text, those that it says are not to be run left out."""
    found: list[tuple[list[str], list[str]]] = []
    state = ""  # "code" or "output" of the last prompt
    for line in doc.splitlines():
        prompt = _PROMPT.match(line)
        more = _MORE.match(line) if state == "code" else None
        if prompt:
            found.append(([prompt[2] or ""], []))
            state = "code"
        elif more:
            found[-1][0].append(more[1] or "")
        elif state and line.strip():
            found[-1][1].append(line.strip())
            state = "output"
        else:
            state = ""
    kept = []
    for lines, shown in found:
        code = "\n".join(lines).rstrip()
        plain = _DIRECTIVE.sub("", code)
        tree = parsed(plain)
        if (tree is None or tree.body) and not _SKIP.search(code):  # not comments alone
            kept.append(DocStatement(plain, "\n".join(shown)))
    return kept[:_MOST]


_NOTHING: Mapping[str, str] = MappingProxyType({})


def of_surface(
    surface: Surface, aliases: Mapping[str, str] = _NOTHING, pages: Mapping[str, str] = _NOTHING
) -> Examples:
    """Every example of a release's public symbols, with the imports that it takes for granted.

    ``aliases`` are names that the package's own code gives to modules: `np`. ``pages`` are further
    texts by their names, each one example: what comes later in a page builds on what was before.
    """
    paths = public_paths(surface)
    found: list[tuple[str, list[DocStatement]]] = []
    order = sorted(paths.items(), key=lambda item: (item[1][1], item[1][0].count("."), item[1][0]))
    for symbol_id, (path, _) in order:
        doc = surface.symbols[symbol_id].doc
        if ">>>" in doc and (own := statements(doc)):
            found.append((path, own))
    texts = [(page, own) for page, text in pages.items() if (own := statements(text))]
    usual = {name: _written(module, "", name) for name, module in aliases.items()}
    usual |= _usual_imports([own for _, own in (*found, *texts)])
    unknown: set[str] = set()
    made: dict[tuple[str, ...], DocExample] = {}
    for path, own in found:
        preamble = _preamble(path, own, usual, surface)
        example = DocExample(path, (*preamble, *own))
        made.setdefault(example.key, example)
        unknown.update(_free_names(example.statements))
    for page, own in texts:
        example = DocExample("", (*_preamble("", own, usual, surface), *own), page)
        made.setdefault(example.key, example)
    return Examples(made, _modules(made.values()), frozenset(unknown))


def _usual_imports(found: Iterable[Sequence[DocStatement]]) -> dict[str, str]:
    """What a name stands for in most examples that import it: `np`, `pd`."""
    counts: dict[str, Counter[str]] = {}
    for own in found:
        for statement in own:
            tree = parsed(statement.code)
            for node in tree.body if tree else ():
                for item in imported(node):
                    if not item.is_star and not item.is_relative and item.name:
                        written = _written(item.module, item.item, item.name)
                        counts.setdefault(item.name, Counter())[written] += 1
    return {name: count.most_common(1)[0][0] for name, count in counts.items()}


def _written(module: str, item: str, name: str) -> str:
    if item:
        return f"from {module} import {item}" + (f" as {name}" if name != item else "")
    return f"import {module}" + (f" as {name}" if name != module.partition(".")[0] else "")


def _preamble(
    path: str, own: Sequence[DocStatement], usual: dict[str, str], surface: Surface
) -> list[DocStatement]:
    """Imports of names that the example uses and never binds.

    As doctest has it, an example sees the names of its module; these are taken by their public
    paths, so that the same lines hold for a release that keeps its code elsewhere.
    """
    lines: list[str] = []
    for name in _free_names(own):
        module = path
        while "." in module:
            module = module.rpartition(".")[0]
            if module == name:
                lines.append(f"import {module}")
                break
            symbol = surface.symbols.get(module)
            if symbol is not None and surface.lookup(module, name) is not None:
                lines.append(f"from {module} import {name}")
                break
        else:
            if name in usual:
                lines.append(usual[name])
            elif name in surface.roots:
                lines.append(f"import {name}")
    return [DocStatement(line, is_preamble=True) for line in lines]


def _free_names(own: Sequence[DocStatement]) -> list[str]:
    """In order; one that is bound later in the example is its own all the same."""
    used: dict[str, None] = {}
    bound: set[str] = set(dir(builtins)) | {"_", "__name__"}
    for statement in own:
        tree = parsed(statement.code)
        if tree is None:
            continue
        for node in ast.walk(tree):
            match node:
                case ast.Name(id=name, ctx=ast.Load()):
                    used[name] = None
                case ast.Name(id=name) | ast.arg(arg=name):
                    bound.add(name)
                case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                    bound.add(name)
                case ast.ExceptHandler(name=str(name)):
                    bound.add(name)
                case _:
                    bound.update(item.name for item in imported(node))
    return [name for name in used if name not in bound]


def _modules(examples: Iterable[DocExample]) -> tuple[str, ...]:
    found: Counter[str] = Counter()
    for example in examples:
        for item in _imports(example):
            found[item] += 1
    return tuple(sorted(found))


def _imports(example: DocExample) -> Iterator[str]:
    for statement in example.statements:
        tree = parsed(statement.code)
        for node in tree.body if tree else ():
            for item in imported(node):
                if not item.is_relative:
                    yield item.module
