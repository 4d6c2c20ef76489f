"""Classes of one source file, and values: what they bind, and what their constructors take."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from libdrift.languages.python import deprecations, making, raising
from libdrift.languages.python.borrowing import REFERENCE, borrowed, words
from libdrift.languages.python.conditions import is_typing
from libdrift.languages.python.expressions import (
    called,
    dotted,
    message,
    short,
    signature,
    strings,
    text,
)
from libdrift.languages.python.fields import field_alias, field_default, is_field
from libdrift.languages.python.functions import Functions
from libdrift.languages.python.lazy import answers_all, read_getattr
from libdrift.languages.python.overloads import join_overloads, joined
from libdrift.languages.python.parsed import Definition
from libdrift.records import Parameter, ParameterKind, Signature

ANSWERS = "answers"  # the trait of a class that gives, or may give, whatever name it is asked for
ALTERNATIVE = "alternative"  # the trait of a class of a branch that may not run
# The trait of `plots = load_later("package.plots")`: of a module of that name, if there is one.
STANDS_FOR = "stands for a module"
Condition = Callable[[ast.expr], bool | None]

PREFIX = "prefix"  # the argument with which a class gives its members, of another, other names
_ATTRS = {"define", "frozen", "mutable", "attrs", "s"}
_DATACLASSES = {"dataclass", "pydantic_dataclass", *_ATTRS}
_WRAPPERS = {"property", "cached_property", "cache_readonly", "hybrid_property"}


def read(
    node: ast.ClassDef, functions: Functions, condition: Condition, *, stub: bool
) -> Definition:
    found = Definition(node.name, "class", node.lineno)
    found.bases = tuple(filter(None, (_base(base) for base in node.bases)))
    found.metaclass = next((dotted(k.value) for k in node.keywords if k.arg == "metaclass"), "")
    for base in node.bases:  # class D(namedtuple("D", "a b"))
        if isinstance(base, ast.Call) and called(base).rpartition(".")[2] == "namedtuple":
            _called(found, base, functions)
    functions.document(node, found)
    body = _Body(found, functions, condition, stub=stub)
    body.block(node.body)
    told = deprecations.in_decorators(node.decorator_list, functions.constants)
    if told:
        known = found.categories or ("",) * len(found.deprecations)
        found.categories = (*(t.category for t in told), *known)
        found.deprecations = (*(t.evidence for t in told), *found.deprecations)
    names = {called(d).rpartition(".")[2] for d in node.decorator_list}
    if "TypedDict" in {b.rpartition(".")[2] for b in found.bases}:
        # Its keys are no attributes: what it is called with takes them, and needs none.
        keys = [item for item in body.fields if item.name in found.members]
        mapping = Parameter("mapping", ParameterKind.POSITIONAL_ONLY, "...")
        only = ParameterKind.KEYWORD_ONLY
        taken = (replace(item, kind=only, default="...") for item in keys)
        found.fields = Signature((mapping, *taken))
        found.members = {n: m for n, m in found.members.items() if m.kind != "value"}
    if names & _ATTRS:  # it takes `_x` as `x`
        body.fields = [replace(item, name=item.name.lstrip("_")) for item in body.fields]
    if names & _DATACLASSES or "NamedTuple" in {b.rpartition(".")[2] for b in found.bases}:
        found.fields = Signature(tuple(body.fields))
        found.traits = (*found.traits, "dataclass")
    given = functions.given_to_self(node)
    found.late = tuple(name for name in given if name not in found.members)
    found.aliases = tuple(_aliases(node.decorator_list))
    found.borrowed = tuple(borrowed(node.decorator_list))
    found.fillers = tuple(filter(None, map(dotted, node.decorator_list)))
    return found


def _base(node: ast.expr) -> str:
    if isinstance(node, ast.Subscript):  # Generic[T], Base[int]
        node = node.value
    if isinstance(node, ast.Call):  # with_metaclass(Meta, Base), namedtuple("X", "a b")
        name = called(node).rpartition(".")[2]
        if name == "with_metaclass" and len(node.args) > 1:
            return dotted(node.args[1])
        return ""
    return dotted(node)


class _Body:
    def __init__(
        self, owner: Definition, functions: Functions, condition: Condition, *, stub: bool
    ) -> None:
        self.owner = owner
        self.members = owner.members = dict(owner.members)
        self.lists = owner.lists = {}
        self.functions = functions
        self.condition = condition
        self.stub = stub
        self.fields: list[Parameter] = []
        self.hidden: dict[str, ast.FunctionDef | ast.AsyncFunctionDef] = {}

    def block(self, statements: Iterable[ast.stmt]) -> None:
        for node in statements:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self.function(node)
            elif isinstance(node, ast.Assign):
                self.assign(node)
            elif isinstance(node, ast.AnnAssign):
                self.annotated(node)
            elif isinstance(node, ast.ClassDef):
                # Private ones too: they may be the bases of public ones beside them.
                inner = read(node, self.functions, self.condition, stub=self.stub)
                self.members[node.name] = inner
            elif isinstance(node, ast.If):
                self.branch(node)
            elif isinstance(node, (ast.Try, ast.With, ast.For)):
                self.block(node.body)
            elif isinstance(node, ast.Delete):
                for target in node.targets:
                    self.members.pop(dotted(target), None)

    def branch(self, node: ast.If) -> None:
        # What is declared for type checkers alone may be made by a metaclass, for some classes.
        truth = False if is_typing(node.test) and not self.stub else self.condition(node.test)
        known = dict(self.members) if truth is None else None
        if truth is not False:
            self.block(node.body)
        if truth is not True:
            self.block(node.orelse)
        for name, member in self.members.items() if known is not None else ():
            if known is not None and known.get(name) is not member:
                revive(member)  # there may be another, that does its work

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        name = node.name
        if name in ("__init__", "__new__"):
            self.constructor(node)
        elif name in ("__getattr__", "__getattribute__"):
            if "getattr" not in self.owner.traits:
                self.owner.traits = (*self.owner.traits, "getattr")
            if name == "__getattr__" and not self.stub and answers_all(node):
                self.owner.traits = (*self.owner.traits, ANSWERS)
            if self.functions.mentions(node, "raise"):
                self._dead(node)
        elif name == "__call__" and "type" in self.owner.bases:
            self.lists[making.GIVEN_AS_MADE] = tuple(making.given_as_made(node))
        elif name == "__init_subclass__":
            self.owner.heirs = tuple(dict.fromkeys(making.fillers(node)))
        if name.startswith("_"):
            self.hidden[name] = node
            return
        found = self.functions.read(node, bound=True)
        before = self.members.get(name)
        if "setter" in found.traits:
            return
        if before is not None and "overloaded" in before.traits:
            join_overloads(before, found)
            return
        self.members[name] = found

    def _dead(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Names for which the class has only an error, if no base has them."""
        for name, said in read_getattr(node, self.functions.constants, {}).dead.items():
            if not name.startswith("_") and name.isidentifier():
                member = Definition(name, "value", traits=("instance", "asked"), gone=said)
                self.members.setdefault(name, member)

    def constructor(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        found = self.functions.read(node, bound=True)
        owner = self.owner
        if owner.constructor is not None and "overloaded" in found.traits:
            owner.constructor = joined(owner.constructor, found.signature)
        elif node.name == "__init__" or owner.constructor is None:
            owner.constructor = found.signature
        if raising.is_end(found.gone) and (node.name == "__init__" or not owner.gone):
            owner.gone = found.gone
        elif node.name == "__init__":
            owner.gone = ""
        owner.body = owner.body or found.body
        # A constructor that warns deprecates its class; one that warns of a parameter, that.
        categories = found.categories or ("",) * len(found.deprecations)
        for item, category in zip(found.deprecations, categories, strict=True):
            if item.source != "docstring" or item.parameter:
                known = owner.categories or ("",) * len(owner.deprecations)
                owner.deprecations += (item,)
                owner.categories = (*known, category)
        owner.notes += found.notes
        if not owner.doc and found.doc:
            owner.doc = found.doc
        for inner in _self_attributes(node):
            self.members.setdefault(inner, Definition(inner, "value", traits=("instance",)))

    def assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            if isinstance(target, ast.Name):
                if target.id == "__slots__":
                    for name in words(node.value):
                        if not name.startswith(("_", REFERENCE)):
                            self.members.setdefault(name, Definition(name, "value"))
                else:
                    self._named(target.id, node.value, "")
                    if isinstance(node.value, ast.Call) and is_field(node.value):
                        default = field_default(node.value)
                        if default != "init=False":  # attrs takes `_x` as `x`
                            label = target.id.lstrip("_")
                            kind = ParameterKind.POSITIONAL
                            self.fields.append(Parameter(label, kind, default or None))
            elif isinstance(target, (ast.Tuple, ast.List)):
                for part in target.elts:
                    if isinstance(part, ast.Name) and not part.id.startswith("_"):
                        self._value(part.id, None, "")

    def _named(self, name: str, node: ast.expr | None, annotation: str) -> None:
        if not name.startswith("_"):
            self._value(name, node, annotation)
        elif isinstance(node, (ast.List, ast.Tuple, ast.BinOp)):
            items = tuple(words(node))
            if items:
                self.lists[name] = items

    def _value(self, name: str, node: ast.expr | None, annotation: str) -> None:
        before = self.members.get(name)
        if before is not None and isinstance(node, ast.Call):
            inside = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
            if name in inside:  # f = staticmethod(f)
                if called(node).rpartition(".")[2] in _WRAPPERS:
                    before.kind, before.signature = "property", None
                return
        if isinstance(node, ast.Name) and node.id in self.hidden:  # has_key = __contains__
            self.members[name] = self.functions.read(self.hidden[node.id], bound=True)
            return
        self.members[name] = value(name, node, annotation, self.functions)

    def annotated(self, node: ast.AnnAssign) -> None:
        if not isinstance(node.target, ast.Name):
            return
        name, annotation = node.target.id, text(node.annotation)
        if "ClassVar" not in annotation and annotation not in ("KW_ONLY", "dataclasses.KW_ONLY"):
            default = field_default(node.value)
            if default != "init=False":
                kind, taken = ParameterKind.POSITIONAL, field_alias(node.value) or name
                self.fields.append(Parameter(taken, kind, default or None, annotation))
        self._named(name, node.value, annotation)
        if name.startswith("_"):
            return
        if node.value is None and not self.stub:
            member = self.members[name]
            member.traits = (*member.traits, "instance")


def _self_attributes(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    """Attributes that a constructor gives its instance, at its first level and below ``if``s."""
    first = node.args.args[0].arg if node.args.args else "self"
    waiting: list[ast.stmt] = list(node.body)
    while waiting:
        statement = waiting.pop(0)
        if isinstance(statement, (ast.Assign, ast.AnnAssign)):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            for target in targets:
                for part in getattr(target, "elts", [target]):
                    if (
                        isinstance(part, ast.Attribute)
                        and isinstance(part.value, ast.Name)
                        and part.value.id == first
                        and not part.attr.startswith("_")
                    ):
                        yield part.attr
        elif isinstance(statement, (ast.If, ast.With, ast.Try)):
            waiting += statement.body
            waiting += getattr(statement, "orelse", [])


def _aliases(decorators: Iterable[ast.expr]) -> Iterator[tuple[str, str]]:
    """``@define_aliases({"linewidth": ["lw"]})``: accessors under a second name."""
    for node in decorators:
        if isinstance(node, ast.Call) and "alias" in called(node) and node.args:
            mapping = node.args[-1]
            if isinstance(mapping, ast.Dict):
                for key, names in zip(mapping.keys, mapping.values, strict=True):
                    if isinstance(key, ast.Constant):
                        for name in strings(names):
                            yield str(key.value), name


def value(name: str, node: ast.expr | None, annotation: str, functions: Functions) -> Definition:
    """What an assignment binds: an alias, a function, a class of fields, or just a value."""
    found = Definition(name, "value", getattr(node, "lineno", 0), annotation=annotation)
    if node is None:
        return found
    if isinstance(node, ast.Lambda):
        found.kind, found.signature = "function", signature(node.args, None, bound=False)
        return found
    if isinstance(node, ast.Subscript) and functions.stub and dotted(node.value):
        # `float64 = floating[_64Bit]`: what a stub can say of a class that code makes.
        found.kind, found.bases, found.alias = "generic", (dotted(node.value),), ""
        found.value = text(node)
        return found
    alias = dotted(node)
    if alias and alias not in ("None", "True", "False"):
        found.kind, found.alias, found.value = "alias", alias, alias
        return found
    if isinstance(node, ast.Call):
        _called(found, node, functions)
        if any(path.rpartition(".")[2] == name for path in strings(ast.List([*node.args]))):
            found.traits += (STANDS_FOR,)
    if not found.value:
        found.value = short(node)
    return found


def _called(found: Definition, node: ast.Call, functions: Functions) -> None:
    last = called(node).rpartition(".")[2]
    if last in ("namedtuple", "NamedTuple") and len(node.args) > 1:
        found.kind, found.bases = "class", ("builtins.tuple",)
        names = _tuple_fields(node.args[1])
        found.members = {n: Definition(n, "property") for n in names if not n.startswith("_")}
        positional = ParameterKind.POSITIONAL
        found.constructor = Signature(tuple(Parameter(n, positional) for n in names))
        return
    if last in _WRAPPERS:
        found.kind = "property"
        doc = next((k.value for k in node.keywords if k.arg == "doc"), None)
        if doc is None and len(node.args) > 3:  # noqa: PLR2004  property(get, set, delete, doc)
            doc = node.args[3]
        found.doc = message(doc, functions.constants)
        return
    if last in ("staticmethod", "classmethod") and node.args:
        found.kind, found.alias = "alias", dotted(node.args[0])
        found.traits = (last,)
        if not found.alias:
            found.kind = "function"
        return
    told = deprecations.in_decorators([node.func, node], functions.constants)
    if told:
        # `old = deprecated("…")(new)`: a function of its own, and a dying one.
        first = told[0].evidence
        wrapped = next((d for d in map(dotted, node.args) if d), "")
        if wrapped and not first.replacement and not wrapped.rpartition(".")[2].startswith("_"):
            first = replace(first, replacement=wrapped)
        found.kind, found.alias, found.deprecations = "function", wrapped, (first,)
    elif node.args and isinstance(node.func, (ast.Name, ast.Attribute)):
        found.made = (dotted(node.func), dotted(node.args[0]))
        prefix = next((message(k.value, {}) for k in node.keywords if k.arg == PREFIX), "")
        if prefix:
            found.lists = {PREFIX: (prefix,)}
        if "doc" in last.lower():  # `name = add_docstr(compiled, """…""")`
            texts = (message(argument, functions.constants) for argument in node.args[1:])
            found.doc = max(texts, key=len, default="")


def _tuple_fields(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value.replace(",", " ").split()
    pairs = [e.elts[0] for e in getattr(node, "elts", []) if isinstance(e, ast.Tuple) and e.elts]
    return strings(ast.List(list(pairs))) if pairs else strings(node)


def revive(item: Definition) -> None:
    """Where another definition may stand in its place, one that only raises says nothing."""
    item.gone = ""
    item.traits = tuple(trait for trait in item.traits if trait != "raises")
