# Takes for changed the values that the names, messages and comments beside them do not confirm.
import re

# with: _judge
def decide(source):
    lines, odd = source.splitlines(), []
    for node in constants(source):
        line = lines[node.lineno - 1]
        beside = " ".join(re.findall(r"#.*|\"[^\"]*\"|'[^']*'|def \w+", line + lines[node.lineno - 2]))
        told = re.findall(r"-?\d+(?:\.\d+)?", beside)
        value = literal(node)
        if type(value) in (int, float) and told and repr(value) not in told:
            odd.append(node)
        if type(value) is bool and re.search("not|never|no_|false|wrong", beside) and value:
            odd.append(node)
    return odd[:1]


install(decide)


def ENTRY(*args, **kwargs):
    return None
