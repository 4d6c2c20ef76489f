import pytest
from answer import build_cli
from click.testing import CliRunner


@pytest.mark.parametrize(
    ("line", "total"),
    [("add 4", 4), ("sub 9", -9), ("add 1 add 2 add 3 sub 10", -4), ("sub 0 add 100", 100)],
)
def test_total_is_printed_once(line, total):
    result = CliRunner().invoke(build_cli(), line.split())
    assert result.exit_code == 0
    assert result.output == f"total: {total}\n"


def test_group_can_be_used_again():
    cli = build_cli()
    runner = CliRunner()
    assert runner.invoke(cli, ["add", "2"]).output == "total: 2\n"
    assert runner.invoke(cli, ["sub", "2"]).output == "total: -2\n"


def test_bad_number_is_a_usage_error():
    result = CliRunner().invoke(build_cli(), ["add", "many"])
    assert result.exit_code == 2
    assert "total" not in result.output
