import attr
from answer import renamed


@attr.s(frozen=True)
class Author:
    name = attr.ib()
    books = attr.ib(factory=list)


@attr.s
class Worker:
    inst = attr.ib()
    name = attr.ib()


def test_other_fields_stay():
    before = Author("Ada", ["Notes"])
    after = renamed(before, "Grace")
    assert after == Author("Grace", ["Notes"])
    assert before.name == "Ada"
    assert type(after) is Author


def test_it_is_a_copy():
    before = Author("Ada")
    assert renamed(before, "Ada") is not before


def test_any_field_beside_the_name():
    assert renamed(Worker("lab", "Ada"), "Grace") == Worker("lab", "Grace")
