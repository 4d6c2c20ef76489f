from __future__ import annotations

from pathlib import Path

import pytest

from libdrift.environments.wordnet import install
from libdrift.errors import InfrastructureError


def test_wordnet_is_laid_out_as_nltk_reads_it(tmp_path: Path) -> None:
    source = tmp_path / "debian"
    source.mkdir()
    for name in ("data.noun", "index.noun", "noun.exc", "cntlist.rev", "unrelated"):
        (source / name).write_text(name)
    folder = install(tmp_path / "nltk_data", source)
    assert folder == tmp_path / "nltk_data/corpora/wordnet"
    assert (folder.parent / "omw-1.4").is_dir()
    found = {path.name for path in folder.iterdir()}
    assert found == {"data.noun", "index.noun", "noun.exc", "cntlist.rev", "lexnames"}
    lines = [line.split("\t") for line in (folder / "lexnames").read_text().splitlines()]
    # Data files refer to these by number: WordNet has 45, in this order.
    assert [line[0] for line in lines] == [f"{number:02}" for number in range(45)]
    names = {int(number): (name, part) for number, name, part in lines}
    assert names[5] == ("noun.animal", "1")
    assert names[29] == ("verb.body", "2")
    assert names[44] == ("adj.ppl", "3")


def test_without_the_package_the_line_to_install_it_is_named(tmp_path: Path) -> None:
    with pytest.raises(InfrastructureError, match="apt-get install wordnet-base"):
        install(tmp_path / "nltk_data", tmp_path / "nowhere")
    assert not (tmp_path / "nltk_data").exists()
