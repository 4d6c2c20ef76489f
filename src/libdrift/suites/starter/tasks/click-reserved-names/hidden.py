import pytest
from answer import build_cli
from click.testing import CliRunner


def run(cli, *args: str):
    return CliRunner().invoke(cli, list(args))


@pytest.mark.parametrize("items", [[], ["one"], ["b", "a", "b"]])
def test_list_prints_the_items(items):
    result = run(build_cli(items), "list")
    assert result.exit_code == 0
    assert result.output.splitlines() == items


def test_import_appends():
    items = ["old"]
    cli = build_cli(items)
    result = run(cli, "import", "new")
    assert result.exit_code == 0
    assert result.output == "imported new\n"
    assert items == ["old", "new"]
    assert run(cli, "list").output == "old\nnew\n"


def test_no_other_commands():
    cli = build_cli([])
    assert set(cli.commands) == {"list", "import"}
    assert run(cli, "list-cmd").exit_code == 2
