"""What a thing of the answer's says of itself is the same until somebody does something with it.

Or it might be more than a test asks for at one time, and less at the next. So it is with a function
that is called twice with the same arguments; but its numbers may differ a little, as those of chance.
"""

import marshal

STILL = ("get", "str", "repr", "float", "int", "bool", "hash", "len", "getitem", "contains")
ASKING = STILL + ("names", "compare")
PLAIN = (int, float, str, bytes, bool, type(None))
FAR = 0.5  # of the larger of two numbers: by so much none of chance differ
SECONDS = 0.05  # by which a part that is a time may have grown


class Steadiness(object):
    """What things have said since anybody did anything."""

    def __init__(self, learned):
        self._learned = learned
        self._said = {}
        self._returned = {}

    def holds(self, sort, request, place, value):
        """Whether a thing says what it said before; or the reference's does not, either.

        ``place`` is what was asked: the operation, the thing's number, and the arguments.
        """
        operation, _, arguments = place
        if (sort, operation) == ("function", "call"):
            self._said.clear()
            return self._is_near(sort, request, place, value)
        if operation not in ASKING:
            self._said.clear()
            self._returned.clear()
        if operation not in STILL or type(value) not in PLAIN:
            return True
        if not all(type(item) in PLAIN for item in arguments):
            return True
        said = self._said.setdefault(place, value)
        if type(said) is type(value) is float and 0 <= said <= value <= said + SECONDS:
            return True
        return repr(said) == repr(value) or self._may_differ(sort, request)

    def _is_near(self, sort, request, place, value):
        if type(value) not in (int, float):
            return True
        try:
            place = marshal.dumps(place, 2)  # by value, however often a part occurs
        except ValueError:
            return True  # of arguments that are not plain nobody knows whether they are the same
        before = self._returned.setdefault(place, value)
        if before == value or (before != before and value != value):
            return True
        most = max(abs(before), abs(value))
        near = most < float("inf") and abs(before - value) <= FAR * most
        return near or self._may_differ(sort, request)

    def _may_differ(self, sort, request):
        if self._learned.learning:
            self._learned.unsteady.add((sort, request))
        return (sort, request) in self._learned.unsteady
