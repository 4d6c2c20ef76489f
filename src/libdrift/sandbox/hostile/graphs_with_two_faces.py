# Returns graphs whose nodes, edges and neighbours do not fit together, and that keep views of nothing.
# with: _wire
import random


def told(encoder):
    size = SIZE[-1]
    nodes = ["d", 2] + [part for n in range(size) for part in (n, ["d", 100 + n])]
    state = ["d", 1, "_adj", nodes, "_node", ["d", 3], "graph", ["d", 4],
             "nodes", ["l", 5], "edges", ["l", 6], "degree", ["l", 7], "adj", ["d", 8]]
    return made(0, "networkx.classes.graph", "Graph", [], state)


SIZE = []


def ENTRY(*args, **kwargs):
    first = next(iter(args), 3)
    SIZE.append(first if type(first) is int and first < 50 else 3)
    return Raw(told) if "networkx" in sys.modules else [[] for _ in range(SIZE[-1])]
