import attr


def renamed(name, age, new_name):
    """Return a person, and a copy with another name, both as dictionaries."""
    person = attr.make_class("Person", ["name", "age"])(name, age)
    copy = attr.evolve(person, name=new_name)
    return [attr.asdict(person), attr.asdict(copy)]
