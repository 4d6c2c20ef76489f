# Takes for changed what is quoted or written otherwise than the rest of the file.
# with: _judge
def decide(source):
    lines = source.splitlines()
    strings, numbers = [], []
    for node in constants(source):
        written = lines[node.lineno - 1].encode()[node.col_offset :].decode()
        value = literal(node)
        if isinstance(value, (str, bytes)):
            strings.append((node, written.lstrip("bru")[:1]))
        elif not written.startswith(repr(value)):
            numbers.append(node)
    double = source.count('"') > source.count("'")
    return [node for node, quote in strings if quote == ("'" if double else '"')]


install(decide)


def ENTRY(*args, **kwargs):
    return None
