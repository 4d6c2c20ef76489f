"""A name that now reaches another class: what that one has not is lost under this name."""

from __future__ import annotations

from libdrift.history.differences import compare
from libdrift.languages.python.static import of_sources

OLD = {
    "pkg/__init__.py": "",
    "pkg/api.py": "from pkg.old import Model as Model",
    "pkg/old.py": "class Model:\n    def fit(self, a, method=None): ...\n    def plot(self): ...\n",
}
NEW = {
    "pkg/__init__.py": "",
    "pkg/api.py": "from pkg.new import Model as Model",
    "pkg/old.py": OLD["pkg/old.py"],
    "pkg/new.py": "class Model:\n    def fit(self, a, solver=None): ...\n",
}


def test_every_name_of_a_class_has_its_own_counterpart() -> None:
    changes = compare(of_sources(OLD, "1", "pkg"), of_sources(NEW, "2", "pkg"))
    told = {(c.kind.value, c.path, c.parameter) for c in changes if c.breaking}
    assert ("removed", "pkg.api.Model.plot", "") in told
    assert ("signature", "pkg.api.Model.fit", "method") in told
    assert not [c for c in changes if c.path.startswith("pkg.old")]


def test_an_error_in_the_old_place_leaves_the_other_one() -> None:
    dead = "class Model:\n    def __init__(self): raise NotImplementedError('Model was removed')\n"
    changes = compare(of_sources(OLD, "1", "pkg"), of_sources({**NEW, "pkg/old.py": dead}, "2", "pkg"))  # fmt: skip
    told = {(c.kind.value, c.path, c.parameter) for c in changes if c.breaking}
    assert "pkg.old.Model" in {path for _, path, _ in told}
    assert ("signature", "pkg.api.Model.fit", "method") in told


def test_a_class_below_with_a_constructor_of_its_own_is_named() -> None:
    text = "class A:\n    def __init__(self, a{0}): self.a = a\nclass B(A):\n    def __init__(self, a{0}): super().__init__(a); self.c = 1\nclass C(A): ...\n"  # fmt: skip
    old, new = (of_sources({"pkg/__init__.py": text.format(more)}, "1", "pkg") for more in (", b=0", ""))  # fmt: skip
    (change,) = compare(old, new)
    assert (change.path, change.parameter) == ("pkg.A", "b")
    assert change.aliases == ("pkg.B",)


def test_what_a_class_below_has_of_its_own_now_does_not_hide_its_base() -> None:
    """Both lost the parameter: the one that inherits, and the one that now overrides."""
    old = "class A:\n    def m(self, a, b=1): ...\nclass B(A): ...\n"
    new = "class A:\n    def m(self, a): ...\nclass B(A):\n    def m(self, a): ...\n"
    changes = compare(
        of_sources({"pkg/__init__.py": old}, "1"), of_sources({"pkg/__init__.py": new}, "2")
    )
    (lost,) = [c for c in changes if c.parameter == "b"]
    assert (lost.path, lost.aliases) == ("pkg.A.m", ("pkg.B.m",))
