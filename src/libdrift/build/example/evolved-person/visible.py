import attr


@attr.s
class _Person:
    name = attr.ib()
    age = attr.ib()


_before = _Person("Ada", 36)
assert renamed(_before, "Grace") == _Person("Grace", 36)
assert _before == _Person("Ada", 36)
