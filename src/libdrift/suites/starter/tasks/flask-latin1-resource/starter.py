from flask import Flask


def resource_lines(app: Flask, name: str) -> list[str]:
    """Return the lines of a Latin-1 resource file of the application."""
    ...
