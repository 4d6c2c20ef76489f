from jinja2 import Environment


def make_env() -> Environment:
    """Return an environment with the filter money."""
    ...
