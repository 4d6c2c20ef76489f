"""The two kinds of record as published: a task, and what is known of its API.

They have no id in common: the n-th task belongs to the n-th API.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

_Text = Annotated[str, msgspec.Meta(min_length=1)]


class PublishedTask(msgspec.Struct, frozen=True, kw_only=True):
    """A task. A field that is not named here is of no use to one."""

    task_idx: int | str
    query: str
    function_signature: str = ""
    code: str = ""  # the reference
    test_program: str = ""


class Api(msgspec.Struct, frozen=True, kw_only=True):
    """An API, and how ``to_version`` changed it. Without a crate it is the standard library's."""

    name: _Text
    from_version: _Text
    to_version: _Text
    module: str = ""
    type: str = ""  # method, function, constant, struct, enum, trait
    signature: str = ""
    change_type: str = ""  # stabilized, signature, implicit, deprecated
    crate: str | None = None
    documentation: str | None = None
    changenote: str | None = None
    old_signature: str | None = None
    source_code: str | None = None
    old_source_code: str | None = None
    examples: str | list[str] | None = None

    @property
    def library(self) -> str:
        return self.crate or "std"
