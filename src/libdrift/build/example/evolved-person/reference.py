import attr


def renamed(person, name):
    """Return a copy of person with another name."""
    return attr.evolve(person, name=name)
