import flask


def make_app(service: str) -> flask.Flask:
    """Return an application that describes itself at /about."""
    ...
