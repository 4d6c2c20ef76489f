"""Uses, as they are met: where each stands, what it stands under, and how sure it is."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from libdrift.languages.python.usage.bindings import Binding, BindingKind, Known, Own, Plain
from libdrift.languages.python.usage.guards import CATCHING
from libdrift.languages.python.usage.imports import Imported
from libdrift.languages.python.usage.scopes import Scope
from libdrift.languages.python.usage.types import Lookup, Packages
from libdrift.languages.python.usage.uses import (
    Arguments,
    Certainty,
    Guard,
    Reason,
    Span,
    Use,
    UseKind,
    span_of,
)

# On a value of unknown class these say nothing: `json()` of a response gives plain dictionaries.
PLAIN_NAMES = frozenset(
    name for kind in (str, bytes, list, dict, set, int, float, tuple) for name in dir(kind)
)

# A call's arguments and place; and how the expression is written, and what it begins with.
_More = tuple[tuple[Arguments, Span] | None, tuple[str, str]]
_NO_MORE: _More = (None, ("", ""))


class UseNotes:
    def __init__(self, packages: Packages, release: Lookup) -> None:
        self._packages = packages
        self._release = release
        self._guard = Guard.NONE
        self._caught: frozenset[str] = frozenset()
        self._quoted = self._inert = False
        self.chain = self.chains = 0  # the expression that is being read, and how many there were
        self.uses: list[Use] = []
        self.loose: list[Use] = []
        self.assigned: list[Use] = []

    # --- what uses stand under

    @contextmanager
    def under(self, guard: Guard) -> Iterator[None]:
        before = self._guard
        self._guard = before or guard
        yield
        self._guard = before

    @contextmanager
    def trying(self, caught: frozenset[str]) -> Iterator[None]:
        before = self._caught
        self._caught = before | caught
        yield
        self._caught = before

    @contextmanager
    def quoting(self) -> Iterator[None]:
        before, self._quoted = self._quoted, True
        yield
        self._quoted = before

    @contextmanager
    def inert(self, *, when: bool) -> Iterator[None]:
        """What is written for type checkers."""
        before, self._inert = self._inert, self._inert or when
        yield
        self._inert = before

    @contextmanager
    def later(self, guard: Guard) -> Iterator[None]:
        """The body of a function: no ``try`` around its definition catches what happens in it."""
        before = self._guard, self._caught
        self._guard, self._caught = guard, frozenset()
        yield
        self._guard, self._caught = before

    @contextmanager
    def silent(self) -> Iterator[None]:
        """What is read a second time is noted once."""
        before = self.mark()
        yield
        self.undo(before)

    def mark(self) -> tuple[int, int, int]:
        return len(self.uses), len(self.loose), len(self.assigned)

    def undo(self, mark: tuple[int, int, int]) -> None:
        """Forgets what was noted since."""
        for noted, count in zip((self.uses, self.loose, self.assigned), mark, strict=True):
            del noted[count:]

    @property
    def guard(self) -> Guard:
        return self._guard

    @property
    def import_guard(self) -> Guard:
        return self._guarded(UseKind.IMPORT)

    # --- uses

    def imports(self, node: ast.alias, item: Imported, package: str) -> None:
        path = item.module if item.is_star else item.full
        release = self._release(package)
        self.uses.append(
            Use(
                package,
                path,
                UseKind.IMPORT,
                span_of(node),
                path.rpartition(".")[2],
                Certainty.CERTAIN,
                Reason.STAR if item.is_star else Reason.IMPORTED,
                canonical=release.canonical(path) if release else "",
                guard=self._guarded(UseKind.IMPORT),
                is_missing=release is not None and release.lacks(path),
                written=item.item or item.module,
                is_inert=self._inert,
            )
        )

    def read(self, node: ast.AST, binding: Known, scope: Scope) -> None:
        """A variable is no use, whatever it holds; what imports bind is one."""
        is_use = isinstance(node, ast.Attribute) or (
            isinstance(node, ast.Name) and binding.kind is BindingKind.THING
        )
        if is_use and binding.kind is not BindingKind.VALUE and isinstance(node, ast.expr):
            self._add(node, binding, self._package(binding), scope)

    def called(self, node: ast.Call, binding: Known, how: Arguments, scope: Scope) -> str:
        """Notes a call; gives the package that it is of, or nothing if it is of none."""
        package = self._package(binding)
        function = node.func
        if not package or binding.kind is BindingKind.VALUE:
            return package
        if isinstance(function, ast.Name | ast.Attribute | ast.Subscript):
            self._add(function, binding, package, scope, (how, span_of(node)))
            for keyword in node.keywords if binding.path else ():
                if keyword.arg:
                    self._keyword(keyword, binding, package)
        return package

    def asked(self, node: ast.Call, binding: Known, name: str) -> None:
        """A name that ``getattr`` is told."""
        package = self._package(binding)
        if package and binding.kind is not BindingKind.VALUE:
            self.uses.append(self._use(UseKind.READ, span_of(node), name, binding, package))

    def assigns(self, node: ast.Attribute, binding: Binding, scope: Scope) -> None:
        """A member of a value that gets a value of the code's own."""
        if not isinstance(binding, Known) or binding.kind is not BindingKind.MEMBER:
            return
        package = self._package(binding)
        if package and binding.path:
            texts = written_as(node), root_of(node, scope)
            more = (None, texts)
            self.assigned.append(
                self._use(UseKind.READ, span_of(node), node.attr, binding, package, more)
            )

    def loosely(self, node: ast.Attribute, holder: Binding, scope: Scope) -> None:
        """A member of a value of which nothing is known, or only that it is a plain one."""
        plain = holder if isinstance(holder, Plain) else None
        self.loose.append(
            Use(
                plain.package if plain else "",
                "",
                UseKind.READ,
                span_of(node),
                node.attr,
                Certainty.GUESSED,
                Reason.RETURNED if plain else Reason.UNKNOWN,
                guard=self._guarded(UseKind.READ),
                is_member=True,
                written=written_as(node),
                root=root_of(node, scope),
                is_quoted=self._quoted,
                origin=plain.origin if plain else "",
            )
        )

    def loosely_called(self, node: ast.Call, how: Arguments) -> None:
        """The member that was noted last is called, if it is that of the call."""
        if self.loose and self.loose[-1].span == span_of(node.func):
            guard = self._guarded(UseKind.CALL)
            self.loose[-1] = replace(
                self.loose[-1],
                kind=UseKind.CALL,
                arguments=how,
                call=span_of(node),
                guard=guard,
            )

    def _package(self, binding: Known) -> str:
        # `google` alone does not tell whose `google.cloud` is.
        if binding.kind is BindingKind.THING:
            return self._packages.of(binding.path) or ""
        return binding.package

    def _keyword(self, keyword: ast.keyword, binding: Known, package: str) -> None:
        self.uses.append(
            self._use(UseKind.KEYWORD, span_of(keyword), keyword.arg or "", binding, package)
        )

    def _add(
        self,
        node: ast.expr,
        binding: Known,
        package: str,
        scope: Scope,
        call: tuple[Arguments, Span] | None = None,
    ) -> None:
        if package:
            name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
            name = name or binding.path.rpartition(".")[2]
            kind = UseKind.CALL if call else UseKind.READ
            texts = written_as(node), root_of(node, scope)
            self.uses.append(self._use(kind, span_of(node), name, binding, package, (call, texts)))

    def _use(
        self,
        kind: UseKind,
        span: Span,
        name: str,
        binding: Known,
        package: str,
        more: _More = _NO_MORE,
    ) -> Use:
        release = self._release(package)
        path, why, sure = binding.path, binding.why, binding.certainty
        if not path:
            path = release.sole_member(name) if release and name not in PLAIN_NAMES else ""
            why, sure = Reason.MEMBER_NAME if path else Reason.UNKNOWN, Certainty.GUESSED
        call, (written, root) = more
        return Use(
            package,
            path,
            kind,
            span,
            name,
            sure,
            why,
            canonical=release.canonical(path) if release and path else "",
            guard=self._guarded(kind) or binding.guard,
            is_missing=bool(path) and release is not None and release.lacks(path),
            is_member=binding.kind is BindingKind.MEMBER,
            arguments=call[0] if call else None,
            call=call[1] if call else None,
            written=written,
            root=root,
            chain=self.chain,
            is_quoted=self._quoted,
            origin=binding.origin,
            is_inert=self._inert,
            borrowed=binding.borrowed,
        )

    def _guarded(self, kind: UseKind) -> Guard:
        if self._guard:
            return self._guard
        return Guard.TRY if self._caught & CATCHING[kind] else Guard.NONE


def written_as(node: ast.expr) -> str:
    """An expression as the code has it, without what is in its brackets."""
    ends = ""
    while not isinstance(node, ast.Name):
        if isinstance(node, ast.Attribute):
            ends, node = f".{node.attr}{ends}", node.value
        elif isinstance(node, ast.Call):
            ends, node = f"(){ends}", node.func
        elif isinstance(node, ast.Subscript):
            ends, node = f"[]{ends}", node.value
        elif isinstance(node, ast.Await):
            node = node.value
        else:
            return f"…{ends}"
    return f"{node.id}{ends}"


def root_of(node: ast.expr, scope: Scope) -> str:
    """What an expression starts with, if that is not all of it: ``plt``, ``self.model``."""
    last = ""
    if isinstance(node, ast.Name):
        return ""
    while isinstance(node, ast.Attribute | ast.Call | ast.Subscript):
        if isinstance(node, ast.Attribute):
            last = node.attr
        node = node.func if isinstance(node, ast.Call) else node.value
    if not isinstance(node, ast.Name):
        return ""
    return f"{node.id}.{last}" if isinstance(scope.find(node.id), Own) else node.id
