from __future__ import annotations

import pytest

from libdrift.languages.python.static import of_sources


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return self.g(a, b)", "{self}.g({...})"),
        ("return self.g(a, b=b)", "{self}.g({a}, b={b})"),
        ("return self.g(b, a)", "{self}.g({b}, {a})"),
        ("return self.g(a)", "{self}.g({a})"),
        ("return self.g(a, b, deep=True)", "{self}.g({a}, {b}, deep=True)"),
        ("from numpy import dot\n        return dot(a, b)", "numpy.dot({...})"),
        ("return np.dot(a, b)", "numpy.dot({...})"),
        ("c = a + b\n        return self.g(c)", "{self}.g({a} + {b})"),
        ("with warnings.catch_warnings():\n            return self.g(a, b)", "{self}.g({...})"),
        ("msg = 'old'\n        warnings.warn(msg)\n        return self.g(a, b)", "{self}.g({...})"),
        # Not one expression that others could write.
        ("a = list(a)\n        return self.g(a, b)", ""),
        ("self.h()\n        return self.g(a, b)", ""),
        ("if a:\n            return 1\n        return self.g(a, b)", ""),
        ("return self._g(a, b)", ""),
        ("return super().g(a, b)", ""),
        ("return {a: b}", ""),
        ("return None", ""),
    ],
)
def test_template_of_a_body(body: str, expected: str) -> None:
    source = (
        f"import numpy as np\nclass C:\n    @deprecated\n    def f(self, a, b=1):\n        {body}\n"
    )
    symbol = of_sources({"p.py": source}).resolve("p.C.f")
    assert symbol is not None
    assert symbol.deprecations[0].template == expected


def test_what_is_not_deprecated_has_no_template() -> None:
    symbol = of_sources({"p.py": "def f(a): return g(a)\ndef g(a): ..."}).resolve("p.f")
    assert symbol is not None
    assert not symbol.deprecations
