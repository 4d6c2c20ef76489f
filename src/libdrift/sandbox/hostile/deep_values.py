# Returns containers nested deeper than any stack, to break off whoever walks or compares them.
def ENTRY(*args, **kwargs):
    value = 3
    for depth in range(200000):
        value = [value] if depth % 2 else {"a": value}
    return value
