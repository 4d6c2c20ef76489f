from importlib.metadata import version

import flask


def make_app(service: str) -> flask.Flask:
    """Return an application that describes itself at /about."""
    app = flask.Flask(__name__)

    @app.get("/about")
    def about() -> dict[str, str]:
        return {"service": service, "flask": version("flask")}

    return app
