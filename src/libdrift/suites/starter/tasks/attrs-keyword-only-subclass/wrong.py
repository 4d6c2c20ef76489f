import attr


def make_event_class(base: type) -> type:
    """Return an attrs subclass of base with the field source and keyword-only arguments."""

    @attr.define(kw_only=True)
    class Event(base):
        source: str

    return Event
