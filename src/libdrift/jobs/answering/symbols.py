"""A symbol in one release; where that release has not got it, its life."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from libdrift.errors import LibdriftError, UserError
from libdrift.history import versions
from libdrift.history.questions import Life, SymbolDocument, document, life
from libdrift.history.store import Store
from libdrift.history.store.places import place_of
from libdrift.jobs import on_demand as missing
from libdrift.jobs.answering.context import AnswerContext, ServedRelease, read_missing
from libdrift.jobs.histories import open_history
from libdrift.retrieval.documents import readable

_MOST_READ = 4  # releases that are mined to tell the life of a symbol that is not there


@dataclass(frozen=True, slots=True)
class SymbolQuestion:
    """``version`` is the project's own where none is given."""

    symbol: str
    package: str | None = None
    version: str | None = None


@dataclass(frozen=True, slots=True)
class SymbolAnswer:
    """What a symbol is in a release, or, where ``exists`` is false, what became of it.

    Versions of a life are of mined releases: ``introduced`` is the first of them that has the
    symbol, ``removed`` the first after it that has not.
    """

    release: ServedRelease
    symbol: str
    exists: bool
    kind: str = ""
    signature: str | None = None
    documentation: str = ""
    deprecated: str | None = None  # the message; empty where there is none
    replacement: str = ""
    defined: str = ""  # module:name
    source: str = ""  # file and line, in the file that was read
    public_path: str = ""
    introduced: str = ""
    removed: str = ""
    note: str = ""


def symbol_at(context: AnswerContext, asked: SymbolQuestion) -> SymbolAnswer:
    """The symbol exactly as of one release."""
    symbol = asked.symbol.strip()
    package = asked.package
    if package is None:
        package, _ = missing.package_of(context.history, symbol, context.on_demand)
        if not package:
            raise UserError("the symbol's name is empty", "Write it as code does: numpy.trapz")
    with missing.guessing(context.history, symbol):
        release = context.release(package, asked.version)
    missing.check_root(context.history, symbol, release.name)
    with open_history(context.history) as history:
        try:
            found = document(history, symbol, release.version, release.package)
            source = place_of(history, found.package, found.version, found.symbol.id)
            return replace(_present(found, release), source=source)
        except UserError as error:
            absent = error
    return _absent(context, symbol, release, absent)


def _present(found: SymbolDocument, release: ServedRelease) -> SymbolAnswer:
    symbol, told = found.symbol, found.symbol.deprecation
    return SymbolAnswer(
        release,
        found.path,
        exists=True,
        kind=str(symbol.kind),
        signature=_headline(found),
        documentation=readable(symbol.doc),
        deprecated=None if told is None else told.message,
        replacement=told.replacement if told is not None else "",
        defined=symbol.id,
        public_path=found.public_path if found.public_path != found.path else "",
        note="deprecated in some uses only" if told is not None and told.conditional else "",
    )


def _headline(found: SymbolDocument) -> str:
    symbol = found.symbol
    if symbol.signature is not None:
        return f"{found.path}{symbol.signature}"
    text = f"{found.path}: {symbol.annotation}" if symbol.annotation else found.path
    return f"{text} = {symbol.value}" if symbol.value else text


# --- a symbol that the release has not got


def _absent(
    context: AnswerContext, symbol: str, release: ServedRelease, error: UserError
) -> SymbolAnswer:
    known = _life(context.history, symbol, release.package)
    if known is None and context.on_demand.allowed:
        _read_more(context, symbol, release)
        known = _life(context.history, symbol, release.package)
    if known is None:
        raise error
    told = known.deprecated
    return SymbolAnswer(
        release,
        known.path,
        exists=False,
        kind=known.kind,
        signature=f"{known.path}{known.signatures[-1].text}" if known.signatures else None,
        deprecated=told.message if told is not None else None,
        replacement=known.replacement,
        introduced=known.introduced,
        removed=known.removed or "",
        note=error.message,
    )


def _life(history: Path, symbol: str, package: str) -> Life | None:
    with open_history(history) as store:
        try:
            return life(store, symbol, package=package)
        except UserError:
            return None


def _read_more(context: AnswerContext, symbol: str, release: ServedRelease) -> None:
    """Mine the newest release and the series before this one, until one has the symbol."""
    try:
        newest = missing.newest_of_series(release.package)
    except LibdriftError:
        return  # the index is not there: what is mined has to do
    order = versions.order(release.version)
    older = [item for item in newest if versions.order(item) < order][::-1]
    newer = [item for item in newest if versions.order(item) > order][-1:]
    quiet = replace(context.on_demand, said=lambda _: None)
    for version in [*newer, *older][:_MOST_READ]:
        try:
            found = missing.exactly(context.history, release.package, version, quiet)
            read_missing(context.history, found, quiet)
        except LibdriftError:
            continue  # one that cannot be read tells nothing
        with Store.open(context.history, readonly=True) as store:
            try:
                document(store, symbol, version, release.package)
            except UserError:
                continue
            return
