# Takes for changed what a formatter would not have left: long lines, tables out of line, odd digits.
# with: _judge
def decide(source):
    lines, odd = source.splitlines(), []
    usual = max((len(line) for line in lines if len(line) <= 100), default=0)
    for node in constants(source):
        line, value = lines[node.lineno - 1], literal(node)
        written = line.encode()[node.col_offset :].decode()
        if len(line) > max(100, usual):
            odd.append(node)
        elif type(value) is float and repr(value) != written[: len(repr(value))]:
            continue
        elif type(value) is str and value != value.strip() and "\n" not in value:
            odd.append(node)
    return odd[:1]


install(decide)


def ENTRY(*args, **kwargs):
    return None
