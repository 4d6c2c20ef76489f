# Takes for changed the words that neither the tests nor the library's own texts know.
import collections
import re
import sys

# with: _judge
WORD = re.compile(r"[a-z]{2,}")


def vocabulary():
    known = collections.Counter()
    import pydoc_data.topics

    for text in pydoc_data.topics.topics.values():
        known.update(WORD.findall(text.lower()))
    for module in list(sys.modules.values()):
        for value in list(getattr(module, "__dict__", {}).values()):
            text = getattr(value, "__doc__", None)
            if isinstance(text, str):
                known.update(WORD.findall(text.lower()))
    return known


def stray(value, source, node):
    """A letter that stands alone or sticks to a sign, or parts a word that the line has whole."""
    if re.search(r"[,.;:!?](?=[a-z])|(?<![\w'])[bdegnorst](?!\w)", value):
        return True
    line = source.splitlines()[node.lineno - 1].replace(value, "", 1)
    for k in range(len(value)):
        shorter = value[:k] + value[k + 1 :]
        for given in re.findall(r"[\"'](\w{2,})[\"']", line):
            if given in shorter and given not in value:
                return True
    return False


def decide(source):
    known, here = vocabulary(), collections.Counter(WORD.findall(source.lower()))
    odd = []
    for node in constants(source):
        value = literal(node)
        if isinstance(value, str):
            words = WORD.findall(value.lower())
            strange = [w for w in words if not known[w] and here[w] == 1]
            near = [w for w in strange for k in range(len(w)) if known[w[:k] + w[k + 1 :]]]
            near += [w for w in strange for k in range(len(w)) if here[w[:k] + w[k + 1 :]]]
            if near or stray(value, source, node):
                odd.append(node)
    return odd[:1]


install(decide)


def ENTRY(*args, **kwargs):
    return None
