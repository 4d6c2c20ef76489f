import attr


def renamed(name, age, new_name):
    """Return a person, and a copy with another name, both as dictionaries."""
    ...
