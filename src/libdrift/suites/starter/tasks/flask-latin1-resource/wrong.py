from flask import Flask


def resource_lines(app: Flask, name: str) -> list[str]:
    """Return the lines of a Latin-1 resource file of the application."""
    with app.open_resource(name, "r", encoding="latin-1") as file:
        return file.read().splitlines()
