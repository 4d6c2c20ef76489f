"""What libraries offered before and after a change: an excerpt, or the releases themselves.

The excerpt has as much as an agent asks for. Its signatures and remarks are those of the releases
that the starter suite's tasks pin and their wrong answers were written for; bodies and the rest are
left out.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from libdrift.history.store import Store
from libdrift.languages.python import static
from libdrift.languages.python.archives import choose, open_archive
from libdrift.languages.python.index import PackageIndex
from libdrift.languages.python.static import of_sources

_WARNS = "import warnings\n"


def _said(message: str) -> str:
    return f"    warnings.warn({message!r}, DeprecationWarning)\n"


# package: version: the sources of its modules, by their files
RELEASES: dict[str, dict[str, dict[str, str]]] = {
    "attrs": {
        "20.3.0": {
            "attr/__init__.py": "def ib(default=None, cmp=None, eq=None, order=None): ...\n"
            "def define(maybe_cls=None, *, kw_only=False): ...",
        },
        "25.4.0": {
            "attr/__init__.py": "def ib(default=None, cmp=None, eq=None, order=None, alias=None):\n"
            "    '''.. versionchanged:: 21.1.0 *cmp* undeprecated'''\n"
            "def define(maybe_cls=None, *, kw_only=False, force_kw_only=False): ...",
            "attrs/__init__.py": "def frozen(cls): ...",
        },
    },
    "click": {
        "8.0.4": {
            "click/__init__.py": f"{_WARNS}class Group:\n"
            "    def resultcallback(self, replace=False):\n"
            "        warnings.warn('renamed to result_callback', DeprecationWarning)\n"
            "def command(name=None):\n"
            "    '''The name of the function, underscores replaced by dashes.'''",
            "click/testing.py": "class CliRunner:\n"
            "    def __init__(self, charset='utf-8', mix_stderr: bool = True): ...",
        },
        "8.2.1": {
            "click/__init__.py": "class Group:\n    def result_callback(self, replace=False): ...\n"
            "def command(name=None):\n"
            "    '''The name of the function, without the suffixes ``_command`` and ``_cmd``.'''",
            "click/testing.py": "class CliRunner:\n"
            "    def __init__(self, charset='utf-8', catch_exceptions=True): ...",
        },
    },
    "flask": {
        "2.3.3": {
            "flask/__init__.py": f"{_WARNS}__version__ = '2.3.3'\nclass Flask:\n"
            "    def open_resource(self, resource, mode='rb'): ...\n"
            f"def escape(text):\n{_said('Import markupsafe.escape instead.')}",
        },
        "3.1.2": {
            "flask/__init__.py": "class Flask:\n"
            "    def open_resource(self, resource, mode='rb', encoding=None): ...\n"
            "def __getattr__(name):\n"
            "    if name == '__version__':\n"
            "        import warnings\n"
            "        warnings.warn('Use importlib.metadata.version instead.', DeprecationWarning)\n"
            "        return _version()\n"
            "    raise AttributeError(name)",
        },
    },
    "jinja2": {
        "3.0.3": {
            "jinja2/__init__.py": f"{_WARNS}def contextfilter(f):\n"
            f"{_said('renamed to pass_context')}def pass_context(f): ...",
            "jinja2/filters.py": "def do_groupby(environment, value, attribute, default=None): ...",
        },
        "3.1.6": {
            "jinja2/__init__.py": "def pass_context(f): ...",
            "jinja2/filters.py": "def do_groupby(\n"
            "    environment, value, attribute, default=None, case_sensitive=False\n): ...",
        },
    },
    "marshmallow": {
        "3.26.1": {
            "marshmallow/__init__.py": "def pre_load(fn=None, pass_many=False): ...",
            "marshmallow/fields.py": "class Field:\n"
            "    def __init__(self, *, load_default: object = None, missing: object = None): ...",
        },
        "4.0.1": {
            "marshmallow/__init__.py": "def pre_load(fn=None, *, pass_collection=False): ...",
            "marshmallow/fields.py": "class Field:\n"
            "    def __init__(self, *, load_default: object = None): ...",
        },
    },
    "networkx": {
        "2.8.8": {
            "networkx/__init__.py": "def node_link_data(G, attrs=None, *, link='links'): ...\n"
            "def random_tree(n, seed=None, create_using=None): ...\n"
            "def dfs_preorder_nodes(G, source=None, depth_limit=None): ...",
        },
        "3.6.1": {
            "networkx/__init__.py": "def node_link_data(G, *, edges='edges', nodes='nodes'): ...\n"
            "def random_labeled_tree(n, *, seed=None): ...\n"
            "def dfs_preorder_nodes(G, source=None, depth_limit=None, *, sort_neighbors=None): ...",
        },
    },
    "numpy": {
        "1.26.4": {
            "numpy/__init__.py": "from numpy.exceptions import AxisError as AxisError\n"
            "def trapz(y, x=None): ...",
            "numpy/exceptions.py": "class AxisError(ValueError): ...",
            "numpy/linalg.py": "def solve(a, b):\n    '''Returned shape is identical to `b`.'''",
        },
        "2.2.6": {
            "numpy/__init__.py": "def trapz(y, x=None): ...\ndef trapezoid(y, x=None): ...",
            "numpy/exceptions.py": "class AxisError(ValueError): ...",
            "numpy/linalg.py": "def solve(a, b):\n"
            "    '''Returned shape is (..., M) if b is shape (M,) and (..., M, K) otherwise.'''",
        },
    },
    "pandas": {
        "1.5.3": {
            "pandas/__init__.py": "class DataFrame:\n    def applymap(self, func): ...\n"
            "class Series:\n"
            "    def resample(self, rule, axis=0): ...\n"
            "    def value_counts(self, sort=True):\n        '''dtype: int64'''",
        },
        "2.2.3": {
            "pandas/__init__.py": "class DataFrame:\n    def map(self, func): ...\n"
            "class Series:\n"
            "    def resample(self, rule, axis=None):\n"
            "        '''>>> series.resample('ME').sum()'''\n"
            "    def value_counts(self, sort=True):\n        '''Name: count, dtype: int64'''",
        },
    },
    "pillow": {
        "9.3.0": {
            "PIL/__init__.py": "",
            "PIL/Image.py": "import enum\nclass Resampling(enum.IntEnum):\n    LANCZOS = 1",
            "PIL/ImageDraw.py": f"{_WARNS}class ImageDraw:\n"
            "    def textsize(self, text, font=None):\n"
            "        warnings.warn('Use textbbox.', DeprecationWarning)\n"
            "    def textlength(self, text, font=None): ...",
        },
        "11.3.0": {
            "PIL/__init__.py": "",
            "PIL/Image.py": "import enum\nclass Resampling(enum.IntEnum):\n    LANCZOS = 1\n"
            "LANCZOS = 1",
            "PIL/ImageDraw.py": "class ImageDraw:\n    def textlength(self, text, font=None): ...\n"
            "    def circle(self, xy, radius, fill=None): ...",
        },
    },
    "sympy": {
        "1.12.1": {
            "sympy/__init__.py": "def jacobi_symbol(m, n): ...\n"
            "class Basic:\n    def compare(self, other):\n"
            "        '''Return -1, 0, 1 if the object is smaller, equal, or greater than other.'''\n"
            "class Float:\n    '''A number of some precision.'''",
            "sympy/ntheory/__init__.py": "",
            "sympy/ntheory/factor_.py": "def udivisor_sigma(n, k=1): ...",
        },
        "1.13.3": {
            "sympy/__init__.py": "def kronecker_symbol(a, n): ...\n"
            "class Basic:\n    @staticmethod\n    def is_same(a, b, approx=None):\n"
            "        '''Return True if a and b are structurally the same, else False.\n"
            "        By default, only numbers of the same type will compare equal, so\n"
            "        S.Half != Float(0.5).'''\n"
            "class Float:\n    '''A number of some precision.'''",
            "sympy/ntheory/__init__.py": "",
            "sympy/ntheory/factor_.py": f"{_WARNS}def udivisor_sigma(n, k=1):\n"
            f"{_said('moved to sympy.functions.combinatorial.numbers')}",
        },
    },
}  # fmt: skip


def write_history(path: Path, packages: Sequence[str] = ()) -> None:
    """A history of these packages' releases, or of all."""
    with Store.open(path) as store:
        for package in packages or RELEASES:
            for version, sources in RELEASES[package].items():
                store.add(of_sources(sources, version, package))


def read_history(path: Path, releases: Iterable[tuple[str, str]]) -> None:
    """A history of whole releases as the package index has them, read without import."""
    wanted: dict[str, list[str]] = {}
    for package, version in releases:
        wanted.setdefault(package, []).append(version)
    index = PackageIndex.configured(os.environ)
    try:
        with Store.open(path) as store:
            for package, versions in sorted(wanted.items()):
                listed = {item.release.version: item for item in index.releases(package)}
                for version in dict.fromkeys(versions):
                    found = listed[version]
                    with open_archive(choose(found), package, index.web, path.parent) as archive:
                        store.add(static.extract(found.release, archive.members, archive.read))
    finally:
        index.close()
