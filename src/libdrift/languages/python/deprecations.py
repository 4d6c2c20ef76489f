"""Evidence that something is on its way out: decorators, warnings, directives in documentation.

Whether a warning class means deprecation is told here for Python's own; for a package's own class
(``RemovedInDjango40Warning``) its bases decide, which only the linker knows: such evidence carries
the class's name until then.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from libdrift.languages.python import shims
from libdrift.languages.python.expressions import called, message, strings, text
from libdrift.languages.python.wording import alternative_in, argument_in, replacement_in, tidy
from libdrift.records import Deprecation

PYTHONS_OWN = {"DeprecationWarning", "PendingDeprecationWarning", "FutureWarning"}
_NOT_DEPRECATION = {"RuntimeWarning", "UserWarning", "ImportWarning", "ResourceWarning"}

# A FutureWarning may tell of a coming behaviour; only such words make it a deprecation.
_WORDS = re.compile(
    r"deprecat|be removed|\bremoved? (?:in|from|with|after|as of|soon|support)\b|\bremoval\b|"
    r"no longer (?:be )?(?:support|available)|obsolete|renamed",
    re.IGNORECASE,
)
# Said so, it is one whatever class of its own a package warns with.
_SAYS_SO = re.compile(
    r"\b(?:is|are|was|were|been)(?: now| currently)? deprecated\b(?! (?:data|files?|values?)\b)",
    re.IGNORECASE,
)
_DECORATORS = re.compile(
    r"deprecat|rename_?d?_?(?:param|arg|kwarg|keyword)|(?:delete|remove)_(?:param|arg|kwarg)|"
    r"make_keyword_only|legacy_arg",
    re.IGNORECASE,
)
_BARE = re.compile(
    r"_*(?:\w+_)?deprecat(?:ed?|ion)(?:_(?:func\w*|method|class|alias|api|attr\w*))?$",
    re.IGNORECASE,
)
_OF_PARAMETERS = re.compile(r"param|arg|kwarg|keyword|positional|option", re.IGNORECASE)
_SINCE = {"since", "version", "deprecated_since_version", "deprecated_in", "from_version", "start"}
_INSTEAD = re.compile(
    r"(?:alternat|replac|instead|successor|substitut|favou?r|moved_to|renamed_to|preferred)\w*$|"
    r"(?:\w+_)?(?:alternat|replac|instead|successor|favou?r)\w*$|use$|"
    r"new(?:_(?:name|func|function|method|class|path|api|location|module|target|import))?$"
)
_MESSAGE = re.compile(
    r"(?:\w+_)?(?:fix|message|reason|msg|details?|extra|addendum|info|hint|comment|action|text|note|"
    r"advice|instructions?)(?:_\w+)?$"
)
_OLD_LABELS = ("old_arg_name", "old", "old_name", "old_arg", "name", "arg", "param", "kwarg")
_NEW_LABELS = ("new_arg_name", "new", "new_name", "new_arg", "replacement", "alternative")
_WORD = re.compile(r"[A-Za-z_][\w.]*(?:\(\))?(?: (?:or|and) [A-Za-z_][\w.]*(?:\(\))?)*$")
_BY_PLACE = "positional use of some arguments is deprecated"
_OWN_NAME = re.compile(
    r"%\((?:class|class_?name|cls|klass)\)s\."
)  # that of the class, or its place
_VERSION = re.compile(r"^v?\d+(?:\.\d+)*(?:\.?(?:dev|a|b|rc|post)\d*)?$")


@dataclass(frozen=True, slots=True)
class DeprecationEvidence:
    """Evidence, and the package's own warning class on which it depends (or nothing)."""

    evidence: Deprecation
    category: str = ""


def in_decorators(
    decorators: Sequence[ast.expr], known: Mapping[str, ast.expr], own: str = ""
) -> list[DeprecationEvidence]:
    """What decorators say of a function called ``own``, and of its parameters."""
    found: list[DeprecationEvidence] = []
    for node in decorators:
        name = called(node).rpartition(".")[2]
        if not name or not _DECORATORS.search(name):
            continue
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Call):
            continue  # the outer call of `deprecated("…")(f)` is given f alone
        arguments = node.args if isinstance(node, ast.Call) else []
        keywords = node.keywords if isinstance(node, ast.Call) else []
        by_position = "positional" in name or "nonkeyword" in name
        if not isinstance(node, ast.Call) and not _BARE.match(name) and not by_position:
            continue  # `@deprecate_dims` is of some parameter
        if any(k.arg == "pending" and text(k.value) == "True" for k in keywords):
            continue  # announced, not yet so
        if "default" in name and any((k.arg or "").startswith("new") for k in keywords):
            continue  # `deprecated_arg_default("a", old_default=…, new_default=…)`: the value alone
        if _OF_PARAMETERS.search(name):
            found += map(DeprecationEvidence, _parameters(name, arguments, keywords, known))
        else:
            told = _of_call(arguments, keywords, known, own)
            # `@_copy_docstring_and_deprecators(f)` says nothing, and only looks like one.
            if told.message or told.since or told.replacement or _BARE.match(name):
                found.append(DeprecationEvidence(told))
    return found


def said_by(call: ast.Call) -> str:
    """What the arguments of a call tell of something that goes."""
    return _of_call(call.args, call.keywords, {}, "").message


def by_position(
    found: Sequence[DeprecationEvidence], by_name: set[str]
) -> list[DeprecationEvidence]:
    """``@deprecate_args("a", "b")`` of a function that takes both by name, and nothing said of
    either: what is deprecated is to give them by position."""
    kept: list[DeprecationEvidence] = []
    for item in found:
        told = item.evidence
        names = {told.parameter, *([told.replacement] if told.replacement else ())}
        if told.message or told.since or not names <= by_name:
            kept.append(item)
        elif not any(other.evidence.parameter == "*" for other in kept):
            kept.append(replace(item, evidence=Deprecation("decorator", _BY_PLACE, parameter="*")))
    return kept


def _of_call(
    arguments: Sequence[ast.expr],
    keywords: Sequence[ast.keyword],
    known: Mapping[str, ast.expr],
    own: str,
    source: str = "decorator",
) -> Deprecation:
    since = instead = ""
    words: list[str] = []
    names: list[str] = []
    for keyword in keywords:
        said = tidy(message(keyword.value, known))
        if not said:
            continue
        if keyword.arg in _SINCE:
            since = said
        elif _INSTEAD.match(keyword.arg or ""):
            instead = said
        elif _MESSAGE.match(keyword.arg or ""):
            words.append(said)
    for node in arguments:
        if isinstance(node, ast.Call) and called(node).rpartition(".")[2] in {"Version", "parse"}:
            continue  # `Version("Twisted", 16, 7, 0)`
        said = tidy(message(node, known))
        if said and _VERSION.match(said):
            since = since or said
        elif said and _WORD.match(said):
            names.append(said)
        elif " " in said:
            words.append(said)
    told = " ".join(words)
    name = alternative_in(instead) if instead else replacement_in(told) or _listed(words)
    if instead and name not in told:
        told = tidy(f"{told} Use {instead if ' ' in instead else f'`{instead}`'} instead.")
    return Deprecation(source, told, since, name or _new_name(names, own, source))


def _listed(words: Sequence[str]) -> str:
    """Of an argument that is no sentence, but things to choose from: the first that is a path."""
    for said in words:
        parts = re.split(r",\s*|\s+or\s+", said)
        paths = [part for part in parts if re.fullmatch(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+", part)]
        if paths and all(" " not in part for part in parts):
            return paths[0]
    return ""


def _new_name(names: Sequence[str], own: str, source: str) -> str:
    """Of arguments that are just names the one that is not the old: ``renamed("rolling")``."""
    others = [name for name in names if not own or name.rpartition(".")[2] != own]
    if source == "warning" and len(others) == len(names):
        others = others[1:]  # a helper is told first what is deprecated
    return alternative_in(others[0]) if others else ""


def _parameters(
    name: str,
    arguments: Sequence[ast.expr],
    keywords: Sequence[ast.keyword],
    known: Mapping[str, ast.expr],
) -> list[Deprecation]:
    """Decorators of parameters: old and new name, or the name of the one that goes."""
    given = {k.arg: message(k.value, known) for k in keywords if k.arg}
    for label in ("allowed_args", "names", "args", "deprecated_args", "params"):
        listed = [n for k in keywords if k.arg == label for n in strings(k.value)]
        if listed and label != "allowed_args":
            return [Deprecation("decorator", parameter=item) for item in listed]
    by_name = [*_told_by_name(keywords, known)]
    if by_name:
        return by_name
    texts = [message(a, known) for a in arguments]
    since = next((t for t in texts if _VERSION.match(t)), "")
    since = since or next((v for k, v in given.items() if k in _SINCE and v), "")
    if "nonkeyword" in name or "positional" in name:
        return [Deprecation("decorator", _BY_PLACE, since, parameter="*")]
    several = [strings(a) for a in arguments if isinstance(a, ast.List | ast.Tuple)]
    if several:  # ["old", …], ["new", …]
        new_names = several[1] if len(several) > 1 and len(several[1]) == len(several[0]) else ()
        return [
            Deprecation("decorator", "", since, new_names[at] if new_names else "", old)
            for at, old in enumerate(several[0])
        ]
    names = [t for t in texts if t.isidentifier()]
    old = _first(given, _OLD_LABELS)
    new = _first(given, [*_NEW_LABELS, *filter(_INSTEAD.match, given)])
    old = old or (names[0] if names else "")
    new = new or (names[1] if len(names) > 1 and names[0] == old else "")
    if "keyword_only" in name:
        return (
            [Deprecation("decorator", "becomes keyword-only", since, parameter=old)] if old else []
        )
    for mapping in arguments:  # {"old": "new", …}
        if isinstance(mapping, ast.Dict):
            return [
                Deprecation("decorator", since=since, parameter=key, replacement=value)
                for key, value in _pairs(mapping)
            ]
    if not old:
        return []
    said = (value for label, value in given.items() if _MESSAGE.match(label))
    told = tidy(" ".join(t for t in [*texts, *said] if " " in t))
    return [Deprecation("decorator", told, since, new or replacement_in(told), old)]


def _told_by_name(
    keywords: Sequence[ast.keyword], known: Mapping[str, ast.expr]
) -> Iterator[Deprecation]:
    """``deprecated_params(old=("2.0", "Use :meth:`%(classname)s.new` instead."))``."""
    for keyword in keywords:
        if not isinstance(keyword.value, ast.Tuple) or not keyword.arg:
            continue
        texts = [tidy(message(item, known)) for item in keyword.value.elts]
        told = _OWN_NAME.sub("self.", " ".join(text for text in texts if " " in text))
        if told:
            since = next((text for text in texts if _VERSION.match(text)), "")
            yield Deprecation("decorator", told, since, replacement_in(told), keyword.arg)


def _pairs(mapping: ast.Dict) -> Iterator[tuple[str, str]]:
    for key, value in zip(mapping.keys, mapping.values, strict=True):
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            yield key.value, message(value, {})


def _first(given: Mapping[str, str], labels: Sequence[str]) -> str:
    return next((given[label] for label in labels if given.get(label, "").isidentifier()), "")


def in_body(
    body: Sequence[ast.stmt],
    parameters: set[str],
    known: Mapping[str, ast.expr],
    own: str = "",
) -> list[DeprecationEvidence]:
    """Warnings that a function called ``own`` (or a module) raises, and whether always."""
    local = dict(known)
    found: list[DeprecationEvidence] = []
    for statement, tests, block in _statements(body, ()):
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            local[statement.targets[0].id] = statement.value
        call = statement.value if isinstance(statement, (ast.Expr, ast.Return)) else None
        if not isinstance(call, ast.Call):
            continue
        told = _warning(call, local, own)
        if told is None:
            continue
        evidence = told.evidence
        if tests:
            parameter = _parameter(tests, parameters, evidence.message)
            # One that is taken out of `**kwargs` no signature shows.
            parameter = parameter or argument_in(evidence.message)
            evidence = replace(evidence, parameter=parameter, conditional=True)
            if parameter and evidence.replacement not in parameters - {parameter}:
                heir = shims.parameter_given(block, parameter, parameters)
                evidence = replace(evidence, replacement=heir or evidence.replacement)
        found.append(replace(told, evidence=evidence))
    return found


_Placed = tuple[ast.stmt, tuple[ast.expr, ...], Sequence[ast.stmt]]


def _statements(body: Sequence[ast.stmt], tests: tuple[ast.expr, ...]) -> Iterator[_Placed]:
    """Each statement with the conditions that it stands under, and what stands beside it.

    Nested functions are not run.
    """
    for statement in body:
        yield statement, tests, body
        if isinstance(statement, (ast.If, ast.While)):
            yield from _statements(statement.body, (*tests, statement.test))
            yield from _statements(statement.orelse, (*tests, statement.test))
        elif isinstance(statement, ast.With):
            yield from _statements(statement.body, tests)
        elif isinstance(statement, ast.For):
            yield from _statements(statement.body, (*tests, statement.iter))
        elif isinstance(statement, ast.Try):
            yield from _statements(statement.body, tests)
            for handler in statement.handlers:
                yield from _statements(handler.body, (*tests, ast.Name("except")))
            yield from _statements(statement.orelse, (*tests, ast.Name("else")))
            yield from _statements(statement.finalbody, tests)


def _warning(call: ast.Call, local: Mapping[str, ast.expr], own: str) -> DeprecationEvidence | None:
    name = called(call)
    if not name or not shims.WARNS.search(name):
        return None
    last = name.rpartition(".")[2].lower()
    if "deprecat" in last:
        if last.startswith(("is_", "has_", "get_", "check", "_is")):
            return None
        return DeprecationEvidence(_of_call(call.args, call.keywords, local, own, "warning"))
    said = tidy(message(call.args[0], local)) if call.args else ""
    if not said:
        said = next(
            (tidy(message(k.value, local)) for k in call.keywords if k.arg == "message"), ""
        )
    category = _category(call)
    evidence = Deprecation("warning", said, since_in(said), replacement_in(said))
    if category in ("DeprecationWarning", "PendingDeprecationWarning") or _SAYS_SO.search(said):
        return DeprecationEvidence(evidence)
    if category in _NOT_DEPRECATION or category in ("FutureWarning", ""):
        return DeprecationEvidence(evidence) if _WORDS.search(said) else None
    return DeprecationEvidence(evidence, category)


def _category(call: ast.Call) -> str:
    """The class of a warning: ``warn("…", Class)``, ``warn(Class("…"))``."""
    first = call.args[0] if call.args else None
    if isinstance(first, ast.Call) and called(first).endswith("Warning"):
        return called(first).rpartition(".")[2]
    category = next((text(k.value) for k in call.keywords if k.arg == "category"), "")
    if not category and len(call.args) > 1:
        category = text(call.args[1])
    return category.rpartition(".")[2]


def since_in(said: str) -> str:
    found = re.search(r"(?:since|in|as of)(?: version)? v?(\d+\.\d+(?:\.\d+)?)", said)
    return (
        found[1]
        if found and "remov" not in said[max(0, found.start() - 30) : found.start()]
        else ""
    )


def _parameter(tests: Sequence[ast.expr], parameters: set[str], said: str) -> str:
    """The parameter that a conditional warning is about: the inmost test names it, or the text."""
    named: list[str] = []
    for test in reversed(tests):
        for node in ast.walk(test):
            if isinstance(node, ast.Name) and node.id in parameters:
                named.append(node.id)
            elif isinstance(node, ast.Constant) and node.value in parameters:
                named.append(str(node.value))  # `if "old" in kwargs`
    spoken = {
        name: found.start()
        for name in named
        if (found := re.search(rf"(?<![\w.]){re.escape(name)}\b", said))
    }
    if len(spoken) > 1:
        spoken.pop(replacement_in(said), None)
    if spoken:
        return min(spoken, key=lambda name: spoken[name])  # "old is deprecated, use new"
    first = tests[-1]
    if isinstance(first, ast.Compare) and isinstance(first.left, ast.Constant):
        value = first.left.value  # `"old" in kwargs`
        if isinstance(value, str) and value.isidentifier() and value in said:
            return value
    # Of a test further out it is not the cause, only the occasion.
    nearest = [node.id for node in ast.walk(first) if isinstance(node, ast.Name)]
    nearest += [str(node.value) for node in ast.walk(first) if isinstance(node, ast.Constant)]
    return named[0] if len(set(named)) == 1 and named[0] in nearest else ""
