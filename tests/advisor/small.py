"""Pairs of releases made of source text, and what a check says of a program between them."""

from __future__ import annotations

from libdrift.advisor.checking import CodeChecker
from libdrift.advisor.releases import ReleasePair
from libdrift.languages.python.static import of_sources
from libdrift.records import Finding, Surface

Sources = str | dict[str, str]


def surface(sources: Sources, version: str) -> Surface:
    files = {"pkg/__init__.py": sources} if isinstance(sources, str) else sources
    return of_sources(files, version, "pkg")


def pair(old: Sources, new: Sources, versions: tuple[str, str] = ("1.0", "2.0")) -> ReleasePair:
    return ReleasePair(surface(old, versions[0]), surface(new, versions[1]))


def findings(old: Sources, new: Sources, code: str, **how: tuple[str, str]) -> list[Finding]:
    return list(CodeChecker([pair(old, new, **how)]).check(code, "code.py").findings)


def told(item: Finding) -> str:
    """``line level kind symbol(parameter) -> replacement``"""
    parameter = f"({item.parameter})" if item.parameter else ""
    instead = f" -> {item.replacement}" if item.replacement else ""
    return f"{item.line} {item.level} {item.kind} {item.symbol}{parameter}{instead}"
