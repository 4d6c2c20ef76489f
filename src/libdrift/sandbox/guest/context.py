"""What a call depends on beside its arguments: filters of warnings, and random numbers."""

import sys
import warnings

WARNINGS_LIMIT = 1000


class Context(object):
    """The state of the tests' process that a call depends on: warnings' filters, random numbers."""

    def __init__(self, answering, context, decoder):
        self._warned = answering._warned
        self._context = context
        self._decoder = decoder

    def __enter__(self):
        self._show = warnings._showwarnmsg_impl
        warnings._showwarnmsg_impl = self._note
        self._filters = list(warnings.filters)
        added = self._decoder.make(self._context.get("filters"))
        if added:
            warnings.filters[:0] = added
            warnings._filters_mutated()
        self._quiet = not added
        self._set_random(self._decoder.make(self._context.get("random")) or {})

    def __exit__(self, *error):
        warnings._showwarnmsg_impl = self._show
        if not self._quiet:
            warnings.filters[:] = self._filters
            warnings._filters_mutated()
        return False

    def _note(self, message):
        if len(self._warned) < WARNINGS_LIMIT:
            self._warned.append(message)

    @staticmethod
    def _set_random(states):
        if "random" in states and "random" in sys.modules:
            sys.modules["random"].setstate(states["random"])
        if "numpy" in states and "numpy.random" in sys.modules:
            sys.modules["numpy.random"].set_state(states["numpy"])
        if "torch" in states and "torch" in sys.modules:
            sys.modules["torch"].random.set_rng_state(states["torch"])


def random_states():
    """Of each generator its state, and something to compare it by."""
    states = {}
    if "random" in sys.modules:
        state = sys.modules["random"].getstate()
        states["random"] = (state, state)
    numpy = sys.modules.get("numpy.random")
    if numpy is not None and hasattr(numpy, "get_state"):
        state = numpy.get_state()
        states["numpy"] = (state, (state[1].tobytes(),) + tuple(state[2:]))
    torch = sys.modules.get("torch")
    if torch is not None and hasattr(torch, "get_rng_state"):
        state = torch.get_rng_state()
        states["torch"] = (state, state.numpy().tobytes())
    return states


class Depends(object):
    """What a call depends on, as it is told with the call: what differs from the last one."""

    def __init__(self):
        self._own_filters = list(warnings.filters)
        self._random = random_states()

    def told(self, encoder):
        context = {}
        added = [item for item in warnings.filters if item not in self._own_filters]
        if added:
            context["filters"] = encoder.tell(added)
        states = random_states()
        changed = {n: s[0] for n, s in states.items() if self._random.get(n, (0, 0))[1] != s[1]}
        if changed:
            context["random"] = encoder.tell(changed)
            self._random = states
        return context
