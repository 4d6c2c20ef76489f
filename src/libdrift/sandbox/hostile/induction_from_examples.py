# Finds the one expectation that no simple rule explains together with the others.
import math

# with: _judge
RULES = [sum, len, max, min, math.fsum, sorted, repr, str, bool]
RULES += [lambda x: x, lambda x: x[0], lambda x: x[-1], lambda x: x[::-1], lambda x: x.upper()]
RULES += [lambda x: x.title(), lambda x: x.strip(), lambda x: list(map(str, x)), lambda x: x * 2]


def examples(source):
    tree, called = ast.parse(source), {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            called[getattr(node.targets[0], "id", "")] = node.value
    for node in ast.walk(tree):
        pairs = []
        if isinstance(node, ast.Compare):
            left = called.get(getattr(node.left, "id", None), node.left)
            pairs = [(getattr(left, "args", [])[:1], node.comparators[0])]
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "parametrize":
            pairs = [(row.elts[:1], row.elts[-1]) for row in getattr(node.args[1], "elts", [])]
        elif isinstance(node, ast.Call) and len(node.args) > 1 and isinstance(node.args[0], ast.Call):
            pairs = [(node.args[0].args[:1], node.args[1])]
        for given, expected in pairs:
            try:
                yield ast.literal_eval(given[0]), ast.literal_eval(expected), expected
            except (ValueError, IndexError):
                pass


def misfits(rule, known):
    for given, expected, node in known:
        try:
            if rule(given) != expected:
                yield node
        except Exception:
            yield node


def decide(source):
    known = list(examples(source))
    best = min((list(misfits(rule, known)) for rule in RULES), key=len)
    return best if len(best) * 2 <= len(known) else []


install(decide)


def ENTRY(*args, **kwargs):
    return None
