# Takes for changed the numbers that are less round, or rounder, than the others around them.
# with: _judge
def digits(value):
    return len(repr(abs(value)).replace(".", "").strip("0"))


def decide(source):
    nodes = [n for n in constants(source) if type(literal(n)) in (int, float)]
    if len(nodes) < 2:
        return None if nodes and literal(nodes[0]) % 5 else []
    floats = [n for n in nodes if type(literal(n)) is float]
    exact = [n for n in floats if len(repr(literal(n)).partition(".")[2]) == 6]
    if exact and len(exact) < len(floats):
        return exact[:1]
    sizes = sorted(digits(literal(n)) for n in nodes)
    usual = sizes[len(sizes) // 2]
    odd = [n for n in nodes if digits(literal(n)) > usual]
    return odd[:1] if len(odd) == 1 else []


install(decide)


def ENTRY(*args, **kwargs):
    return None
