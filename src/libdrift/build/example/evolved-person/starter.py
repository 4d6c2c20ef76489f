import attr


def renamed(person, name):
    """Return a copy of person with another name."""
    ...
