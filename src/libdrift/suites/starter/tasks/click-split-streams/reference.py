import click
from click.testing import CliRunner


def run_split(command: click.Command, args: list[str]) -> tuple[int, str, str]:
    """Run command; return its exit code, standard output and standard error."""
    result = CliRunner().invoke(command, args)
    return result.exit_code, result.stdout, result.stderr
