"""Types, bounds and signatures of rustdoc's JSON, as Rust writes them.

Bounds are told in one place, a ``where`` at the end of what a function returns, wherever the
source has them: ``fn f<F: Fn()>(f: F)`` and ``fn f<F>(f: F) where F: Fn()`` are one signature.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from libdrift.languages.rust import declarations
from libdrift.records import Parameter, ParameterKind, Signature

Json = Mapping[str, Any]


def written(kind: Json | str | None) -> str:
    """One type."""
    if kind is None:
        return "()"
    if isinstance(kind, str):  # `infer`
        return "_"
    form, inner = next(iter(kind.items()))
    return _FORMS[form](inner)


def bounds(items: Sequence[Json]) -> str:
    return " + ".join(_bound(item) for item in items)


def signature(function: Json, outer: Json | None = None) -> Signature:
    """What a caller passes, without ``self``; ``outer``: the generics of the ``impl`` around."""
    told = function["sig"]
    taken = [(name, kind) for name, kind in told["inputs"] if name != "self"]
    parameters = [
        Parameter(
            declarations.label(name, at), ParameterKind.POSITIONAL_ONLY, annotation=written(kind)
        )
        for at, (name, kind) in enumerate(taken)
    ]
    if told["is_c_variadic"]:
        parameters.append(Parameter("_", ParameterKind.VARIADIC, annotation="..."))
    limits = [*_limits(outer), *_limits(function["generics"])]
    returns = written(told["output"]) if told["output"] or limits else ""
    clause = f" where {', '.join(dict.fromkeys(limits))}" if limits else ""
    return Signature(tuple(parameters), returns + clause)


def receiver(function: Json) -> str:
    """``&mut self`` and the like; empty for a function without."""
    for name, kind in function["sig"]["inputs"]:
        if name == "self":
            text = written(kind)
            plain = re.fullmatch(r"(&(?:'\w+ )?(?:mut )?)?Self", text)
            return f"{plain[1] or ''}self" if plain else f"self: {text}"
    return ""


def declaration(name: str, function: Json) -> str:
    """A function's head as its source has it, layout aside."""
    header, told = function["header"], function["sig"]
    words = [word for word in ("const", "async", "unsafe") if header[f"is_{word}"]]
    words += _extern(header)
    own = receiver(function)
    taken = [own] if own else []
    taken += [f"{label}: {written(kind)}" for label, kind in told["inputs"] if label != "self"]
    taken += ["..."] if told["is_c_variadic"] else []
    returns = f" -> {written(told['output'])}" if told["output"] else ""
    head = " ".join([*words, f"fn {name}{generics(function['generics'])}"])
    return f"{head}({', '.join(taken)}){returns}{where(function['generics'])}"


def generics(told: Json) -> str:
    """``<'a, T: Clone, const N: usize>``; empty where there are none."""
    parts = [_parameter(item) for item in told["params"] if not _is_made(item)]
    return f"<{', '.join(parts)}>" if parts else ""


def where(told: Json) -> str:
    parts = [_predicate(item) for item in told["where_predicates"]]
    return f" where {', '.join(filter(None, parts))}" if any(parts) else ""


# --- generics


def _limits(told: Json | None) -> list[str]:
    """Every bound of the parameters, each as a ``where`` would say it."""
    if told is None:
        return []
    found = []
    for item in told["params"]:
        name, kind = item["name"], item["kind"]
        if _is_made(item):
            continue
        if "const" in kind:
            found.append(f"const {name}: {written(kind['const']['type'])}")
        elif kind.get("type", {}).get("bounds"):
            found.append(f"{name}: {bounds(kind['type']['bounds'])}")
        elif kind.get("lifetime", {}).get("outlives"):
            found.append(f"{name}: {' + '.join(kind['lifetime']['outlives'])}")
    return [*found, *filter(None, map(_predicate, told["where_predicates"]))]


def _is_made(item: Json) -> bool:
    """A parameter that the compiler made of an ``impl Trait``, or of a left out lifetime."""
    kind = item["kind"]
    made = bool("type" in kind and kind["type"].get("is_synthetic"))
    return made or str(item["name"]).startswith("'_")


def _parameter(item: Json) -> str:
    name, kind = item["name"], item["kind"]
    if "const" in kind:
        default = kind["const"].get("default")
        return f"const {name}: {written(kind['const']['type'])}" + (
            f" = {default}" if default else ""
        )
    if "lifetime" in kind:
        longer = kind["lifetime"]["outlives"]
        return f"{name}: {' + '.join(longer)}" if longer else name
    told = kind["type"]
    limits = f": {bounds(told['bounds'])}" if told["bounds"] else ""
    default = f" = {written(told['default'])}" if told["default"] else ""
    return f"{name}{limits}{default}"


def _predicate(item: Json) -> str:
    form, told = next(iter(item.items()))
    if form == "bound_predicate":
        return f"{_for(told)}{written(told['type'])}: {bounds(told['bounds'])}"
    if form == "lifetime_predicate":
        return f"{told['lifetime']}: {' + '.join(told['outlives'])}" if told["outlives"] else ""
    return f"{written(told['lhs'])} == {_term(told['rhs'])}"


def _bound(item: Json) -> str:
    form, told = next(iter(item.items()))
    if form == "outlives":
        return str(told)
    if form == "use":
        names = [name if isinstance(name, str) else next(iter(name.values())) for name in told]
        return f"use<{', '.join(names)}>"
    mark = {"maybe": "?", "maybe_const": "[const] "}.get(told["modifier"], "")
    return f"{_for(told)}{mark}{_path(told['trait'])}"


def _for(told: Json) -> str:
    names = [item["name"] for item in told["generic_params"]]
    return f"for<{', '.join(names)}> " if names else ""


# --- types


def _path(told: Json) -> str:
    return str(told["path"]).rpartition("::")[2] + _arguments(told["args"])


def _arguments(args: Json | None) -> str:
    if not args:
        return ""
    if not isinstance(args, Mapping):
        return "(..)"  # `return_type_notation`
    form, told = next(iter(args.items()))
    if form == "parenthesized":
        output = f" -> {written(told['output'])}" if told["output"] else ""
        return f"({', '.join(written(item) for item in told['inputs'])}){output}"
    parts = [_argument(item) for item in told["args"]]
    parts += [_constraint(item) for item in told["constraints"]]
    return f"<{', '.join(parts)}>" if parts else ""


def _argument(item: Json | str) -> str:
    if isinstance(item, str):
        return "_"
    form, told = next(iter(item.items()))
    if form == "const":
        return str(told["expr"])
    return str(told) if form == "lifetime" else written(told)


def _constraint(item: Json) -> str:
    form, told = next(iter(item["binding"].items()))
    name = item["name"] + _arguments(item["args"])
    return f"{name} = {_term(told)}" if form == "equality" else f"{name}: {bounds(told)}"


def _term(told: Json) -> str:
    return written(told["type"]) if "type" in told else str(told["constant"]["expr"])


def _mutable(told: Json) -> str:
    return "mut " if told["is_mutable"] else ""


def _one(kind: Json) -> str:
    """A type behind ``&``: with brackets where it has a ``+``."""
    text = written(kind)
    return f"({text})" if text.startswith(("dyn ", "impl ")) and " + " in text else text


def _qualified(told: Json) -> str:
    name = told["name"] + _arguments(told["args"])
    itself, trait = written(told["self_type"]), told["trait"]
    if not trait or itself == "Self" or not trait["path"]:
        return f"{itself}::{name}"
    return f"<{itself} as {_path(trait)}>::{name}"


def _dyn(told: Json) -> str:
    parts = [f"{_for(item)}{_path(item['trait'])}" for item in told["traits"]]
    return "dyn " + " + ".join([*parts, *([told["lifetime"]] if told["lifetime"] else [])])


def _pointer(told: Json) -> str:
    header, sig = told["header"], told["sig"]
    words = [*(["unsafe"] if header["is_unsafe"] else []), *_extern(header), "fn"]
    output = f" -> {written(sig['output'])}" if sig["output"] else ""
    inputs = ", ".join(written(kind) for _, kind in sig["inputs"])
    return f"{_for(told)}{' '.join(words)}({inputs}){output}"


def _extern(header: Json) -> list[str]:
    abi = header["abi"]
    if abi == "Rust":
        return []
    return [f'extern "{abi if isinstance(abi, str) else next(iter(abi))}"']


def _name(inner: str) -> str:
    return {"never": "!", "unit": "()"}.get(inner, inner)


def _tuple(inner: Sequence[Json]) -> str:
    parts = [written(item) for item in inner]
    return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"


def _reference(inner: Json) -> str:
    lifetime = f"{inner['lifetime']} " if inner["lifetime"] else ""
    return f"&{lifetime}{_mutable(inner)}{_one(inner['type'])}"


_FORMS: Mapping[str, Callable[[Any], str]] = {
    "resolved_path": _path,
    "generic": _name,
    "primitive": _name,
    "tuple": _tuple,
    "slice": lambda inner: f"[{written(inner)}]",
    "array": lambda inner: f"[{written(inner['type'])}; {inner['len']}]",
    "impl_trait": lambda inner: f"impl {bounds(inner)}",
    "borrowed_ref": _reference,
    "raw_pointer": lambda inner: f"*{_mutable(inner) or 'const '}{_one(inner['type'])}",
    "qualified_path": _qualified,
    "dyn_trait": _dyn,
    "function_pointer": _pointer,
    "pat": lambda inner: written(inner["type"]),
}
