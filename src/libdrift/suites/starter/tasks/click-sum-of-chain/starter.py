import click


def build_cli() -> click.Group:
    """Return a chained group with the commands add and sub."""
    ...
