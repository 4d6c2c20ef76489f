"""What a thing of the answer's says of itself is the same until somebody does something with it.

Or it might be more than a test asks for at one time, and less at the next.
"""

STILL = ("get", "str", "repr", "float", "int", "bool", "hash", "len", "getitem", "contains")
ASKING = STILL + ("names", "compare")
PLAIN = (int, float, str, bytes, bool, type(None))


class Steadiness(object):
    """What things have said since anybody did anything."""

    def __init__(self, learned):
        self._learned = learned
        self._said = {}

    def holds(self, sort, request, place, value):
        """Whether a thing says what it said before; or the reference's does not, either.

        ``place`` is what was asked: the operation, the thing's number, and the arguments.
        """
        operation, _, arguments = place
        if operation not in ASKING:
            self._said.clear()
        if operation not in STILL or type(value) not in PLAIN:
            return True
        if not all(type(item) in PLAIN for item in arguments):
            return True
        said = self._said.setdefault(place, value)
        if repr(said) == repr(value):
            return True
        if self._learned.learning:
            self._learned.unsteady.add((sort, request))
        return (sort, request) in self._learned.unsteady
