from flask import Flask, request


def make_app() -> Flask:
    """Return an application that greets at /hello."""
    ...
