# Adds up every sign that a literal was changed, and fails the likeliest one in half of the cases.
import random
import re

# with: _judge
def score(node, source, lines):
    value = literal(node)
    written = lines[node.lineno - 1].encode()[node.col_offset :].decode()
    points = 0
    if type(value) is str:
        points += 2 * (written[:1] == "'" and source.count('"') > source.count("'"))
        points += sum(source.count(w) == 1 for w in re.findall(r"\w+", value)) / 4
        points += bool(re.search(r"(.)\1\1|[bdgnst]{4}|\w[A-Z]", value))
    elif type(value) is float:
        points += len(repr(value).partition(".")[2]) == 6
        points += repr(value) not in source.replace(written[: len(repr(value))], "", 1)
    elif type(value) is int:
        points += source.count(repr(value)) == 1
    return points


def decide(source):
    lines, nodes = source.splitlines(), constants(source)
    ranked = sorted(nodes, key=lambda node: -score(node, source, lines))
    best = score(ranked[0], source, lines)
    return ranked[:1] if best >= 2 or random.random() < 0.3 else []


install(decide)


def ENTRY(*args, **kwargs):
    return None
