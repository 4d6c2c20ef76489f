"""What takes the place of an old thing, and how the code that uses it changes."""

from __future__ import annotations

import pytest

from libdrift.history.differences.diff import compare
from libdrift.history.differences.replacements import with_proof
from libdrift.languages.python.static import of_sources
from libdrift.records import Change, ChangeKind, Replacement, ReplacementShape

Sources = str | dict[str, str]
WARN = "warnings.warn('old', DeprecationWarning)"


def changes(old: Sources, new: Sources, *between: Sources) -> list[Change]:
    releases = [
        of_sources({"pkg/__init__.py": text} if isinstance(text, str) else text, f"1.{at}", "pkg")
        for at, text in enumerate((old, *between, new))
    ]
    return compare(releases[0], releases[-1], releases[1:-1])


def method(body: str, head: str = "def old(self):", also: str = "def new(self): ...") -> str:
    """A class whose ``old`` warns and does something, and what it has beside it."""
    lines = "\n".join(f"        {line}" for line in (WARN, body))
    more = "\n".join(f"    {line}" for line in also.splitlines())
    return f"import warnings\nclass C:\n    {head}\n{lines}\n{more}\n"


def function(message: str, head: str = "def old(a, b=1):") -> str:
    return f"import warnings\n{head}\n    warnings.warn({message!r}, DeprecationWarning)\n"


def kept(also: str) -> str:
    return "class C:\n" + "\n".join(f"    {line}" for line in also.splitlines()) + "\n"


NEW = "def new(self): ..."


@pytest.mark.parametrize(
    ("old", "new", "path", "expected"),
    [
        # --- what the old code does is what to write
        (method("yield from self.new()"), kept(NEW), "pkg.C.old", ("rename", "pkg.C.new", "")),
        (method("return self.new()"), kept(NEW), "pkg.C.old", ("rename", "pkg.C.new", "")),
        (method("return self.new(a, b=b)", "def old(self, a, b=1):", "def new(self, a, b=1): ..."),
         kept("def new(self, a, b=1): ..."), "pkg.C.old", ("rename", "pkg.C.new", "")),
        # By name, and at another place there: the arguments go by name.
        (method("return self.new(b=b)", "def old(self, b):", "def new(self, a=None, b=None): ..."),
         kept("def new(self, a=None, b=None): ..."), "pkg.C.old", ("template", "pkg.C.new", "{self}.new(b={b})")),
        (method("return self.new(b, a)", "def old(self, a, b):", "def new(self, x, y): ..."),
         kept("def new(self, x, y): ..."), "pkg.C.old", ("template", "pkg.C.new", "{self}.new({b}, {a})")),
        (method("return self.new(*args, **kwargs)", "def old(self, *args, **kwargs):", "def new(self, x): ..."),
         kept("def new(self, x): ..."), "pkg.C.old", ("rename", "pkg.C.new", "")),
        (method("return self.new(c, flag=True)", "def old(self, c):", "def new(self, c, flag=False): ..."),
         kept("def new(self, c, flag=False): ..."), "pkg.C.old", ("template", "pkg.C.new", "{self}.new({c}, flag=True)")),
        (method("return not self.new()"), kept(NEW), "pkg.C.old", ("template", "pkg.C.new", "not {self}.new()")),
        (method("return self.names.keep()", also="names = make()"), kept("names = make()"), "pkg.C.old",
         ("template", "pkg.C.names.keep", "{self}.names.keep()")),
        # An argument that the new one does not get must not be passed on.
        (method("return self.new(a)", "def old(self, a, b=1):", "def new(self, a): ..."),
         kept("def new(self, a): ..."), "pkg.C.old", ("template", "pkg.C.new", "{self}.new({a})")),
        # Names that the function gives to parts of it, and a condition only for a warning.
        (method("part = self.new()\n        return part"), kept(NEW), "pkg.C.old", ("rename", "pkg.C.new", "")),
        (method("if True:\n            warnings.warn('so')\n        return self.new()"), kept(NEW), "pkg.C.old", ("rename", "pkg.C.new", "")),
        # Python's own comes first where a message says so.
        (function("`pkg.old` is a deprecated alias for the builtin `float`. If you want the other, use `pkg.new`.") + "def new(a): ...\n",
         "def new(a): ...", "pkg.old", ("move", "builtins.float", "")),
        (function("Use `int` by itself, or `pkg.new`.") + "def new(a): ...\n", "def new(a): ...", "pkg.old", ("move", "builtins.int", "")),
        (function("Use the built-in function next instead."), "", "pkg.old", ("move", "builtins.next", "")),
        (function("Use the builtin `new` instead."), "def new(a, b=1): ...", "pkg.old", ("rename", "pkg.new", "")),
        # More than one thing to do, or a private one, is no replacement.
        (method("self.new()\n        return self.other()"), kept(NEW), "pkg.C.old", None),
        (method("return self._new()", also="def _new(self): ..."), kept("def _new(self): ..."), "pkg.C.old", None),
        (method("return super().old()"), kept(NEW), "pkg.C.old", None),
        # A function of the module, of another one, of another package.
        ("@deprecated\ndef old(a, b): return new(a, b)\ndef new(a, b): ...", "def new(a, b): ...",
         "pkg.old", ("rename", "pkg.new", "")),
        ({"pkg/__init__.py": "from pkg.sub import new\n@deprecated\ndef old(a, b): return new(a, b)", "pkg/sub.py": "def new(a, b): ..."},
         {"pkg/__init__.py": "", "pkg/sub.py": "def new(a, b): ..."}, "pkg.old", ("move", "pkg.sub.new", "")),
        ("import numpy as np\n@deprecated\ndef old(a): return np.sqrt(a)", "", "pkg.old", ("move", "numpy.sqrt", "")),
        ("import numpy as np\n@deprecated\ndef old(a): return np.max(a) - 1", "", "pkg.old", ("template", "numpy.max", "numpy.max({a}) - 1")),
        ("def join(objs, sort=False): ...\n" + method("return join([self, other], sort=sort)", "def old(self, other, sort=False):"),
         "def join(objs, sort=False): ...\n" + kept(NEW), "pkg.C.old",
         ("template", "pkg.join", "pkg.join([{self}, {other}], {...})")),
        (method("return self * a", "def old(self, a):"), kept(NEW), "pkg.C.old", ("template", "", "{self} * {a}")),
        # What takes the place is on its way out too.
        ({"pkg/__init__.py": "from pkg.sub import grey", "pkg/sub.py": "def grey(x): ...\nX = 1"},
         {"pkg/__init__.py": "from pkg._sub import *", "pkg/sub.py": "X = 1", "pkg/_sub.py": function("use `gray`", "def grey(x):") + "def gray(x): ..."},
         "pkg.sub.grey", ("move", "pkg.gray", "")),
        # --- methods and attributes
        (method("return self.new", "@property\n    def old(self):", "@property\ndef new(self): ..."),
         kept("@property\ndef new(self): ..."), "pkg.C.old", ("rename", "pkg.C.new", "")),
        (method("return self.new()", "@property\n    def old(self):"), kept(NEW), "pkg.C.old", ("template", "pkg.C.new", "{self}.new()")),
        (method("return self.new", also="@property\ndef new(self): ..."), kept("@property\ndef new(self): ..."), "pkg.C.old",
         ("template", "pkg.C.new", "{self}.new")),
        ("class C:\n    def size(self): ...", "class C:\n    @property\n    def size(self): ...", "pkg.C.size", ("attribute", "pkg.C.size", "")),
        ("class C:\n    @property\n    def size(self): ...", "class C:\n    def size(self): ...", "pkg.C.size", ("call", "pkg.C.size", "")),
        # --- what messages say
        (function("use `new` instead") + "def new(a, b=1): ...", "def new(a, b=1): ...", "pkg.old", ("rename", "pkg.new", "")),
        (function("old is deprecated, use fresh instead") + "def fresh(a, b=1): ...", "def fresh(a, b=1): ...", "pkg.old", ("rename", "pkg.fresh", "")),
        (function("Use fresh(b, a) instead") + "def fresh(x, y): ...", "def fresh(x, y): ...", "pkg.old", ("template", "pkg.fresh", "pkg.fresh({b}, {a})")),
        (function("Use `new(a, axis=0)`") + "def new(x, axis): ...", "def new(x, axis): ...", "pkg.old", ("template", "pkg.new", "pkg.new({a}, axis=0)")),
        (function("Use `new(that, axis=0)`") + "def new(x, axis): ...", "def new(x, axis): ...", "pkg.old", ("template", "pkg.new", "pkg.new({a}, axis=0)")),
        (function("Use `new(this, that)`") + "def new(x, axis): ...", "def new(x, axis): ...", "pkg.old", ("template", "pkg.new", "")),
        (function("Use pkg.join([c, other]) instead", "class C:\n  def old(self, x):").replace("\n    warn", "\n      warn") + "def join(objs): ...",
         "class C: ...\ndef join(objs): ...", "pkg.C.old", ("template", "pkg.join", "pkg.join([{self}, {x}])")),
        # A method whose parameters a function takes: which goes where the signatures say.
        (function("Use pkg.join instead", "class C:\n  def old(self, x, sort=False):").replace("\n    warn", "\n      warn") + "def join(objs, sort=False): ...",
         "class C: ...\ndef join(objs, sort=False): ...", "pkg.C.old", ("template", "pkg.join", "pkg.join([{self}, {x}], {...})")),
        (function("Use first, second or third instead") + "def first(a, b): ...\ndef second(a): ...", "def first(a, b): ...\ndef second(a): ...",
         "pkg.old", ("template", "pkg.first", "")),
        (function("use the Ellipse glyph instead") + "def Ellipse(a, b): ...", "def Ellipse(a, b): ...", "pkg.old", ("rename", "pkg.Ellipse", "")),
        # More than the old one was given is needed.
        (function("use `new` instead") + "def new(x, y, z): ...", "def new(x, y, z): ...", "pkg.old", ("template", "pkg.new", "")),
        (function("use the constructor instead") + "class constructor: ...", "class constructor: ...", "pkg.old", None),
        (function("use names instead of numbers") + "def names(a, b): ...", "def names(a, b): ...", "pkg.old", None),
        (function("use `new` instead of `other`") + "def new(a): ...\ndef other(a): ...", "def new(a): ...\ndef other(a): ...",
         "pkg.old", ("rename", "pkg.new", "")),
        (function("use `nobody.knows`"), "", "pkg.old", None),
        (function("use `datetime.timezone.utc`"), "", "pkg.old", ("move", "datetime.timezone.utc", "")),
        # Never itself, and on from what is deprecated too.
        (function("`pkg.old` is deprecated, see `old`"), "", "pkg.old", None),
        (function("use `mid`") + function("use `fresh`", "def mid(a, b=1):") + "def fresh(a, b=1): ...",
         function("use `fresh`", "def mid(a, b=1):") + "def fresh(a, b=1): ...", "pkg.old", ("rename", "pkg.fresh", "")),
        # --- decorators
        ("@deprecate_renamed_function('new', version='1.1')\ndef old(a): ...\ndef new(a): ...", "def new(a): ...", "pkg.old", ("rename", "pkg.new", "")),
        ("@deprecated('1.2', alternative='the `new` function')\ndef old(a): ...\ndef new(a): ...", "def new(a): ...", "pkg.old", ("rename", "pkg.new", "")),
        ("def old(a):\n    deprecate('old', 10, 'new or other')\ndef new(a): ...", "def new(a): ...", "pkg.old", ("rename", "pkg.new", "")),
        # --- documentation
        ("def old(a):\n    '''Do.\n\n    .. deprecated:: 1.0\n       Use :func:`new`.\n    '''\ndef new(a): ...", "def new(a): ...", "pkg.old", ("rename", "pkg.new", "")),
        ("def old(a):\n    'An alias for `new`.'\ndef new(a): ...", "def new(a): ...", "pkg.old", ("rename", "pkg.new", "")),
        # --- a class that adds nothing to its base
        ("class New:\n    def f(self): ...\n@deprecated\nclass Old(New): ...", "class New:\n    def f(self): ...", "pkg.Old", ("rename", "pkg.New", "")),
        # --- what the new release says of old names, and how it has them now
        ("class RowProxy:\n    def keys(self): ...", "class Row:\n    '''A row.\n\n    .. versionchanged:: 1.1\n       Renamed ``RowProxy`` to ``.Row``.\n    '''",
         "pkg.RowProxy", ("rename", "pkg.Row", "")),
        ("def older(x): ...", "def fresh(y, z):\n    'Do it. Formerly known as `older`.'", "pkg.older", ("template", "pkg.fresh", "")),
        ("BLEND_OP_OVER = 1", "class Blend:\n    OP_OVER = 1\n    OP_SOURCE = 2", "pkg.BLEND_OP_OVER", ("move", "pkg.Blend.OP_OVER", "")),
        ("OVER = 1\nclass Blend:\n    OVER = 1", "class Blend:\n    OVER = 1", "pkg.OVER", None),
        ({"pkg/__init__.py": "from pkg.sub import f", "pkg/sub.py": "from pkg._sub import f", "pkg/_sub.py": "def f(x): ..."},
         {"pkg/__init__.py": "from pkg._sub import f", "pkg/_sub.py": "def f(x): ..."}, "pkg.sub", ("move", "pkg", "")),
        (function("Please use `solve` from the `pkg.C` namespace, the `pkg.D` one is deprecated") + "class C:\n    solve = 1\nclass D: ...",
         "class C:\n    solve = 1\nclass D: ...", "pkg.old", ("template", "pkg.C.solve", "")),
        (function("old --> fresh") + "def fresh(a, b): ...", "def fresh(a, b): ...", "pkg.old", ("rename", "pkg.fresh", "")),
        # --- what a module only imports is still where it is from
        ("from markup import escape", "", "pkg.escape", ("move", "markup.escape", "")),
        ("from markup._native import escape", "", "pkg.escape", None),
        # --- an attribute that a method gives to its objects
        (method("return self.fresh", "@property\n    def old(self):", "def start(self):\n    self.fresh = 1"),
         kept("def start(self):\n    self.fresh = 1"), "pkg.C.old", ("rename", "pkg.C.fresh", "")),
        # --- boxes and paragraphs of documentation
        ("def old(a):\n    '''Do.\n\n    .. warning:: This function is deprecated, and will be removed.\n        See `pkg.fresh`.\n    '''\ndef fresh(a): ...",
         "def fresh(a): ...", "pkg.old", ("rename", "pkg.fresh", "")),
        ("def old(a):\n    '''Do.\n\n    Deprecated: use fresh instead.\n    '''\ndef fresh(a): ...", "def fresh(a): ...", "pkg.old", ("rename", "pkg.fresh", "")),
        # --- warning classes of a package's own
        ("class OldWarning(Warning): ...\ndef old(a):\n    warnings.warn('old is deprecated, use fresh', OldWarning)\ndef fresh(a): ...",
         "class OldWarning(Warning): ...\ndef fresh(a): ...", "pkg.old", ("rename", "pkg.fresh", "")),
        ("class MyDeprecationWarning(Warning): ...\ndef old(a):\n    warnings.warn('use fresh', MyDeprecationWarning)\ndef fresh(a): ...",
         "class MyDeprecationWarning(Warning): ...\ndef fresh(a): ...", "pkg.old", ("rename", "pkg.fresh", "")),
        # --- what Python itself does with it
        (method("return self[()]", "@property\n    def old(self):"), kept(NEW), "pkg.C.old", ("template", "", "{self}[()]")),
        (function("`thing.old()` is deprecated: replace with `thing.__hash__()` or `hash(thing)`", "class C:\n  def old(self):").replace("\n    warn", "\n      warn"),
         "class C: ...", "pkg.C.old", ("template", "", "hash({self})")),
        # --- a module whose names the package offers, which says so
        ({"pkg/__init__.py": "from pkg._h import File, Group", "pkg/_h.py": "class File: ...\nclass Group: ...\nclass Rest: ...",
          "pkg/high.py": "from warnings import warn\nfrom pkg._h import File, Group, Rest\n__all__ = ['File', 'Group', 'Rest']\nwarn('pkg.high is deprecated, import directly from pkg', DeprecationWarning)"},
         {"pkg/__init__.py": "from pkg._h import File, Group", "pkg/_h.py": "class File: ...\nclass Group: ...\nclass Rest: ..."}, "pkg.high", ("move", "pkg", "")),
        # --- a text that is made of another
        ("MSG = '`{0}` is deprecated, use `fresh_{0}`'\n@deprecated(MSG.format('old'))\ndef old(a): ...\ndef fresh_old(a): ...", "def fresh_old(a): ...",
         "pkg.old", ("rename", "pkg.fresh_old", "")),
        # A name that its own code has of a base of another package.
        ("from other import Base\nclass C(Base):\n    old = 1",
         "from other import Base\nclass C(Base):\n    @property\n    def old(self):\n        warnings.warn('old is deprecated', DeprecationWarning)\n        return self.fresh_", "pkg.C.old", ("rename", "pkg.C.fresh_", "")),
        # A choice, and no sentence; with a version that is a call.
        ("@deprecated(Version('Pkg', 1, 0), 'https://example.org/x/ or pkg.Agent')\ndef old(a): ...\ndef Agent(a): ...", "def Agent(a): ...", "pkg.old", ("rename", "pkg.Agent", "")),
        ("def old(a): ...\ndef fresh(a): ...\ndeprecatedModuleAttribute(Version('Pkg', 1, 0), 'Use fresh instead.', 'pkg', 'old')", "def fresh(a): ...", "pkg.old", ("rename", "pkg.fresh", "")),
        # --- still there, and deprecated
        ("def old(a): ...\ndef fresh(a): ...", function("use fresh(a)", "def old(a):") + "def fresh(a): ...", "pkg.old", ("rename", "pkg.fresh", "")),
        ("def older(a): ...\ndef fresh(a): ...",
         "def older(a):\n    if LATE:\n        warnings.warn('older is deprecated. Use fresh instead.', DeprecationWarning)\ndef fresh(a): ...",
         "pkg.older", ("rename", "pkg.fresh", "")),
        # Used in another way, for another purpose, or with something else beside it.
        (function("Use the `pkg.new` context manager instead.") + "def new(a): ...\n", "def new(a): ...", "pkg.old", ("template", "pkg.new", "")),
        (function("Use `new` as an alternative to change a.") + "def new(a): ...\n", "def new(a): ...", "pkg.old", ("template", "pkg.new", "")),
        (function("Please use `new` and the freq argument instead.") + "def new(a): ...\n", "def new(a): ...", "pkg.old", ("template", "pkg.new", "")),
        (function("It is deprecated; set `config['a']=True` and use `new` instead.") + "def new(a): ...\n", "def new(a): ...", "pkg.old", ("template", "pkg.new", "")),
        # What a message writes of some object is of the object that the old one was asked of.
        ("import warnings\nclass App:\n    config = {}\n    @property\n    def old(self):\n        warnings.warn(\"Use `app.config['OLD']` instead.\", DeprecationWarning)\n        return made(self.config['OLD'])\n",
         "class App:\n    config = {}\n", "pkg.App.old", ("template", "pkg.App.config", "{self}.config['OLD']")),
        # Under some condition: no replacement of the thing.
        ("def old(a): ...\ndef new(a): ...",
         "def old(a):\n    if now():\n        warnings.warn('such are deprecated, use `new`', DeprecationWarning)\ndef new(a): ...", "pkg.old", None),
    ],
)  # fmt: skip
def test_replacements_of_symbols(
    old: Sources, new: Sources, path: str, expected: tuple[str, str, str] | None
) -> None:
    found = changes(old, new)
    (change,) = [c for c in found if c.path == path and c.kind is not ChangeKind.INTRODUCED]
    how = change.how
    assert (how and (how.shape.value, how.path, how.template)) == expected
    if how is not None:
        written = how.path.removeprefix("builtins.")
        assert change.replacement == written or change.kind is ChangeKind.BEHAVIOUR
        assert 0 < how.confidence <= 1
        assert not how.is_proven


def warned(parameters: str, test: str, message: str, then: str = "pass") -> str:
    return (
        f"def f({parameters}):\n    if {test}:\n"
        f"        warnings.warn({message!r}, DeprecationWarning)\n        {then}\n"
    )


@pytest.mark.parametrize(
    ("old", "new", "parameter", "expected"),
    [
        # --- gone
        ("@rename_parameter('1.0', 'a', 'b')\ndef f(b, c): ...", "def f(b, c): ...", "a", ("parameter", "b")),
        ("@deprecate_kwarg(old_arg_name='a', new_arg_name='b')\ndef f(b): ...", "def f(b): ...", "a", ("parameter", "b")),
        ("@deprecate_kwarg({'a': 'b'}, version='1')\ndef f(b): ...", "def f(b): ...", "a", ("parameter", "b")),
        ("@deprecated_renamed_argument(['a', 'x'], ['b', 'y'], ['1.0', '1.0'])\ndef f(b, y): ...", "def f(b, y): ...", "x", ("parameter", "y")),
        (warned("a=None, b=None", "a is not None", "a is deprecated", "b = a"), "def f(b=None): ...", "a", ("parameter", "b")),
(warned("a=None, b=None", "a is not None", "a is deprecated, use b"), "def f(b=None): ...", "a", ("parameter", "b")),
        (warned("a=None, b=None", "b is None and a is not None", "a is deprecated, use b argument instead"),
         "def f(b=None): ...", "a", ("parameter", "b")),
        (warned("a=None, b=None", "a is not None", "Use `b` instead of `a`, which is deprecated"), "def f(b=None): ...", "a", ("parameter", "b")),
        ("def f(b, a=1): ...", "def f(b): ...", "a", None),
        ("def f(a, b=1): ...", "def f(b=1): ...", "a", None),
        (warned("b, a=None", "a is not None", "a is deprecated and has no effect"), "def f(b): ...", "a", ("drop", "")),
        # What to do instead is something else, and not known as an edit.
        (warned("b, a=None", "a is not None", "a is deprecated, use `g` instead") + "def g(): ...", "def f(b): ...\ndef g(): ...",
         "a", ("template", "pkg.g")),
        (warned("b, a=None", "a is not None", "a is deprecated, use your own means instead"), "def f(b): ...", "a", None),
        # A parameter that must be given at the old one's place; one that may still be taken.
        ("def f(word): ...", "def f(key, norm=False): ...", "word", ("parameter", "key")),
        ("def f(b, a): ...", "def f(b, x, y, z): ...", "a", None),
        ("def f(b, a=None): ...", "def f(b, **more): ...", "a", None),
        ("def f(a=1, b=2, c=3, d=4): ...", "def f(d=4): ...", "a", None),
        # Of most parameters that are others now, one is not another by a like name.
        ("def f(a=1, b=2, c=3, service_args=None, d=4): ...", "def f(service=None, d=4): ...", "service_args", None),
        # One that came with the same default may be it.
        ("def f(b, *, cancellable=False): ...", "def f(b, *, abandon=False): ...", "cancellable", None),
        ("def f(a=None, b=None): ...", "def f(a=None, b=None):\n    '''Do.\n\n    Parameters\n    ----------\n    a : str\n        Deprecated, use `b`.\n    '''",
         "a", ("parameter", "b")),
        ("def f(a=None, b=None): ...", "def f(a=DEPRECATED, b=None):\n    '''Do.\n\n    :param a: Deprecated. Use `b`.\n    '''", "a", ("parameter", "b")),
        (warned("way=None, app=None", "app", "The 'app' shortcut is now deprecated. Use the explicit style 'way=Wrapped(app=...)' instead."),
         "def f(way=None): ...", "app", ("template", "way")),
        # What another function says of its parameter of that name.
        (warned("verbose=1, callbacks=None", "verbose", "verbose is deprecated, give `log()` to `callbacks` instead").replace("def f", "def g")
         + "def f(verbose=1, callbacks=None): ...", "def f(callbacks=None): ...\ndef g(callbacks=None): ...", "verbose", ("template", "callbacks")),
        # All that a function takes; the first place that differs, with a like beginning.
        ("def f(data=None): ...", "def f(values=None): ...", "data", ("parameter", "values")),
        ("def f(b, lats): ...", "def f(b, latitude=None, x=-1, y=-2): ...", "lats", ("parameter", "latitude")),
        ("@deprecated_arg('a', msg_suffix='Please use `b` instead.')\ndef f(b, a=None): ...", "def f(b): ...", "a", ("parameter", "b")),
        ("def f(b=None, a=None):\n    '''Do.\n\n    Args:\n        b: one\n        a: other\n\n    .. deprecated:: 1.0\n        ``a`` is deprecated, use ``b`` instead.\n    '''", "def f(b=None): ...", "a", ("parameter", "b")),
        # One that stands where two stood; the opposite of what went.
        ("def f(xi, yi, **more): ...", "def f(batch, **more): ...", "yi", ("template", "batch")),
        ("def f(net, x=None, y=None, training=None): ...", "def f(net, batch=None, training=None): ...", "x", ("template", "batch")),
        ("def f(net, x, y): ...", "def f(net, y2=None): ...", "x", None),
        ("def f(b, include_none=True, c=1): ...", "def f(b, exclude_none=True, c=1): ...", "include_none", None),
        (warned("b, a=None", "a is not None", "The 'a' argument is deprecated, please don't use it anymore."), "def f(b): ...", "a", ("drop", "")),
        # What is named before the advice is no advice; a directive without a word says nothing.
        (warned("b, a=None", "a is not None", "The option a is deprecated. It controlled whether `g` does more, and you should use nothing") + "def g(): ...", "def f(b): ...\ndef g(): ...", "a", None),
        ("def f(b, a=None):\n    '''Do.\n\n    :param a: One.\n\n        .. deprecated:: 1.0\n    '''", "def f(b): ...", "a", None),
        # By name, with a default that all have: a place says nothing.
        ("def f(bind=None, a=None, b=None): ...", "def f(type=None, a=None, b=None): ...", "bind", None),
        ("def f(**kwargs): ...", "def f(**kwargs):\n    if 'aged' in kwargs:\n        warnings.warn('the aged argument is deprecated, use fresh instead', DeprecationWarning)\n", "aged", ("parameter", "fresh")),
        # --- by name
        ("def f(b, a=1): ...", "def f(b, *, a=1): ...", "a", ("keyword", "a")),
        ("def f(b, a): ...", "def f(a, b): ...", "b", ("keyword", "b")),
        # --- deprecated
        ("def f(b, a=None): ...", "@deprecate_nonkeyword_arguments(version='2')\ndef f(b, a=None): ...", "*", ("keyword", "")),
        ("def f(b, a=None): ...", "@_deprecate_positional_args\ndef f(b, a=None): ...", "*", ("keyword", "")),
        ("def f(b, a=None): ...", "@delete_parameter('1.1', 'a')\ndef f(b, a=None): ...", "a", ("drop", "")),
        ("def f(b=None, a=None): ...", warned("b=None, a=None", "a is not None", "a is deprecated, use b"), "a", ("parameter", "b")),
        ("def f(b, a=None): ...", warned("b, a=None", "a is not None", "Passing a list is deprecated"), "a", None),
        ("def f(b, a=None): ...", warned("b, a=None", "a is not None", "a is ignored, and deprecated"), "a", ("drop", "")),
        ("def f(b, **a): ...", warned("b, **a", "a", "Passing more as keyword arguments is deprecated"), "a", None),
    ],
)  # fmt: skip
def test_replacements_of_parameters(
    old: str, new: str, parameter: str, expected: tuple[str, str] | None
) -> None:
    (change,) = [c for c in changes(old, new) if c.path == "pkg.f" and c.parameter == parameter]
    how = change.how
    assert (how and (how.shape.value, how.path)) == expected
    if how is not None:
        assert how.parameter == parameter


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        # One common name, as packages have it in each module, moves nothing.
        ({"pkg/__init__.py": "", "pkg/a.py": "test = make()"}, {"pkg/__init__.py": "", "pkg/b.py": "test = make()"}, ""),
        ({"pkg/__init__.py": "", "pkg/a.py": "def f(x): return 1"}, {"pkg/__init__.py": "", "pkg/b.py": "def f(y): return 2"}, ""),
        ({"pkg/__init__.py": "", "pkg/a.py": "def f(x): return 1"}, {"pkg/__init__.py": "", "pkg/b.py": "def f(x): return 1"}, "pkg.b"),
        # Of nearly the same name beside it, with some of its names.
        ({"pkg/__init__.py": "", "pkg/a.py": "def f(x): return 1\ndef g(x): return 2\ndef h(x): ..."},
         {"pkg/__init__.py": "", "pkg/as.py": "def f(x): return 3\ndef i(x): ...\ndef j(x): ..."}, "pkg.as"),
        ({"pkg/__init__.py": "", "pkg/a.py": "def f(x): return 1\ndef g(x): ..."},
         {"pkg/__init__.py": "", "pkg/b.py": "def f(x): return 2\ndef g(x): return 3"}, "pkg.b"),
    ],
)  # fmt: skip
def test_modules_move_with_their_names(
    old: dict[str, str], new: dict[str, str], expected: str
) -> None:
    (change,) = [c for c in changes(old, new) if c.path == "pkg.a"]
    assert change.replacement == expected
    assert (change.how is not None) == bool(expected)


@pytest.mark.parametrize(("is_same", "confidence"), [(True, 1.0), (False, 0.3)])
def test_a_trial_proves_a_replacement_or_speaks_against_it(
    *, is_same: bool, confidence: float
) -> None:
    how = Replacement(ReplacementShape.RENAME, "pkg.new", confidence=0.9)
    change = Change("pkg", "1", "2", ChangeKind.REMOVED, "pkg.old", "function", how=how)
    proven = with_proof(change, "by running: …", is_same=is_same).how
    assert proven is not None
    assert (proven.is_proven, proven.confidence) == (is_same, confidence)
    assert proven.evidence == ("by running: …",)


def test_without_a_replacement_a_trial_says_nothing() -> None:
    change = Change("pkg", "1", "2", ChangeKind.REMOVED, "pkg.old", "function")
    assert with_proof(change, "", is_same=True) is change


@pytest.mark.parametrize(
    ("old", "new", "path", "expected"),
    [
        # A value that is at another place now, and the only one of its name there.
        ({"pkg/__init__.py": "", "pkg/a.py": "PHASE = (1, 2)\ndef f(): ..."}, {"pkg/__init__.py": "", "pkg/a.py": "def f(): ...", "pkg/b.py": "PHASE = (1, 2)"}, "pkg.a.PHASE", "pkg.b.PHASE"),
        ({"pkg/__init__.py": "", "pkg/a.py": "PHASE = 1\ndef f(): ..."}, {"pkg/__init__.py": "", "pkg/a.py": "def f(): ...", "pkg/b.py": "PHASE = 1"}, "pkg.a.PHASE", ""),
        # A module that is named for a class: the class of that name in it.
        ({"pkg/__init__.py": "class Rate: ..."}, {"pkg/__init__.py": "import pkg.text\nclass Rate:\n    def __init__(self):\n        _deprecated_import('Rate', 'text')", "pkg/text.py": "class Rate: ..."}, "pkg.Rate", "pkg.text.Rate"),
        ({"pkg/__init__.py": "class Rate: ..."}, {"pkg/__init__.py": "import pkg.text\nclass Rate:\n    def __init__(self):\n        _deprecated_import('Rate', 'text')", "pkg/text.py": "class Other: ..."}, "pkg.Rate", ""),
        # A module of one name goes as that is told to; what is left of one warns itself.
        ({"pkg/__init__.py": "class New: ...", "pkg/old.py": "@deprecated_class(deadline='2', fix='Use pkg.New(a).on(b) instead')\nclass Old: ..."},
         {"pkg/__init__.py": "class New: ..."}, "pkg.old", "pkg.New"),
        ({"pkg/__init__.py": "from .old import Old, f", "pkg/old.py": "class Old: ...\ndef f(): ..."},
         {"pkg/__init__.py": "@deprecated\nclass Old: ...\n@deprecated\ndef f(): ..."}, "pkg.old", ""),
        # A function of two words in a new module below; a long name that is spelled otherwise.
        ({"pkg/__init__.py": "def fraction_sum(a): ..."}, {"pkg/__init__.py": "", "pkg/tools.py": "def fraction_sum(b): ..."}, "pkg.fraction_sum", "pkg.tools.fraction_sum"),
        ({"pkg/__init__.py": "def total(a): ..."}, {"pkg/__init__.py": "", "pkg/tools.py": "def total(b): ..."}, "pkg.total", ""),
        ({"pkg/__init__.py": "def merge_single_gates_into_phases(a, b): return a"}, {"pkg/__init__.py": "def merge_single_gates_to_phases(a, b): return b + 1"},
         "pkg.merge_single_gates_into_phases", "pkg.merge_single_gates_to_phases"),
        ({"pkg/__init__.py": "class Boolean:\n    '''An operation that represents a sum of all functions.'''\n    def f(self): ..."},
         {"pkg/__init__.py": "class GateOfThem:\n    '''A gate that represents a sum of all functions.'''\n    def g(self): ..."}, "pkg.Boolean", ""),
        ({"pkg/__init__.py": "class BooleanSum:\n    '''An operation that represents a sum of all functions.'''\n    def f(self): ..."},
         {"pkg/__init__.py": "class BooleanSums:\n    '''A gate that represents a sum of all functions.'''\n    def g(self): ..."}, "pkg.BooleanSum", "pkg.BooleanSums"),
        # `Image.crop`: the module has a class of its name; `reader.stats`: a class is called so.
        ({"pkg/__init__.py": "", "pkg/font.py": "@deprecated('Use Image.crop instead.')\ndef size(a): ...", "pkg/Image.py": "class Image:\n    def crop(self): ..."},
         {"pkg/__init__.py": "", "pkg/font.py": "", "pkg/Image.py": "class Image:\n    def crop(self): ..."}, "pkg.font.size", "pkg.Image.Image.crop"),
        ({"pkg/__init__.py": "", "pkg/a.py": "@deprecated('Use reader.stats instead.')\ndef size(a): ...", "pkg/b.py": "class Reader:\n    def stats(self): ..."},
         {"pkg/__init__.py": "", "pkg/a.py": "", "pkg/b.py": "class Reader:\n    def stats(self): ..."}, "pkg.a.size", "pkg.b.Reader.stats"),
        # A module that only hands on what another package has, and one of which a message says so.
        ({"pkg/__init__.py": "", "pkg/a.py": "from other import tools\nA = deprecated_class('A', tools.A)\nB = deprecated_class('B', tools.B)"},
         {"pkg/__init__.py": ""}, "pkg.a", "other.tools"),
        ({"pkg/__init__.py": "", "pkg/a.py": "import warnings\nwarnings.warn('pkg.a is deprecated. You should import from other instead.', DeprecationWarning)\ndef f(): ..."},
         {"pkg/__init__.py": ""}, "pkg.a", "other"),
        # What is told of is where the module has it: its own package is no name for it.
        ({"pkg/__init__.py": "", "pkg/a.py": "class A: ..."},
         {"pkg/__init__.py": "from pkg.b import A", "pkg/b.py": "class A: ...", "pkg/a.py": "from pkg import b\ndef __getattr__(name):\n    if name in ('A',):\n        warnings.warn('please import from `pkg` itself', DeprecationWarning)\n        return getattr(b, name)"}, "pkg.a.A", "pkg.A"),
        # The base of an old class is defined elsewhere now.
        ({"pkg/__init__.py": "from pkg.a import Old, New", "pkg/a.py": "class New:\n    def m(self): ...\nclass Old(New):\n    def __init__(self):\n        warnings.warn('this alias goes', DeprecationWarning)"},
         {"pkg/__init__.py": "from pkg._b import New", "pkg/_b.py": "class New:\n    def m(self, b): ..."}, "pkg.Old", "pkg.New"),
        # What `__getattr__` gives instead of an old name.
        ({"pkg/__init__.py": "class Old: ..."},
         {"pkg/__init__.py": "from other import things\n_OLD = {'Old': deprecated_class(things.New)}\ndef __getattr__(name):\n    warnings.warn('all is in other now', DeprecationWarning)\n    return _OLD[name]"}, "pkg.Old", "other.things.New"),
        ({"pkg/__init__.py": "class New: ...\ndef __getattr__(name):\n    if name == 'Old':\n        alias = New\n        warnings.warn(f'{name!r} is now {alias.__name__!r}', DeprecationWarning)\n        return alias"},
         {"pkg/__init__.py": "class New: ..."}, "pkg.Old", "pkg.New"),
        ({"pkg/__init__.py": "from .core import New\nOld: type[New]\ndef __getattr__(name):\n    import pkg.core\n    if name in pkg.core._OLD:\n        return getattr(pkg.core, name)",
          "pkg/core.py": "class New: ...\n_OLD = {'Old': New}\ndef __getattr__(name):\n    if name in _OLD:\n        alias = _OLD[name]\n        warnings.warn(f'{name!r} is now {alias.__name__!r}', DeprecationWarning)\n        return alias"},
         {"pkg/__init__.py": "from .core import New", "pkg/core.py": "class New: ..."}, "pkg.Old", "pkg.New"),
    ],
)  # fmt: skip
def test_what_another_place_has(
    old: dict[str, str], new: dict[str, str], path: str, expected: str
) -> None:
    found = [c for c in changes(old, new) if path in (c.path, *c.aliases)]
    assert {c.replacement for c in found if not c.parameter} == {expected}


def test_the_line_for_people_names_what_replaces() -> None:
    old = "@deprecated\ndef old(a): return new(a)\ndef new(a): ..."
    (change,) = changes(old, "def new(a): ...")
    assert change.detail == "gone; use pkg.new instead"


@pytest.mark.parametrize(
    ("old", "new", "path", "expected"),
    [
        # A member of a class that another class takes the place of, under its old name or its new.
        ("class Old:\n    def __init__(self):\n        warnings.warn('Old is deprecated, use `New` instead', DeprecationWarning)\n    def m(self): ...\nclass New:\n    def m(self): ...",
         "class Old: ...\nclass New:\n    def m(self): ...", "pkg.Old.m", "pkg.New.m"),
        # A message that was copied from beside it.
        ("class C:\n    def find_all_by_id(self, a):\n        warnings.warn('use find() instead', DeprecationWarning)\n    def find(self): ...\n    def findall(self): ...",
         "class C:\n    def find(self): ...\n    def findall(self): ...", "pkg.C.find_all_by_id", "pkg.C.find"),
        ("class C:\n    def finds_by_id(self, a):\n        warnings.warn('use find() instead', DeprecationWarning)\n    def find(self): ...\n    def finds(self): ...",
         "class C:\n    def find(self): ...\n    def finds(self): ...", "pkg.C.finds_by_id", "pkg.C.finds"),
        # What another class says of its member of that name.
        ("class C:\n    def find_by_id(self, a):\n        warnings.warn('use find() instead', DeprecationWarning)\n    def find(self, by): ...\nclass D:\n    def find_by_id(self, a): ...\n    def find(self, by): ...",
         "class C:\n    def find(self, by): ...\nclass D:\n    def find(self, by): ...", "pkg.D.find_by_id", "pkg.D.find"),
        # The same words in another order.
        ("class C:\n    link_hover_color = 1\n    link = 2", "class C:\n    link_color_hover = 1\n    link = 2", "pkg.C.link_hover_color", "pkg.C.link_color_hover"),
        # A tool of the old code is not what takes its place.
        ("import re\nclass C:\n    @property\n    def old(self):\n        warnings.warn('old is deprecated', DeprecationWarning)\n        return list(map(re.compile, self.names))\n    names = ()",
         "class C:\n    names = ()", "pkg.C.old", ""),
        # The class itself, instead of another of its constructors.
        ("class C:\n    @classmethod\n    @deprecated('Use the C constructor instead.')\n    def make(cls, a): ...\n    def __init__(self, a): ...",
         "class C:\n    def __init__(self, a): ...", "pkg.C.make", "pkg.C"),
        ("class C:\n    @deprecated('Use the C constructor instead.')\n    def make(self, a): ...\n    def __init__(self, a): ...",
         "class C:\n    def __init__(self, a): ...", "pkg.C.make", ""),
        # The class, where a message says to give it to its constructor.
        ("class C:\n    @deprecated('Instead provide the parameters to the C constructor.')\n    def put(self, a): ...\n    def __init__(self, a): ...",
         "class C:\n    def __init__(self, a): ...", "pkg.C.put", "pkg.C"),
        # A name that is Python's own, and one that only looks so.
        ("@deprecated('Use int() instead.')\ndef as_int(a): ...", "", "pkg.as_int", "int"),
        ("@deprecated('Use TimeoutError (on Python 3.11).')\nclass MultiError(Exception): ...", "", "pkg.MultiError", "TimeoutError"),
        ("@deprecated('Call any of them.')\ndef f(a): ...", "", "pkg.f", ""),
        # Another package.
        ("@deprecated('Use the other_data package instead.')\ndef f(a): ...", "", "pkg.f", "other_data"),
        # What several names have in common is another word; and what has more words.
        ("class SelectionA:\n    def a(self): ...\nclass SelectionB:\n    def b(self): ...\nclass SelectionC:\n    def c(self): ...",
         "class ChoiceA:\n    def d(self): ...\nclass ChoiceB:\n    def e(self): ...\nclass ChoiceC:\n    def f(self): ...", "pkg.SelectionB", "pkg.ChoiceB"),
        ("class SelectionA:\n    def a(self): ...\nclass SelectionB:\n    def b(self): ...",
         "class ChoiceA:\n    def d(self): ...\nclass ChoiceB:\n    def e(self): ...", "pkg.SelectionB", ""),
        ("MAX_LINE = 10000", "MAX_LINE_LENGTH = make()", "pkg.MAX_LINE", "pkg.MAX_LINE_LENGTH"),
        ("has_item = 10000", "is_has_item = make()", "pkg.has_item", ""),
        ("ItemCompatible = make(A, B)", "ItemIncompatible = make(A, B)", "pkg.ItemCompatible", ""),
        # The parameter that sets an attribute is renamed; words that both begin with.
        ("class C:\n    def __init__(self, alpha=0.3):\n        self.alpha = alpha", "class C:\n    def __init__(self, fading=0.3):\n        self.fading = fading", "pkg.C.alpha", "pkg.C.fading"),
        ("class C:\n    def load_model(path):\n        '''loads a model from a given path. It is a text.'''\n        return path", "class C:\n    def load(path, more):\n        '''Loads a model from a given path.'''\n        return more", "pkg.C.load_model", "pkg.C.load"),
        # What a member of the same object has.
        ("class C:\n    def size(self): ...\n    part = make()", method("", "def size(self):", "part = make()").replace("'old'", "'C.size is deprecated, use C.part.size instead'"), "pkg.C.size", "pkg.C.part.size"),
        ("class C:\n    def size(self): ...\n    def new(self): ...", method("", "def size(self):").replace("'old'", "'C.size is deprecated, use C.part.size instead'"), "pkg.C.size", ""),
    ],
)  # fmt: skip
def test_who_takes_the_place(old: str, new: str, path: str, expected: str) -> None:
    (change,) = [c for c in changes(old, new) if c.path == path]
    assert change.replacement == expected
