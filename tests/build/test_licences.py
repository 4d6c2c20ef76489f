"""Licences by their texts, by SPDX tags and by manifests."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from libdrift.build.choosing import (
    FEW_STARS,
    OTHER_LICENCE,
    RepositoryFilter,
    chosen,
    read_stars,
    stars_of,
)
from libdrift.build.licences import is_under, licences_of
from libdrift.build.repositories import Repository
from libdrift.errors import UserError

MIT = (
    "MIT License\n\nPermission is hereby granted, free of charge, to any person obtaining a copy\n"
)
BSD = "Redistribution and use in source and binary forms, with or without\nmodification\n"


@pytest.mark.parametrize(
    ("files", "wanted"),
    [
        ({"LICENSE": MIT}, {"MIT"}),
        ({"LICENCE.md": MIT}, {"MIT"}),
        ({"COPYING": "GNU GENERAL PUBLIC LICENSE\n   Version 3, 29 June 2007"}, {"GPL-3.0"}),
        ({"COPYING": "GNU LESSER GENERAL PUBLIC LICENSE\n Version 3"}, {"LGPL-3.0"}),
        ({"LICENSE": BSD}, {"BSD-2-Clause"}),
        ({"LICENSE": BSD + "Neither the name of the author"}, {"BSD-3-Clause"}),
        (
            {"LICENSE-MIT": MIT, "LICENSE-APACHE": "Apache License\n Version 2.0"},
            {"MIT", "Apache-2.0"},
        ),
        ({"LICENSE": "// SPDX-License-Identifier: MIT OR Apache-2.0\n"}, {"MIT", "Apache-2.0"}),
        ({"LICENSE": "/* SPDX-License-Identifier: (MIT) */\nint x;\n"}, {"MIT"}),
        ({"LICENSE": "<!-- SPDX-License-Identifier: ISC -->\n"}, {"ISC"}),
        ({"LICENSE": f"SPDX-License-Identifier:{' ' * 60_000}!\n"}, set()),
        ({"LICENSE": f"SPDX-License-Identifier: {'MIT ' * 10_000}!\n"}, set()),
        ({"pyproject.toml": '[project]\nlicense = "MPL-2.0"\n'}, {"MPL-2.0"}),
        ({"pyproject.toml": '[project]\nlicense = {text = "MIT"}\n'}, {"MIT"}),
        ({"Cargo.toml": '[package]\nlicense = "MIT OR Apache-2.0"\n'}, {"MIT", "Apache-2.0"}),
        ({"pyproject.toml": "not = [toml"}, set()),
        ({"LICENSE": "All rights reserved."}, set()),
        ({}, set()),
    ],
)
def test_licences(tmp_path: Path, files: dict[str, str], wanted: set[str]) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert licences_of(tmp_path) == wanted


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "LICENSE")
    os.mkfifo(tmp_path / "pyproject.toml")
    assert not licences_of(tmp_path)


def test_spellings_of_one_licence_are_one(tmp_path: Path) -> None:
    (tmp_path / "LICENSE").write_text("SPDX-License-Identifier: GPL-3.0-or-later\n")
    assert is_under(tmp_path, frozenset({"gpl-3.0"}))
    assert not is_under(tmp_path, frozenset({"MIT"}))


def repository(tmp_path: Path, name: str, licence: str = MIT) -> Repository:
    folder = tmp_path / name
    folder.mkdir(parents=True)
    (folder / "LICENSE").write_text(licence)
    return Repository(folder.name, folder)


def test_repositories_by_licence_and_stars(tmp_path: Path) -> None:
    (tmp_path / "stars.csv").write_text("repository,stars\nme/good,120\nme/few,3\n")
    found = [
        repository(tmp_path, "me/good"),
        repository(tmp_path, "me/few"),
        repository(tmp_path, "me/closed", "All rights reserved."),
        repository(tmp_path, "me/unknown"),
    ]
    left_out: Counter[str] = Counter()
    wanted = RepositoryFilter(frozenset({"MIT"}), tmp_path / "stars.csv", 100)
    assert [one.name for one in chosen(found, wanted, left_out)] == ["good"]
    assert left_out == {OTHER_LICENCE: 1, FEW_STARS: 2}
    assert stars_of(found[1], read_stars(tmp_path / "stars.csv")) == 3


@pytest.mark.parametrize("text", ["a,b\n1,2\n", "repository,stars\nx,many\n", "\xff\xfe"])
def test_stars_that_are_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "stars.csv").write_bytes(text.encode("latin-1"))
    with pytest.raises(UserError, match="stars"):
        read_stars(tmp_path / "stars.csv")
