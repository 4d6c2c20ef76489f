"""The life of a symbol, for people and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from libdrift.history.questions import DeprecationSpan, Life, VersionSpan


def kind_of(kind: str) -> str:
    """What a reader calls it: of some names only the name is known."""
    return "name" if kind == "unknown" else kind


def life_json(life: Life) -> dict[str, Any]:
    from libdrift.cli.trials import seen_json
    from libdrift.reports.changes import replacement_row

    return {
        "path": life.path,
        "package": life.package,
        "kind": str(life.kind),
        "introduced": life.introduced,
        "introduced_before": life.introduced_before,
        "deprecated": life.deprecated and _told_json(life.deprecated),
        "removed": life.removed,
        "last_there": life.last_there or None,
        "replacement": life.replacement or None,
        "how": replacement_row(life.how) if life.how else None,
        "signatures": [
            {"from": item.first, "to": item.last, "signature": item.text}
            for item in life.signatures
        ],
        "parameters": [
            {"parameter": item.parameter, "to": item.last, **_told_json(item)}
            for item in life.told
            if item.parameter
        ],
        "warnings": [
            {"to": item.last, **_told_json(item)}
            for item in life.told
            if not item.parameter and item != life.deprecated
        ],
        "gaps": [{"removed": gap.removed, "back": gap.back} for gap in life.gaps],
        "defined": [
            {"from": item.first, "to": item.last, "id": item.text} for item in life.definitions
        ],
        "public_path": life.public_path or None,
        "unsure": list(life.unsure),
        "mined": {"first": life.mined[0], "last": life.mined[1], "releases": len(life.dates)},
        "behaviour": seen_json(life.behaviour),
    }


def _told_json(told: DeprecationSpan) -> dict[str, Any]:
    return {
        "version": told.first,
        "message": told.message,
        "since": told.since or None,
        "replacement": told.replacement or None,
        "conditional": told.conditional,
    }


def life_lines(life: Life) -> list[str]:
    from libdrift.cli.trials import seen_lines

    def when(version: str) -> str:
        date = life.dates.get(version)
        return f"{version} ({date})" if date else version

    first, last = life.mined
    mined = f"{len(life.dates)} mined releases, {first} to {last}" if first != last else first
    lines = [f"{life.path}  {kind_of(life.kind)} of {life.package} ({mined})"]
    if life.public_path not in {"", life.path}:
        lines.append(_line("the same as", life.public_path))
    before = life.mined_before(life.introduced)
    told = f"; not in {before}" if before else ", the first mined release, or before"
    lines.append(_line("introduced", when(life.introduced) + told))
    lines += [_line("gone", f"{when(gap.removed)}, back in {when(gap.back)}") for gap in life.gaps]
    if life.deprecated:
        lines.append(_line("deprecated", when(life.deprecated.first)))
        lines += [_line("", text) for text in [life.deprecated.message] if text]
        lines += [
            _line("", f"{when(item.first)}: {item.message}")
            for item in life.told
            if not item.parameter and item.message not in {"", life.deprecated.message}
        ]
    told = f"{when(life.removed)}; last there in {life.last_there}" if life.removed else "no"
    lines.append(_line("removed", told))
    if life.replacement:
        lines.append(_line("use instead", life.replacement))
    lines += [
        _line("not certain", f"{version} could not be read completely and may have it too")
        for version in life.unsure
    ]
    lines += _parameter_lines(life)
    lines += _held_lines("signatures", life.signatures)
    lines += _held_lines("defined at", life.definitions)
    return lines + seen_lines(life.behaviour)


def _line(title: str, text: str) -> str:
    return f"  {title:<12} {text}"


def _parameter_lines(life: Life) -> list[str]:
    lines: list[str] = []
    for item in life.told:
        if not item.parameter:
            continue
        use = f"use {item.replacement}" if item.replacement else ""
        told = "; ".join(part for part in (use, item.message) if part)
        text = f"{item.parameter}  deprecated {_stretch(item.first, item.last)}"
        lines.append(_line("" if lines else "parameters", f"{text}  {told}".rstrip()))
    return lines


def _held_lines(title: str, held: tuple[VersionSpan, ...]) -> list[str]:
    spans = [_stretch(item.first, item.last) for item in held]
    width = max(map(len, spans), default=0)
    return [
        _line(title if at == 0 else "", f"{span:<{width}}  {item.text}")
        for at, (span, item) in enumerate(zip(spans, held, strict=True))
    ]


def _stretch(first: str, last: str) -> str:
    return first if first == last else f"{first} – {last}"
