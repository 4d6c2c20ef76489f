"""Functions of libraries that find things by names in a text: as good as running it.

A loader that knows the tag of a class, a function or a module makes of an answer's text whatever that
text asks for, and neither compiles nor unpickles anything.
"""

import functools
import sys

# Modules, and what of them looks up a name: a function, or a method of a class.
FINDERS = (
    ("yaml.constructor", "FullConstructor.find_python_name"),
    ("yaml.constructor", "FullConstructor.find_python_module"),
    ("yaml.constructor", "Constructor.find_python_name"),
    ("yaml.constructor", "Constructor.find_python_module"),
    ("ruamel.yaml.constructor", "Constructor.find_python_name"),
    ("ruamel.yaml.constructor", "Constructor.find_python_module"),
    ("jsonpickle.unpickler", "loadclass"),
    ("pydoc", "locate"),
    ("pkgutil", "resolve_name"),
    ("werkzeug.utils", "import_string"),
)
MODULES = {module.split(".")[0] for module, _ in FINDERS}


class Finders(object):
    """Has whoever watches know what is looked up by such a function, and by what name."""

    def __init__(self, saw):
        self._saw = saw
        self._left = list(FINDERS)

    def wrap(self):
        """Wrap those that are loaded by now."""
        for place in list(self._left):
            module = sys.modules.get(place[0])
            owner, _, name = place[1].rpartition(".")
            if module is not None and owner:
                module = module.__dict__.get(owner)
            found = getattr(module, "__dict__", {}).get(name)
            if callable(found):
                self._left.remove(place)
                setattr(module, name, self._seen(found))

    def _seen(self, find):
        saw = self._saw

        @functools.wraps(find)
        def seen(*given, **named):
            texts = [item for item in (*given, *named.values()) if isinstance(item, (str, bytes))]
            saw("find", texts[:1] or ["?"])
            return find(*given, **named)

        return seen
