"""Which licence a repository is under, as SPDX writes it, read from its own files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from libdrift.reading import toml_of

_FILES = re.compile(r"(?:licen[cs]e|copying|unlicense)(?:[-.].*)?", re.IGNORECASE)
_TAG = re.compile(r"SPDX-License-Identifier:[ \t]*([\w(][^\n]*)")
_EXPRESSION = re.compile(r"([\w.+() -]+)(?:\*/.*|-->.*)?")
_MOST = 64_000  # characters of a file
# Words that only one licence has, the more particular ones first.
_TEXTS = (
    ("AGPL-3.0", r"GNU AFFERO GENERAL PUBLIC LICENSE\s+Version 3"),
    ("LGPL-3.0", r"GNU LESSER GENERAL PUBLIC LICENSE\s+Version 3"),
    ("LGPL-2.1", r"GNU LESSER GENERAL PUBLIC LICENSE\s+Version 2\.1"),
    ("GPL-3.0", r"GNU GENERAL PUBLIC LICENSE\s+Version 3"),
    ("GPL-2.0", r"GNU GENERAL PUBLIC LICENSE\s+Version 2"),
    ("MPL-2.0", r"Mozilla Public License,?\s+v(?:ersion|\.)\s*2\.0"),
    ("Apache-2.0", r"Apache License,?\s+Version 2\.0"),
    ("BSL-1.0", r"Boost Software License\s+-\s+Version 1\.0"),
    ("Unlicense", r"free and unencumbered software released into the public domain"),
    ("CC0-1.0", r"CC0 1\.0 Universal"),
    (
        "0BSD",
        r"and/or distribute this software for any(?!.*provided that the above copyright)",
    ),
    ("ISC", r"Permission to use, copy, modify, and(?:/or)? distribute this software for any"),
    ("MIT", r"Permission is hereby granted, free of charge, to any person obtaining a copy"),
    (
        "BSD-3-Clause",
        r"Redistribution and use in source and binary forms.*Neither the name",
    ),
    ("BSD-2-Clause", r"Redistribution and use in source and binary forms"),
    ("PSF-2.0", r"PYTHON SOFTWARE FOUNDATION LICENSE VERSION 2"),
)
_PATTERNS = [(name, re.compile(text, re.DOTALL | re.IGNORECASE)) for name, text in _TEXTS]
_SUFFIX = re.compile(r"-(?:only|or-later)$|\+$")


def licences_of(folder: Path) -> frozenset[str]:
    """SPDX identifiers that a repository's files tell, none where nothing is known.

    The text of a licence file comes before what a manifest says. Of ``MIT OR Apache-2.0`` both are
    among them.
    """
    texts = (_text(path) for path in _licence_files(folder))
    found = frozenset(name for text in texts for name in _named(text))
    return found or frozenset(_declared(folder))


def is_under(folder: Path, wanted: frozenset[str]) -> bool:
    """Whether a repository is under one of some licences; ``GPL-3.0-only`` is ``GPL-3.0``."""
    return bool({_plain(name) for name in licences_of(folder)} & {_plain(one) for one in wanted})


def _plain(name: str) -> str:
    return _SUFFIX.sub("", name.strip()).lower()


def _licence_files(folder: Path) -> list[Path]:
    places = [folder, folder / "LICENSES"]
    return sorted(
        path
        for place in places
        if place.is_dir()
        for path in place.iterdir()
        if path.is_file() and (_FILES.fullmatch(path.name) or place.name == "LICENSES")
    )


def _text(path: Path) -> str:
    try:
        if not path.is_file():  # a pipe would be waited for
            return ""
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.read(_MOST)
    except OSError:
        return ""


def _named(text: str) -> Iterator[str]:
    tags = (_EXPRESSION.fullmatch(tag[1].rstrip()) for tag in _TAG.finditer(text))
    told = next(filter(None, tags), None)
    if told:
        yield from _identifiers(told[1])
        return
    for name, pattern in _PATTERNS:
        if pattern.search(text):
            yield name
            return


def _identifiers(expression: str) -> Iterator[str]:
    for word in re.findall(r"[\w.+-]+", expression):
        if word.upper() not in {"OR", "AND", "WITH"}:
            yield word


def _declared(folder: Path) -> Iterator[str]:
    """What pyproject.toml or Cargo.toml say."""
    for name, tables in (("pyproject.toml", ("project",)), ("Cargo.toml", ("package",))):
        try:
            content = toml_of(_text(folder / name))
        except ValueError:
            continue
        for table in tables:
            told = content.get(table)
            licence = told.get("license") if isinstance(told, dict) else None
            text = licence.get("text") if isinstance(licence, dict) else licence
            if isinstance(text, str):
                yield from (_named(text) if len(text.split()) > 8 else _identifiers(text))  # noqa: PLR2004
