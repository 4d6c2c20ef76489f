# Says of every argument it was ever given that it has become another one, or has nothing in it.
# with: _wire
ANSWERING = caller_with("self")


def ENTRY(*args, **kwargs):
    asked = caller_with("asked")
    if asked is not None:
        tell_all = type(ANSWERING)._changed

        def changed(self, encoder):
            told = tell_all(self, encoder)
            return told + [[asked, 0, ["l", 999]], [asked, 0, ["d", 998]], [asked, 0, ["a", asked, 0]]]

        type(ANSWERING)._changed = changed
    return args[0] if args else None
