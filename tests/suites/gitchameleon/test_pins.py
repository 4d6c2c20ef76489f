from __future__ import annotations

import pytest

from libdrift.suites.gitchameleon.pins import environment_for


@pytest.mark.parametrize(
    ("arguments", "has", "has_not"),
    [
        (("3.10", "falcon", "3.0.0", ""), {"falcon==3.0.0", "numpy==1.23.0"}, set()),
        (("3.10", "numpy", "1.25.1", "-"), {"numpy==1.25.1"}, {"numpy==1.23.0", "-"}),
        (("3.7", "torch", "1.9.0", "scipy==1.7.3"), {"scipy==1.7.3"}, {"scipy==1.7.1"}),
        (("3.12", "falcon", "3.0.0", "a==1 b==2"), {"a==1", "b==2"}, {"numpy==1.23.0"}),
    ],
)
def test_a_problems_pins_come_first(
    arguments: tuple[str, str, str, str], has: set[str], has_not: set[str]
) -> None:
    found = set(environment_for(*arguments).requirements)
    assert has <= found
    assert not has_not & found
