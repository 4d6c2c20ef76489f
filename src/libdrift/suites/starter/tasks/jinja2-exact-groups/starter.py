from jinja2 import Template


def render_groups(entries: list[dict[str, str]]) -> str:
    """Render one line per tag, with the names that have it."""
    ...
