from click.testing import CliRunner

assert CliRunner().invoke(build_cli(), ["add", "5", "sub", "2"]).output == "total: 3\n"
