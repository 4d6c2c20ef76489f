from __future__ import annotations

import pytest

from libdrift.config import Settings
from libdrift.environments import system
from libdrift.environments.recipes import knowledge, pinned, recipe_for
from libdrift.errors import UserError
from libdrift.records import Environment


def recipe(runtime: str, *requirements: str):  # noqa: ANN201
    return recipe_for(Environment("python", runtime, requirements))


@pytest.mark.parametrize(
    ("runtime", "requirement", "constraints"),
    [
        ("3.11", "pandas==1.5.3", ("numpy<2",)),
        ("3.11", "pandas==2.2.3", ()),
        ("3.11", "Flask==2.2.5", ("werkzeug<3",)),
        ("3.11", "flask==2.3.3", ()),
        ("3.11", "flask", ()),
    ],
)
def test_fixes_apply_to_the_releases_they_name(
    runtime: str, requirement: str, constraints: tuple[str, ...]
) -> None:
    assert recipe(runtime, requirement).constraints == constraints


def test_a_fix_for_one_python_leaves_the_others_alone() -> None:
    assert "setuptools<60" in recipe("3.10", "numpy==1.21.0").build_constraints
    assert recipe("3.9", "numpy==1.21.0").build_constraints == ()


def test_a_fix_never_overrides_a_pin() -> None:
    assert recipe("3.11", "pandas==1.5.3", "numpy==1.26.4").constraints == ()


def test_a_fix_changes_the_key() -> None:
    plain = Environment("python", "3.11", ("pandas==1.5.3",))
    assert recipe_for(plain).key != plain.key


def test_a_source_build_is_told_of_system_libraries() -> None:
    built = recipe("3.10", "matplotlib==3.4.0")
    assert "system_freetype = true" in built.setup["MPLSETUPCFG"]
    assert built.system == ("freetype", "qhull")
    for wheel in (recipe("3.9", "matplotlib==3.4.0"), recipe("3.10", "matplotlib==3.8.0")):
        assert (wheel.setup, wheel.system) == ({}, ())


def test_every_fix_says_why() -> None:
    for entry in (*knowledge().fix, *knowledge().need):
        assert len(entry.reason) > 20
    names = {piece.name for piece in knowledge().system}
    assert {name for need in knowledge().need for name in need.system} <= names
    assert {name for fix in knowledge().fix for name in fix.system} <= names


@pytest.mark.parametrize("text", ["numpy=2", "==1.0", "numpy == = 2", "numpy==2.0.2; nonsense"])
def test_a_malformed_requirement_is_named(text: str) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        pinned([text])


@pytest.mark.parametrize("runtime", ["", "3", "3.11\n", "\u0663.\u0661\u0661", "../3.11", "-3.11"])
def test_a_runtime_that_is_none_is_named(runtime: str) -> None:
    with pytest.raises(UserError, match="is not a Python version"):
        recipe_for(Environment("python", runtime, ()))


def test_missing_system_pieces_are_found_from_the_resolution(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system, "present", lambda piece, settings: False)  # noqa: ARG005
    names = {piece.name for piece in system.missing(["soundfile==0.10.3"], settings)}
    assert names == {"libsndfile"}
    assert system.missing(["soundfile==0.12.1", "numpy==1.26.4"], settings) == ()


def test_present_looks_at_libraries_programs_and_data(settings: Settings) -> None:
    by_name = {piece.name: piece for piece in knowledge().system}
    shell = by_name["ffmpeg"].model_copy(update={"program": "sh"})
    gone = by_name["ffmpeg"].model_copy(update={"program": "no-such-program-here"})
    library = by_name["libsndfile"].model_copy(update={"library": "no-such-library-here"})
    assert system.present(shell, settings)
    assert not system.present(gone, settings)
    assert not system.present(library, settings)
    header = by_name["qhull"].model_copy(update={"header": "no-such-header.h"})
    assert not system.present(header, settings)
