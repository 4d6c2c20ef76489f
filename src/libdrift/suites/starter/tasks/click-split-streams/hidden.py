import click
import pytest
from answer import run_split


@click.command()
@click.argument("words", nargs=-1)
@click.option("--status", default=0)
def report(words: tuple[str, ...], status: int) -> None:
    for word in words:
        click.echo(word, err=word.isupper())
    raise SystemExit(status)


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (["a", "B", "c"], (0, "a\nc\n", "B\n")),
        (["X", "Y", "--status", "3"], (3, "", "X\nY\n")),
        ([], (0, "", "")),
    ],
)
def test_streams_are_apart(args, expected):
    assert run_split(report, args) == expected


def test_usage_error_goes_to_stderr():
    code, out, err = run_split(report, ["--nonsense"])
    assert code == 2
    assert out == ""
    assert "--nonsense" in err
