"""Describes functions, classes and values of a library: the symbols of its surface.

The same object is one symbol, whatever many names reach it: its id is where it says it is defined,
if it is found there, else the first place where it was seen.
"""

import enum
import json
import types

from inspection import (
    PARTIAL_METHODS,
    PROPERTIES,
    TRIVIAL,
    VALUE_LIMIT,
    annotated,
    constant,
    doc_of,
    get,
    is_a,
    is_async,
    is_function,
    lookup,
    named,
    own_dict,
    resolved,
    shown,
    signature_of,
    text_of,
)


class Describer(object):
    def __init__(self, owners, send):
        self.send = send
        self.owners = set(owners)
        self.told = {}  # id of an object: the object (kept alive) and its symbol's id
        self.members_told = set()
        self.claimed = {}  # id of a class: names that source reading found in it
        self.owns = {}  # id of a class: its own names and their ids
        self.outside = {}  # a base outside of the package: its names

    def tell(self, frame, **fields):
        fields["frame"] = frame
        self.send(json.dumps(fields, ensure_ascii=False))

    def owned(self, path):
        while path:
            if path in self.owners:
                return True
            path = path.rpartition(".")[0]
        return False

    def unseen(self, place):
        """Tell of what is there by name alone: an import of something that is not installed."""
        self.tell("symbol", id=place, kind="unknown")
        return place

    def symbol(self, place, value, traits=()):
        """Tell of a module's function, class or value; return its id."""
        traits = list(traits)
        told = {"id": place, "traits": traits}
        if type(value) not in TRIVIAL:
            self.told[id(value)] = (value, place)
        if is_a(value, type):
            told.update(kind="class", doc=doc_of(value), deprecated=self.mark(value))
            told.update(self.callable(value, False))
            if not traits:
                told["bases"] = self.bases(place, value)
                self.members(place, value)
        elif is_function(value):
            told.update(kind="function", doc=doc_of(value), deprecated=self.mark(value))
            told.update(self.callable(value, False))
            if is_async(value):
                traits.append("async")
        else:
            told.update(kind="constant", value=constant(value), doc=doc_of(value))
        self.tell("symbol", **told)
        return place

    def mark(self, value):
        found = own_dict(value).get("__deprecated__")
        return found if is_a(found, str) else ""

    def callable(self, value, bound):
        found = signature_of(value, bound)
        if found is not None:
            return {"signature": found}
        return {"text": text_of(value, "__text_signature__")[:2000]}

    def bases(self, place, kind):
        found = []
        for base in get(kind, "__bases__", ()):
            if base is object:
                continue
            module = text_of(base, "__module__")
            if self.owned(module):
                known = self.told.get(id(base))
                qualname = text_of(base, "__qualname__")
                # One that was made in passing: `class Point(namedtuple("Point", "x y"))`.
                inner = "%s.<%s>" % (place, qualname)
                if resolved(module, qualname) is base:
                    inner = module + ":" + qualname
                found.append(known[1] if known else self.symbol(inner, base))
            else:
                path = module + "." + text_of(base, "__qualname__")
                found.append(path)
                if path not in self.outside:
                    inherited = [n for n in dir(base) if not n.startswith("_")]
                    self.outside[path] = inherited
        return found

    # Members of classes

    def members(self, place, kind):
        own = own_dict(kind)
        scope = self.owns[id(kind)] = {}
        for label, raw in own.items():
            if is_a(label, str) and not label.startswith("_"):
                scope[label] = self.member(place, label, raw, kind)
        enumerated = own.get("_member_map_") if issubclass(type(kind), enum.EnumMeta) else None
        for label, value in (enumerated or {}).items():
            if not label.startswith("_"):
                scope[label] = place + "." + label
                told = {"id": scope[label], "kind": "attribute"}
                self.tell("symbol", value=shown(get(value, "value"), VALUE_LIMIT), **told)
        for label, value in self.fields(kind, own).items():
            if not label.startswith("_") and label not in scope:
                scope[label] = place + "." + label
                told = {"id": scope[label], "kind": "attribute", "traits": ["instance"]}
                self.tell("symbol", annotation=value, **told)
        for label in self.claimed.get(id(kind), ()):
            if label not in scope and not label.startswith("_"):
                definer = self.definer(place, kind, label)
                if definer:
                    scope[label] = definer
        names = {label: [target, "defined"] for label, target in scope.items()}
        self.tell("scope", id=place, names=names)

    def fields(self, kind, own):
        """What a class declares for its instances: by annotations, or with attrs."""
        found = own.get("__annotations__")
        if found is None and "__annotate_func__" in own:  # Python 3.14 makes them when asked
            found = get(kind, "__annotations__")
        found = {n: annotated(v) for n, v in found.items()} if is_a(found, dict) else {}
        made = own.get("__attrs_attrs__")
        for item in made if is_a(made, tuple) else ():
            if get(item, "inherited") is not True:
                found.setdefault(text_of(item, "name"), "")
        found.pop("", None)
        return found

    def definer(self, place, kind, label):
        """The id of a member that source reading claims, but that is not the class's own."""
        for base in get(kind, "__mro__", ()):
            found = self.owns.get(id(base), {}).get(label)
            if found:
                return found
        return self.unseen(place + "." + label) if lookup(kind, label)[0] else ""

    def member(self, place, label, raw, kind):
        """Tell of a class's own member; return its id."""
        traits, function = [], raw
        if is_a(raw, classmethod, staticmethod):
            traits.append("classmethod" if is_a(raw, classmethod) else "staticmethod")
            function = get(raw, "__func__", raw)
        elif is_a(raw, PROPERTIES[0]):
            function = get(raw, "fget") or raw
        if is_a(raw, type):
            return self.nested(place, label, raw)
        module, qualname = text_of(function, "__module__"), text_of(function, "__qualname__")
        own = place + "." + label
        target = module + ":" + qualname
        if target != own and self.owned(module) and resolved(module, qualname) is raw:
            if target in self.members_told:
                return target
            own = target
        if own in self.members_told:
            return own
        self.members_told.add(own)
        told = {"id": own, "doc": doc_of(raw) or doc_of(function), "traits": traits}
        if is_a(raw, *PROPERTIES) or get(raw, "fget") is not None:
            told["kind"] = "property"
            found = signature_of(function, True)
            told["annotation"] = found["returns"] if found else ""
        elif traits or is_function(raw) or is_a(raw, *PARTIAL_METHODS):
            told.update(self.method(kind, label, raw, function, traits))
        elif is_a(raw, types.MemberDescriptorType):
            told["kind"] = "attribute"
        elif hasattr(type(raw), "__get__"):
            told["kind"] = "property"
            if callable(raw):
                told.update(self.method(kind, label, raw, function, traits))
        else:
            told.update(kind="attribute", value=constant(raw))
        self.tell("symbol", **told)
        return own

    def method(self, kind, label, raw, function, traits):
        if is_a(raw, *PARTIAL_METHODS):
            function = get(kind, label, raw)
        if is_async(function):
            traits.append("async")
        told = {"kind": "method", "deprecated": self.mark(function)}
        told.update(self.callable(function, "staticmethod" not in traits))
        return told

    def nested(self, place, label, raw):
        known = self.told.get(id(raw))
        if known is not None:
            return known[1]
        module, qualname = text_of(raw, "__module__"), text_of(raw, "__qualname__")
        if self.owned(module) and resolved(module, qualname) is raw:
            return self.symbol(module + ":" + qualname, raw)
        own = place + "." + label
        self.tell("symbol", id=own, kind="attribute", value=named(raw))
        return own
