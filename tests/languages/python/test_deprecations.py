from __future__ import annotations

import pytest

from libdrift.languages.python.static import of_sources
from libdrift.languages.python.wording import replacement_in


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        # (source, since, replacement, parameter, conditional) of each
        ("@deprecated('1.2', alternative='g')\ndef f(): ...", [("decorator", "1.2", "g", "", False)]),
        ("@deprecated('Use `p.g` instead.')\ndef f(): ...", [("decorator", "", "p.g", "", False)]),
        ("@deprecated(replace_with='g', version='1.2')\ndef f(): ...", [("decorator", "1.2", "g", "", False)]),
        ("@deprecated_arg_default('a', old_default=1, new_default=2, since='1.2')\ndef f(a=1): ...", []),
        ("import warnings\ndef f(a):\n    if a:\n        warnings.warn('the zone of `a` was removed, which is not supported')", []),
        ("@deprecated(in_favor_of='p.g')\ndef f(): ...", [("decorator", "", "p.g", "", False)]),
        ("@deprecated_argument('a', replaced_by='b')\ndef f(b): ...", [("decorator", "", "b", "a", False)]),
        ("@deprecate_kwarg(old_arg_name='a', new_arg_name='b')\ndef f(b): ...", [("decorator", "", "b", "a", False)]),
        ("@_api.rename_parameter('3.5', 'old', 'new')\ndef f(new): ...", [("decorator", "3.5", "new", "old", False)]),
        ("@_api.delete_parameter('3.6', 'a')\ndef f(a=None): ...", [("decorator", "3.6", "", "a", False)]),
        ("import warnings\ndef f():\n    warnings.warn('f is old, use g instead', DeprecationWarning)", [("warning", "", "g", "", False)]),
        ("import warnings\nMSG = 'deprecated since 1.4, use %s'\ndef f():\n    msg = MSG % 1\n    warnings.warn(msg, category=FutureWarning)", [("warning", "1.4", "", "", False)]),
        ("import warnings\ndef f(a=None, b=None):\n    if a is not None:\n        warnings.warn('a is deprecated', FutureWarning)", [("warning", "", "", "a", True)]),
        ("import warnings\ndef f(x):\n    try:\n        y = x\n    except ValueError:\n        warnings.warn('deprecated', DeprecationWarning)", [("warning", "", "", "", True)]),
        # A coming behaviour is no deprecation, nor is another warning.
        ("import warnings\ndef f():\n    warnings.warn('the default will change', FutureWarning)\n    warnings.warn('slow', RuntimeWarning)", []),
        ("def f():\n    '''Doc.\n\n    .. deprecated:: 2.1\n       Use :func:`p.g` instead.\n    '''", [("docstring", "2.1", "p.g", "", False)]),
        ("def f(a):\n    '''Doc.\n\n    Parameters\n    ----------\n    a : int\n        Text.\n\n        .. deprecated:: 2.1\n    '''", [("docstring", "2.1", "", "a", False)]),
        ("def f(callback=None):\n    '''Doc.\n\n    .. deprecated:: 5.1\n\n       The ``callback`` argument is deprecated.\n    '''", [("docstring", "5.1", "", "callback", False)]),
        ("def f():\n    '''Doc.\n\n    .. deprecated:: 5.1\n       ``__lt__`` between subclasses.\n    '''", [("docstring", "5.1", "", "", True)]),
        ("@deprecate_dims\ndef f(): ...", []),
        ("@deprecate_nonkeyword_arguments(['self', 'a'], version='1.2')\ndef f(a, b): ...", [("decorator", "1.2", "", "*", False)]),
        ("@deprecated_renamed_argument(['a'], ['b'], '1.2')\ndef f(b): ...", [("decorator", "1.2", "b", "a", False)]),
        ("@remove_arg('a', changed_version='1.2')\ndef f(a=None): ...", [("decorator", "", "", "a", False)]),
        ("from warnings import warn\ndef f():\n    warn(DeprecationWarning('f is old, use g instead'))", [("warning", "", "g", "", False)]),
        ("def f(total=None, part=None):\n    if total is None:\n        if part is not None:\n            warn('part is deprecated, use total argument instead', DeprecationWarning)", [("warning", "", "total", "part", True)]),
        ("def f(a=None):\n    if a:\n        if busy():\n            warn('chained calls are deprecated', DeprecationWarning)", [("warning", "", "", "", True)]),
        ("def f():\n    'Deprecated. Use g.'", [("docstring", "", "g", "", False)]),
        ("def f():\n    '''Do.\n\n    .. note:: This function is deprecated since 1.2. See `p.g`.\n    '''", [("docstring", "1.2", "p.g", "", False)]),
        ("def f():\n    '''Do.\n\n    .. note:: Names that are deprecated are not seen.\n    '''", []),
        ("def f():\n    '''Do.\n\n    Deprecated in 1.2. Use g.\n    '''", [("docstring", "1.2", "g", "", False)]),
        ("def f():\n    '''Do.\n\n    Deprecated names are not seen.\n    '''", []),
        ("def f(a):\n    '''Do.\n\n    Args:\n        a (str): The way. Deprecated, use `b`.\n    '''", [("docstring", "", "b", "a", False)]),
        ("import warnings\nclass Own(Warning): ...\ndef f():\n    warnings.warn('f is deprecated, import from g instead', Own)", [("warning", "", "g", "", False)]),
        ("class f: ...\ndeprecated(f, __name__, 'f has been deprecated', Gone)", [("decorator", "", "", "", False)]),
        ("class f: ...\ndeprecatedModuleAttribute(Version('P', 2, 0), 'Use p.g instead.', __name__, f.__name__)", [("decorator", "", "p.g", "", False)]),
        ("def f():\n    'Tell whether it is deprecated.'", []),
        # A package's own warning class means what its bases mean.
        ("import warnings\nclass Going(DeprecationWarning): ...\nclass Soon(Going): ...\ndef f():\n    warnings.warn('x', Soon)", [("warning", "", "", "", False)]),
        ("import warnings\nclass Odd(UserWarning): ...\ndef f():\n    warnings.warn('x', Odd)", []),
        ("f = deprecated('1.0')(g)\ndef g(): ...", [("decorator", "1.0", "g", "", False)]),
        ("class f:\n    def __init__(self):\n        warn('gone', DeprecationWarning)", [("warning", "", "", "", False)]),
        ("def f():\n    def inner():\n        warn('gone', DeprecationWarning)", []),
        # By position alone: both are taken by name.
        ("@_deprecate_args('a', 'b')\ndef f(*_, a=1, b=2): ...", [("decorator", "", "", "*", False)]),
        ("@delete_parameter('3.6', 'a')\ndef f(*, a=None): ...", [("decorator", "3.6", "", "a", False)]),
        # The parameter is the keyword: the version and the words are a pair.
        ("@deprecated_params(a=('2.0', 'The :paramref:`a` parameter goes. Use :meth:`%(classname)s.b`.'))\ndef f(a=None): ...", [("decorator", "2.0", "self.b", "a", False)]),
        # One that no signature shows.
        ("def f(**kwargs):\n    old = kwargs.pop('old', None)\n    if old is not None:\n        warn('Keyword `old` is deprecated, use `new` instead', DeprecationWarning)", [("warning", "", "new", "old", True)]),
        # Words behind the directive, where it has none.
        ("def f():\n    '''\n    .. deprecated:: 1.6\n\n    Do this.\n\n    Instead, use :func:`g`, which does it.\n    '''", [("docstring", "1.6", "g", "", False)]),
        ("def f():\n    '''\n    .. deprecated:: 1.6\n\n    Do this with `g`.\n    '''", [("docstring", "1.6", "", "", False)]),
        # Another package's thing, by what the module calls it.
        ("import numpy as np\n@deprecated('Use `np.sum` instead.')\ndef f(): ...", [("decorator", "", "numpy.sum", "", False)]),
    ],
)  # fmt: skip
def test_evidence(source: str, expected: list[tuple[str, str, str, str, bool]]) -> None:
    symbol = of_sources({"p.py": source}).resolve("p.f")
    assert symbol is not None
    found = [(d.source, d.since, d.replacement, d.parameter, d.conditional) for d in symbol.deprecations]  # fmt: skip
    assert found == expected


@pytest.mark.parametrize("name", ["'imported'", "Imported.__name__"], ids=["in words", "by itself"])
def test_a_helper_that_is_told_a_name_speaks_of_no_module(name: str) -> None:
    code = f"from q import Imported\ndeprecated('Use p.g instead of it.', __name__, {name})\n"
    surface = of_sources({"p/__init__.py": "", "p/a.py": code})
    assert surface.symbols["p.a"].deprecations == ()


def test_names_that_a_module_warns_of_when_asked() -> None:
    source = """
_TYPES = [("float", "x"), ("int", "y")]
_old = {}
_old.update({n: (n, m) for n, m in _TYPES})
def __getattr__(name):
    if name == "sub":
        return load()
    if name == "dying":
        warnings.warn("dying is deprecated, use alive", DeprecationWarning)
        return alive
    if name in _old:
        warnings.warn("deprecated alias", DeprecationWarning)
        return _old[name]
    raise AttributeError
def alive(): ...
"""
    surface = of_sources({"p.py": source})
    told = {path: surface.symbols[name.target].deprecation for path, name in surface.walk()}
    assert {path for path, item in told.items() if item} == {"p.dying", "p.float", "p.int"}
    assert told["p.dying"] is not None
    assert told["p.dying"].replacement == "alive"
    assert "p.sub" in told


def test_a_guard_says_which_names_are_dying() -> None:
    source = """
_T = {"x": (1, "y")}
def __getattr__(name):
    if name not in _T:
        raise AttributeError(name)
    warnings.warn(f"{name} is deprecated", DeprecationWarning)
    return _T[name]
def f(): ...
"""
    surface = of_sources({"p.py": source})
    told = {path: surface.symbols[name.target].deprecation for path, name in surface.walk()}
    assert {path for path, item in told.items() if item} == {"p.x"}


def test_a_module_that_hands_on_to_another_is_deprecated() -> None:
    source = "def __getattr__(name):\n    from . import _a\n    found = getattr(_a, name)\n    warnings.warn('p.a is private now', DeprecationWarning)\n    return found\n"
    surface = of_sources({"p/__init__.py": "", "p/a.py": source, "p/_a.py": "def f(): ..."})
    for path in ("p.a", "p.a.f"):
        symbol = surface.resolve(path)
        assert symbol is not None
        assert symbol.deprecation is not None


def test_a_module_that_only_forwards_is_deprecated() -> None:
    source = "__all__ = ['f']\ndef __getattr__(name):\n    return _sub_module_deprecation('p', 'a', __all__, attribute=name)\n"
    surface = of_sources({"p/__init__.py": "", "p/a.py": source})
    for path in ("p.a", "p.a.f"):
        symbol = surface.resolve(path)
        assert symbol is not None
        assert symbol.deprecation is not None
        assert symbol.deprecation.source == "shim"


def test_version_notes() -> None:
    doc = "'''Doc.\n\n    .. versionadded:: 1.1\n    .. versionchanged:: 1.3\n       More.\n    '''"
    symbol = of_sources({"p.py": f"def f():\n    {doc}"}).resolve("p.f")
    assert symbol is not None
    assert [(n.kind, n.version, n.text) for n in symbol.notes] == [("added", "1.1", ""), ("changed", "1.3", "More.")]  # fmt: skip


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("Use `numpy.trapezoid` instead.", "numpy.trapezoid"),
        ("`trapz` is deprecated in favor of `trapezoid`", "trapezoid"),
        ("use pandas.concat instead of append", "pandas.concat"),
        ("has been renamed to 'lineterminator'", "lineterminator"),
        ("Please use :func:`~p.q.new` instead", "p.q.new"),
        ("replaced by the function `isin`", "isin"),
        ("it will be removed", ""),
        ("please use the Alignment class in Bio.Align instead", "Bio.Align.Alignment"),
        ("You should import from qtconsole instead", "qtconsole"),
        ("It is deprecated. See `p.fresh`.", "p.fresh"),
        ("It is deprecated, see below", ""),
        ("Access `g` directly", "g"),
        ("Using 'old' is deprecated. Use 'fresh' instead.", "fresh"),
        ("Use `-np.inf` instead", ""),
        ("now raise a DeprecationWarning, use g", "g"),
        ("use the new one instead", ""),
    ],
)
def test_replacement_in_a_message(sentence: str, name: str) -> None:
    assert replacement_in(sentence) == name
