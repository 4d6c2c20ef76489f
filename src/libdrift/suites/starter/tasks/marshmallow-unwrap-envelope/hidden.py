import unittest

from answer import make_player_schema
from marshmallow import Schema, ValidationError


class Players(unittest.TestCase):
    def setUp(self):
        self.schema = make_player_schema()

    def test_it_is_a_schema(self):
        self.assertIsInstance(self.schema, Schema)
        self.assertEqual(set(self.schema.fields), {"name", "score"})

    def test_one_player(self):
        loaded = self.schema.load({"player": {"name": "Bob", "score": "12"}})
        self.assertEqual(loaded, {"name": "Bob", "score": 12})

    def test_several_players(self):
        rows = [{"name": name, "score": len(name)} for name in ("Cy", "Dora", "Emil")]
        self.assertEqual(self.schema.load({"players": rows}, many=True), rows)
        self.assertEqual(self.schema.load({"players": []}, many=True), [])

    def test_fields_are_checked(self):
        with self.assertRaises(ValidationError) as caught:
            self.schema.load({"players": [{"name": "F", "score": 1}, {"name": "G"}]}, many=True)
        self.assertEqual(set(caught.exception.messages), {1})
