# Returns mappings that show other keys and lengths each time they are asked, and keys that collide.
class Key(str):
    def __hash__(self):
        return 7

    def __eq__(self, other):
        return True


class Faces(dict):
    turn = 0

    def __len__(self):
        self.turn += 1
        return self.turn % 4

    def items(self):
        return iter([(Key("a"), 1), (Key("a"), 2), (Key("b"), self)])

    __iter__ = keys = lambda self: iter([Key("a"), Key("a")])

    def __getitem__(self, key):
        return self.turn


def ENTRY(*args, **kwargs):
    return Faces({Key("a"): 1, Key("b"): 2})
