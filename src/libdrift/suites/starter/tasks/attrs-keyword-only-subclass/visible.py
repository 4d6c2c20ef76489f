import inspect


@attr.define
class _Stamp:
    when: int


_Event = make_event_class(_Stamp)
assert _Event(when=3, source="test").when == 3
assert {p.kind.name for p in inspect.signature(_Event).parameters.values()} == {"KEYWORD_ONLY"}
