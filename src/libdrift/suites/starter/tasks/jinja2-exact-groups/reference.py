from jinja2 import Template

LINES = Template(
    "{% for tag, members in entries|groupby('tag', case_sensitive=true) %}"
    "{{ tag }}: {{ members|map(attribute='name')|join(', ') }}"
    "{% if not loop.last %}\n{% endif %}"
    "{% endfor %}"
)


def render_groups(entries: list[dict[str, str]]) -> str:
    """Render one line per tag, with the names that have it."""
    return LINES.render(entries=entries)
