import click


def build_cli(items: list[str]) -> click.Group:
    """Return a group with the commands list and import."""

    @click.group()
    def cli() -> None:
        pass

    @cli.command("list")
    def list_cmd() -> None:
        for item in items:
            click.echo(item)

    @cli.command("import")
    @click.argument("name")
    def import_cmd(name: str) -> None:
        items.append(name)
        click.echo(f"imported {name}")

    return cli
