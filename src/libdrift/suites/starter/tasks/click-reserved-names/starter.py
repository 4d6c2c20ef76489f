import click


def build_cli(items: list[str]) -> click.Group:
    """Return a group with the commands list and import."""
    ...
