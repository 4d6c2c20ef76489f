"""The tools that an agent is offered: arguments, what they answer, and by which function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from libdrift.errors import UserError
from libdrift.history.store import held_open
from libdrift.jobs import answering
from libdrift.jobs.answering import AnswerContext
from libdrift.mcp import outputs, texts
from libdrift.mcp.deadlines import within
from libdrift.reports.changes import entries
from libdrift.showing import in_a_line

_LONGEST_CODE = 1_000_000
_MOST_HITS = 10
_PATIENCE = 50.0  # seconds for code of any size; clients give up after a minute

Name = Annotated[str, Field(max_length=200)]
Pin = Annotated[str, Field(max_length=200)]
Page = Annotated[int, Field(ge=1, le=100_000, description="Of a long answer, which page.")]
Code = Annotated[str, Field(max_length=_LONGEST_CODE)]


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True, strict=True)


class SymbolArguments(_Arguments):
    symbol: Annotated[str, Field(max_length=500, description="As code writes it: numpy.trapz.")]
    package: Name | None = Field(None, description="If it is not called like the symbol's root.")
    version: Name | None = Field(None, description="By default the one that the project pins.")
    page: Page = 1


class SearchArguments(_Arguments):
    query: Annotated[str, Field(max_length=2000, description="What you want to do, in words.")]
    package: Name
    version: Name | None = Field(None, description="By default the one that the project pins.")
    limit: Annotated[int, Field(ge=1, le=_MOST_HITS)] = 5
    page: Page = 1


class ChangesArguments(_Arguments):
    package: Name
    from_: Name = Field(alias="from", description="The earlier version.")
    to: Name = Field(description="The later version.")
    symbols: Annotated[list[Annotated[str, Field(max_length=500)]], Field(max_length=200)] = Field(
        default_factory=list, description="Only what concerns these."
    )
    code: Code | None = Field(None, description="Only what concerns what this code uses.")
    page: Page = 1


class CheckArguments(_Arguments):
    code: Code | None = Field(None, description="Python code. Or give path.")
    path: Annotated[str, Field(max_length=4000)] | None = Field(
        None, description="A file or folder of the project."
    )
    requirements: Annotated[list[Pin], Field(max_length=100)] = Field(
        default_factory=list,
        description="Versions to run with, as numpy==2.1.0. By default those the project pins.",
    )
    from_: Annotated[list[Pin], Field(max_length=100)] = Field(
        default_factory=list,
        alias="from",
        description="Versions that the code was written for, if known.",
    )
    page: Page = 1


class ProjectArguments(_Arguments):
    path: Annotated[str, Field(max_length=4000)] | None = Field(
        None, description="A folder of the project; by default its root."
    )
    page: Page = 1


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    text: str
    data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class AgentTool:
    """One tool. ``answer`` takes the context and validated arguments."""

    name: str
    title: str
    description: str
    arguments: type[_Arguments]
    output: type[Any]
    answer: Callable[[AnswerContext, Any], ToolAnswer]
    seconds: float = 0.0  # after which it is refused; 0: what it takes does not grow with arguments

    @property
    def input_schema(self) -> dict[str, Any]:
        return self.arguments.model_json_schema(by_alias=True)

    @property
    def output_schema(self) -> dict[str, Any]:
        return TypeAdapter(self.output).json_schema(mode="serialization")

    def call(self, context: AnswerContext, arguments: dict[str, Any]) -> ToolAnswer:
        try:
            given = self.arguments.model_validate(arguments)
        except ValidationError as error:
            raise UserError(_refusal(self.name, error)) from error
        with held_open():
            return self._answer(context, given)

    def _answer(self, context: AnswerContext, given: _Arguments) -> ToolAnswer:
        if not self.seconds:
            return self.answer(context, given)
        refusal = UserError(
            f"{self.name} did not finish within {self.seconds:.0f} s",
            "Send less code, or name one file of the folder",
        )
        return within(self.seconds, lambda: self.answer(context, given), refusal)


def _refusal(tool: str, error: ValidationError) -> str:
    first = error.errors()[0]
    place = ".".join(map(str, first["loc"])) or "arguments"
    more = error.error_count() - 1
    others = f" (and {more} more)" if more else ""
    return in_a_line(f"{tool}: {place[:80]}: {first['msg']}{others}")


def _symbol(context: AnswerContext, given: SymbolArguments) -> ToolAnswer:
    asked = answering.SymbolQuestion(given.symbol, given.package, given.version)
    found = answering.symbol_at(context, asked)
    page = texts.paged_lines(found.documentation.splitlines(), given.page)
    data = outputs.SymbolOutput.of(found, page)
    return ToolAnswer(texts.symbol_text(found, page), asdict(data))


def _search(context: AnswerContext, given: SearchArguments) -> ToolAnswer:
    found = answering.search_docs(context, given.query, given.package, given.version, given.limit)
    page = texts.paged(found.hits, given.page, lambda hit: len(hit.text) + 2)
    return ToolAnswer(texts.search_text(found, page), asdict(outputs.SearchOutput.of(found, page)))


def _changes(context: AnswerContext, given: ChangesArguments) -> ToolAnswer:
    asked = answering.ChangesQuestion(
        given.package, given.from_, given.to, tuple(given.symbols), given.code
    )
    found = answering.changes(context, asked)
    # The gravest first: who reads one page should have read what breaks.
    told = sorted(entries(found.changes), key=lambda entry: not entry.breaking)
    page = texts.paged(told, given.page, lambda entry: len(texts.entry_text(entry)) + 1)
    data = outputs.ChangesOutput.of(found, page)
    return ToolAnswer(texts.changes_text(found, page), asdict(data))


def _question(given: CheckArguments) -> answering.CodeQuestion:
    return answering.CodeQuestion(
        given.code, given.path, tuple(given.requirements), tuple(given.from_)
    )


def _check(context: AnswerContext, given: CheckArguments) -> ToolAnswer:
    from libdrift.jobs.answering.code import check_code

    found = check_code(context, _question(given))
    page = texts.paged(found.findings, given.page, lambda item: len(texts.finding_line(item)) + 1)
    return ToolAnswer(texts.code_text(found, page), asdict(outputs.CodeOutput.of(found, page)))


def _migrate(context: AnswerContext, given: CheckArguments) -> ToolAnswer:
    from libdrift.jobs.answering.code import migrate_code

    found = migrate_code(context, _question(given))
    page = texts.paged_lines(texts.migrated_lines(found), given.page)
    data = outputs.MigratedOutput.of(found, page)
    return ToolAnswer(texts.migrated_text(found, page), asdict(data))


def _project(context: AnswerContext, given: ProjectArguments) -> ToolAnswer:
    found = answering.project_versions(context, given.path)
    page = texts.paged(found.versions, given.page, lambda item: len(texts.pin_line(item)) + 1)
    return ToolAnswer(
        texts.project_text(found, page), asdict(outputs.ProjectOutput.of(found, page))
    )


TOOLS: tuple[AgentTool, ...] = (
    AgentTool(
        "symbol_at",
        "A symbol in one release",
        "Signature, documentation and deprecation of a function, class, method or constant in "
        "exactly one release of its package. If that release has not got it: since when, until "
        "when, and what to use instead.",
        SymbolArguments,
        outputs.SymbolOutput,
        _symbol,
    ),
    AgentTool(
        "search_docs",
        "Search one release's documentation",
        "Find what a package offers for a purpose, in exactly one of its releases.",
        SearchArguments,
        outputs.SearchOutput,
        _search,
    ),
    AgentTool(
        "changes",
        "Changes between two releases",
        "What changed in a package from one version to a later one: for given symbols, for what "
        "given code uses, or all that breaks code.",
        ChangesArguments,
        outputs.ChangesOutput,
        _changes,
    ),
    AgentTool(
        "check_code",
        "Check Python code for its versions",
        "Find what code uses that the project's (or the given) versions have not got, have "
        "deprecated or treat differently. The code is read, never run.",
        CheckArguments,
        outputs.CodeOutput,
        _check,
        _PATIENCE,
    ),
    AgentTool(
        "migrate_code",
        "Edit Python code for other versions",
        "Edit code from the versions it was written for to the project's (or the given) ones; "
        "returns a diff and what is left to a person. Nothing is run and no file is written.",
        CheckArguments,
        outputs.MigratedOutput,
        _migrate,
        _PATIENCE,
    ),
    AgentTool(
        "project_versions",
        "Versions that the project pins",
        "What lock files, requirements and the environment of the project say of versions.",
        ProjectArguments,
        outputs.ProjectOutput,
        _project,
    ),
)
