_one = {"name": "Ann", "score": 3}
assert make_player_schema().load({"player": _one}) == _one
assert make_player_schema().load({"players": [_one]}, many=True) == [_one]
