"""Tells what a package offers by importing it, inside the sandbox, under the exact environment.

Runs on Python 3.6 to 3.13 with nothing but the standard library. What it sees goes out in frames,
each as soon as it is known: a library may hang or kill the process, and what was told stays told.

* ``@module``: it is about to be imported; ``>module``: to be described. The last one is to blame
  for whatever happens.
* ``!module`` and the reason: it could not be imported.
* ``{...}``: a symbol, a scope (the names of a module or class), or the names that bases outside of
  the package give.
* ``.``: the end.
"""

import importlib
import json
import os
import pkgutil
import struct
import sys
import time
import types
import warnings

import channel
import nesting
from describing import Describer
from inspection import (
    UNSEEN,
    described,
    doc_of,
    get,
    is_a,
    is_function,
    lookup,
    own_dict,
    resolved,
    text_of,
)

DEPTH = 12  # of modules; one that makes modules when it is asked for any would have no end
NO_MODULES = {"conftest", "__main__", "setup"}
TESTS = {"tests", "test"}  # unless source reading found that they are an offer, as django.test is


def make_sender(control):
    """A function that sends frames, made of what no library can have replaced yet."""
    write, pack, getpid, leave = os.write, struct.pack, os.getpid, os._exit
    own = getpid()

    def send(text):
        if getpid() != own:
            leave(0)  # a fork that a library made, and that came back from its import
        data = text.encode("utf-8", "replace")
        data = pack(">I", len(data)) + data
        while data:
            data = data[write(control, data) :]

    return send


def is_public(path, but=NO_MODULES | TESTS):
    return not any(part.startswith("_") or part in but for part in path.split("."))


def is_standard(module):
    top = module.partition(".")[0]
    if top in sys.builtin_module_names or top in getattr(sys, "stdlib_module_names", ()):
        return True
    path = text_of(sys.modules.get(top), "__file__")
    return os.path.dirname(os.__file__) in path and "site-packages" not in path


class Foreign(object):
    """Names of all modules outside of the package: the same value there was imported here."""

    def __init__(self, owned):
        self._values = {}
        for path, module in list(sys.modules.items()):
            if path and not owned(path):
                for label, value in own_dict(module).items():
                    self._values.setdefault(label, {})[id(value)] = value

    def has(self, label, value):
        return id(value) in self._values.get(label, {})


class Probe(Describer):
    def __init__(self, job, send):
        Describer.__init__(self, job["owned"] or job["roots"], send)
        self.roots = job["roots"]
        self.skip = set(job["skip"])
        self.claims = job["claims"]  # names that source reading found, by scope: to be looked for
        self.deadline = time.time() + job["import_seconds"]
        self.modules = {}  # path: module, in the order of description
        self.failed = {}  # path: why
        self.described = set()
        self.foreign = None

    # Importing

    def import_all(self):
        waiting = list(self.roots)
        claimed = [path for path in self.claims if ":" not in path]
        claimed = sorted(path for path in claimed if is_public(path, NO_MODULES))
        seen = set()
        while waiting or claimed:
            path = waiting.pop(0) if waiting else claimed.pop(0)
            if path in seen or path in self.skip:
                continue
            seen.add(path)
            module = self.import_one(path)
            if module is None:
                continue
            self.modules[path] = module
            try:
                inner = sorted(name for _, name, _ in pkgutil.iter_modules(module.__path__))
            except BaseException:
                continue  # it is not a package
            waiting += [path + "." + name for name in inner if is_public(name)]
        for path, module in sorted(sys.modules.items(), key=lambda pair: str(pair[0])):
            # What a library made and put there itself.
            if is_a(path, str) and path not in seen and self.owned(path) and is_public(path):
                if is_a(module, types.ModuleType) and text_of(module, "__name__") == path:
                    self.modules[path] = module

    def import_one(self, path):
        # What a package fails for, all that is in it fails for.
        reason = self.failed.get(path.rpartition(".")[0], "")
        if time.time() > self.deadline:
            reason = "no time was left to import it"
        if not reason:
            self.send("@" + path)
            try:
                importlib.import_module(path)
                return sys.modules[path]
            except BaseException as error:
                reason = described(error)
        self.failed[path] = reason
        self.send("!" + path + "\0" + reason)
        return None

    # Describing

    def describe_all(self):
        for scope, names in self.claims.items():
            module, _, qualname = scope.partition(":")
            found = resolved(module, qualname) if qualname else None
            if is_a(found, type):
                self.claimed[id(found)] = names
        self.foreign = Foreign(self.owned)
        order = sorted(self.modules, key=lambda path: (path.count("."), path))
        for path in order:
            self.describe_module(path, self.modules[path])
        self.tell("outside", names=self.outside)

    def describe_module(self, path, module):
        if path in self.described or path in self.skip:
            return
        self.described.add(path)
        self.send(">" + path)
        own = own_dict(module)
        listed = get(module, "__all__")
        listed = [n for n in listed if is_a(n, str)] if is_a(listed, list, tuple) else None
        labels = list(own)
        try:
            labels += dir(module)
        except BaseException:
            pass  # a __dir__ that raises: the module's own names are known
        claims = set(self.claims.get(path, ()))
        names, found = {}, []
        for label in labels + (listed or []) + sorted(claims):
            if not is_a(label, str) or label.startswith("_") or label in names:
                continue
            names[label] = None
            if label in own:
                found.append((label, own[label]))
                continue
            self.send(">" + path)  # it may be imported only now
            there, value = lookup(module, label)
            if there:
                found.append((label, value))
        package = bool(get(module, "__path__"))
        scope, inner = {}, []
        for label, value in found:
            wanted = label in claims or label in (listed or ())
            if listed is not None and not wanted and not self.is_child(path, label, value):
                continue
            target = self.target(path, label, value, package, wanted, inner, listed or ())
            if target:
                binding = self.binding(path, label, target, package, listed or (), label in own)
                scope[label] = [target, binding]
        self.tell("symbol", id=path, kind="module", doc=doc_of(module))
        self.tell("scope", id=path, names=scope)
        for name, value in inner:
            self.describe_module(name, value)

    def is_child(self, path, label, value):
        return is_a(value, types.ModuleType) and text_of(value, "__name__") == path + "." + label

    def target(self, path, label, value, package, wanted, inner, listed):
        """The id of what a module's name reaches; nothing where it is not the package's to give."""
        if is_a(value, types.ModuleType):
            name = text_of(value, "__name__")
            if not self.owned(name):
                return self.external_module(name) if label in listed else ""
            if name not in sys.modules:
                name = path + "." + label  # one that a library made, and did not register
            if name.count(".") > DEPTH:
                return ""
            if name not in self.modules and name.rpartition(".")[2] not in NO_MODULES | TESTS:
                self.modules[name] = value
                inner.append((name, value))
            return name
        if value is UNSEEN:
            return self.unseen(path + ":" + label) if wanted else ""
        callable_ = is_a(value, type) or is_function(value)
        foreign = self.is_foreign(label, value, callable_)
        # One that the sources make here, by a function of somebody else's.
        foreign = foreign and path + ":" + label not in self.claims
        if foreign and not wanted:
            # A package's own file may offer what others made; what is Python's it only uses.
            if not package or not callable_ or is_standard(text_of(value, "__module__")):
                return ""
        known = self.told.get(id(value))
        if known is not None:
            return known[1]
        place = path + ":" + label
        if callable_:
            module, qualname = text_of(value, "__module__"), text_of(value, "__qualname__")
            if qualname and resolved(module, qualname) is value:
                place = module + ":" + qualname
        return self.symbol(place, value, ["external"] if foreign and callable_ else [])

    def external_module(self, name):
        self.tell("symbol", id=name + ":", kind="module", traits=["external"])
        return name + ":"

    def is_foreign(self, label, value, callable_):
        """Whether something comes from outside of the package, as far as it tells."""
        if not callable_:
            return self.foreign.has(label, value)
        if not is_a(value, type) and not text_of(value, "__qualname__"):
            return False  # its `__module__` is that of its class, and tells nothing
        module = text_of(value, "__module__")
        return bool(module) and not self.owned(module)

    def binding(self, path, label, target, package, listed, present):
        if label in listed:
            return "listed"
        if target == path + "." + label:
            return "submodule"
        if not present:
            return "lazy"
        if target.partition(":")[0] == path:
            return "defined"
        return "reexported" if package else "imported"


def main():
    control = int(sys.argv[1])
    os.set_inheritable(control, False)
    job = channel.read_job(control)
    nesting.enter(job)
    # A library that has a `channel` of its own must not find ours.
    for name in ("channel", "describing", "inspection", "nesting"):
        sys.modules.pop(name, None)
    sys.path[0] = job["work"]
    sys.argv = ["probe"]
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(5000)
    send, leave = make_sender(control), os._exit
    probe = Probe(job, send)
    version = ".".join(str(part) for part in sys.version_info[:3])
    probe.tell("python", version=version, roots=job["roots"])
    probe.import_all()
    warnings.simplefilter("ignore")  # libraries set filters of their own
    probe.describe_all()
    send(".")
    leave(0)


if __name__ == "__main__":
    main()
