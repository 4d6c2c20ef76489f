from flask import Flask, escape, request


def make_app() -> Flask:
    """Return an application that greets at /hello."""
    app = Flask(__name__)

    @app.get("/hello")
    def hello() -> str:
        return f"<p>Hello, {escape(request.args.get('name', 'stranger'))}!</p>"

    return app
