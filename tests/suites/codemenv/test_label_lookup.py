"""Names in an environment: there, gone, deprecated, or no names at all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from libdrift.config import Settings
from libdrift.environments import Failed, Ready
from libdrift.execution import Options, outputs
from libdrift.records import Environment
from libdrift.sandbox import Backend
from libdrift.suites.codemenv.label_lookup import Label, State, look_up

HERE = Environment("python", "3.11", ())
NOWHERE = Environment("python", "3.4", ())


def test_look_up(
    settings: Settings,
    bubblewrap: Backend,
    place: Ready,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def built(wanted: Iterable[Environment], *_: object, **__: object) -> object:
        missing = Failed(NOWHERE, "Python 3.4 is not on this machine")
        return {one: missing if one == NOWHERE else place for one in wanted}

    monkeypatch.setattr(outputs, "build_all", built)
    options = Options(replace(settings, cache=tmp_path), bubblewrap)
    expected = {
        Label("math.sqrt", "math"): State.THERE,
        Label("math.root", "math"): State.GONE,
        Label("os.path.join", "os"): State.THERE,
        Label("xml.etree.ElementTree.parse", "xml"): State.THERE,  # a module nobody has imported
        Label("Pattern.fullmatch", "re"): State.THERE,  # without its module
        Label("DictWriter.writeheader", "csv"): State.THERE,
        Label("hasattr", "python"): State.THERE,
        Label("dict.has_key", "python"): State.GONE,
        Label("xrange", "python"): State.GONE,
        Label("nothing_of_the_kind.at.all", "python"): State.GONE,
        Label("locale.getdefaultlocale", "locale"): State.DEPRECATED,  # whatever it is called with
        Label("abc.abstractproperty", "abc"): State.DEPRECATED,  # says its documentation
        Label("two words", "python"): State.NO_NAME,
        Label("tf.where[0]", "tensorflow"): State.NO_NAME,
        Label("", "python"): State.NO_NAME,
    }
    pairs = [(HERE, label) for label in expected]
    found = look_up([*pairs, (NOWHERE, Label("math.sqrt", "math"))], options)
    assert {label: found[HERE, label].state for label in expected} == expected
    assert found[HERE, Label("math.root", "math")].how == "module 'math' has no attribute 'root'"
    unknown = found[NOWHERE, Label("math.sqrt", "math")]
    assert (unknown.state, unknown.how) == (State.UNKNOWN, "Python 3.4 is not on this machine")
