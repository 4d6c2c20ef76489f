# Takes for changed what contradicts another assertion about the same call.
# with: _judge
def decide(source):
    tree, expected = ast.parse(source), {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and isinstance(node.left, ast.Call):
            expected.setdefault(ast.dump(node.left), []).extend(node.comparators)
        elif isinstance(node, ast.Call) and len(node.args) > 1:
            if isinstance(node.args[0], ast.Call):
                expected.setdefault(ast.dump(node.args[0]), []).append(node.args[1])
    odd = []
    for nodes in expected.values():
        texts = [ast.dump(node) for node in nodes]
        if len(set(texts)) > 1:
            odd += [node for node, text in zip(nodes, texts) if texts.count(text) == 1][:1]
    return [inner for node in odd for inner in expressions(node)]


install(decide)


def ENTRY(*args, **kwargs):
    return None
