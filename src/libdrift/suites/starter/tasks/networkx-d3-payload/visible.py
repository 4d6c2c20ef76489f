_payload = d3_payload(nx.Graph([("a", "b")]))
assert _payload["links"] == [{"source": "a", "target": "b"}]
assert _payload["nodes"] == [{"id": "a"}, {"id": "b"}]
