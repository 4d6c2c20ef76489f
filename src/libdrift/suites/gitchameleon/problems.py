"""A problem as it is published: every field, checked once, here."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

# The data writes "nothing" as an empty text, a dash, or not at all.
_NOTHING = (None, "", "-")


def _text(value: object) -> object:
    return "" if value in _NOTHING else value


def _month(value: object) -> object:
    """``2021-06`` is the first of that month."""
    if value in _NOTHING:
        return None
    months = 2
    if isinstance(value, str) and len(value.split("-")) == months:
        return f"{value}-01"
    return value


def _id(value: object) -> object:
    return str(value) if type(value) is int else value


_Text = Annotated[str, BeforeValidator(_text)]


class Problem(BaseModel):
    # A field that a later release adds is no reason to refuse it: `Task.source` keeps it.
    model_config = ConfigDict(extra="ignore", frozen=True)

    example_id: Annotated[str, BeforeValidator(_id), Field(min_length=1)]
    python_version: Annotated[str, Field(pattern=r"^\d+\.\d+$")]
    library: Annotated[str, Field(min_length=1)]
    version: Annotated[str, Field(min_length=1)]
    problem: str
    starting_code: str
    solution: str = ""  # the part to fill in
    test: str = ""  # the visible test
    additional_dependencies: _Text = ""
    extra_dependencies: _Text = ""  # the published environments go without it
    type_of_change: str = ""
    name_of_class_or_func: _Text = ""
    functional: bool = False
    webdev: bool = False
    solution_api_call: bool = False
    api_calls: tuple[str, ...] = ()
    release_date: Annotated[date | None, BeforeValidator(_month)] = None
    docs: tuple[str, ...] = ()

    @property
    def tags(self) -> tuple[str, ...]:
        return tuple(name for name in ("functional", "webdev") if getattr(self, name))

    @property
    def title(self) -> str:
        """Library and version, and the name at stake or the problem's first words."""
        words = self.problem.split()
        first = " ".join(words[:8]) + (" …" if len(words) > len(words[:8]) else "")
        return f"{self.library} {self.version} · {self.name_of_class_or_func or first}"

    @property
    def order(self) -> tuple[int, int, str]:
        """Ids are numbers in practice: 2 stands before 10."""
        number = int(self.example_id) if self.example_id.isdecimal() else 0
        return (not self.example_id.isdecimal(), number, self.example_id)


def flaws(errors: list[Any]) -> str:
    """What pydantic found, in one line."""
    return "; ".join(f"{'.'.join(map(str, e['loc'])) or 'record'}: {e['msg']}" for e in errors)
