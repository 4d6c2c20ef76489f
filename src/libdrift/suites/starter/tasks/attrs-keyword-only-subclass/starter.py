import attr


def make_event_class(base: type) -> type:
    """Return an attrs subclass of base with the field source and keyword-only arguments."""
    ...
