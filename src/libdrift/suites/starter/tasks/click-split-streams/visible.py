@click.command()
def _both() -> None:
    click.echo("out")
    click.echo("err", err=True)


assert run_split(_both, []) == (0, "out\n", "err\n")
