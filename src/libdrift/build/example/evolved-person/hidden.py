# Tests give and get plain data (numbers, texts, lists, dictionaries): so the answer can run in
# another process than they, where it cannot reach them.
from answer import renamed


def test_a_copy_has_the_other_name():
    before, after = renamed("Ada", 36, "Grace")
    assert before == {"name": "Ada", "age": 36}
    assert after == {"name": "Grace", "age": 36}


def test_fields_are_kept_as_they_are():
    before, after = renamed("", [1, 2], "x")
    assert before == {"name": "", "age": [1, 2]}
    assert after == {"name": "x", "age": [1, 2]}
