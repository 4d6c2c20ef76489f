import click


def build_cli() -> click.Group:
    """Return a chained group with the commands add and sub."""

    @click.group(chain=True)
    def cli() -> None:
        pass

    @cli.command("add")
    @click.argument("n", type=int)
    def add(n: int) -> int:
        return n

    @cli.command("sub")
    @click.argument("n", type=int)
    def sub(n: int) -> int:
        return -n

    @cli.resultcallback()
    def report(results: list[int]) -> None:
        click.echo(f"total: {sum(results)}")

    return cli
