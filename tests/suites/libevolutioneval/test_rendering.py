from __future__ import annotations

from dataclasses import replace

import pytest

from libdrift.errors import UserError
from libdrift.suites.benchmarks import Asking
from libdrift.suites.libevolutioneval.contexts import PromptContext, heading
from libdrift.suites.libevolutioneval.documents import PublishedDocument
from libdrift.suites.libevolutioneval.rendering import ask, render
from libdrift.suites.libevolutioneval.styles import Style
from tests.suites.libevolutioneval.small import BEFORE, BEHIND, REAL, SYNTHETIC, task

NEAR = "\n\n\nprint(flat(1))"
DOCUMENTS = [
    PublishedDocument("attrs.astuple", "attrs.astuple(inst)", "A tuple.\nMore.", ("inst",)),
    PublishedDocument("attrs.asdict", "attrs.asdict(inst)", "", (), "asdict(x)\nasdict(y)"),
]


def test_contexts() -> None:
    facts = task(REAL).facts
    assert heading(facts, PromptContext.IN_FILE, DOCUMENTS) == ""
    assert (
        heading(facts, PromptContext.VERSION, DOCUMENTS) == "# This code runs with attrs 21.3.0.\n"
    )
    assert heading(facts, PromptContext.DOCUMENTS) == heading(facts, PromptContext.VERSION)
    assert heading(facts, PromptContext.DOCUMENTS, DOCUMENTS) == (
        "# This code runs with attrs 21.3.0.\n"
        "# From the documentation of attrs 21.3.0:\n"
        "#\n"
        "# attrs.astuple(inst)\n"
        "# A tuple.\n"
        "# Parameters: inst\n"
        "#\n"
        "# attrs.asdict(inst)\n"
        "# Example:\n"
        "#     asdict(x)\n"
        "#     asdict(y)\n"
        "#\n"
    )


def test_left_context() -> None:
    prompt = render(task(REAL), style=Style.LEFT, context=PromptContext.IN_FILE)
    assert prompt.text == BEFORE + "attrs", "the root is shown"
    assert (prompt.system, prompt.user, prompt.stop) == ("", "", ())
    controlled = render(task(SYNTHETIC), style=Style.LEFT, context=PromptContext.IN_FILE)
    assert controlled.text == SYNTHETIC["prompt"], "it has the root already"


def test_fill_in_the_middle() -> None:
    prompt = render(
        task(REAL), style=Style.FILL, context=PromptContext.VERSION, family="starcoder2"
    )
    head = "# This code runs with attrs 21.3.0.\n"
    assert prompt.text == f"<fim_prefix>{head}{BEFORE}attrs<fim_suffix>{NEAR}<fim_middle>"
    assert "<|endoftext|>" in prompt.stop
    with pytest.raises(UserError, match="no family of models is given"):
        render(task(REAL), style=Style.FILL, context=PromptContext.IN_FILE)


def test_an_instruction_with_one_example() -> None:
    prompt = render(
        task(REAL), style=Style.INSTRUCTION, context=PromptContext.DOCUMENTS, documents=DOCUMENTS
    )
    assert "<fill>" in prompt.system
    assert prompt.user.count("Answer:") == 2
    assert "# attrs.astuple(inst)\n" in prompt.user
    assert prompt.user.endswith(f"{BEFORE}attrs<fill>{NEAR}\nAnswer:\n")
    assert prompt.text == ""


@pytest.mark.parametrize(
    ("library", "hint", "token", "shown"),
    [
        ("torch", "torch", "nn", "attrs"),
        ("attrs", "attrs", "astuple", "networkx"),
        ("attrs", "attr", "evolve", "networkx"),
        ("Attrs", "", "evolve", "networkx"),
        ("shapely", "shapely", "Point", "networkx"),
        ("shapely", "shapely", "Points", "attrs"),
        ("geometry", "attr", "add_edges_from", "attrs"),
        ("networkx", "nx", "astuple", "yaml"),
        ("graphs", "graphs", "define", "networkx"),
        ("attrs", "attrs", "shortest_path", "yaml"),
    ],
)
def test_the_example_is_of_another_package_and_without_the_answer(
    library: str, hint: str, token: str, shown: str
) -> None:
    asked = task(REAL)
    assert asked.gap is not None
    asked = replace(
        asked,
        facts=replace(asked.facts, library=library),
        gap=replace(asked.gap, hint=hint, aliases=(hint,), token=token),
    )
    prompt = render(asked, style=Style.INSTRUCTION, context=PromptContext.VERSION)
    example = prompt.user.partition("Your turn.")[0]
    assert f"\nimport {shown}\n" in example
    assert f"return {shown}<fill>\nAnswer:\n." in example


@pytest.mark.parametrize("style", list(Style))
@pytest.mark.parametrize("context", list(PromptContext))
def test_the_answer_is_never_shown(style: Style, context: PromptContext) -> None:
    prompt = render(task(REAL), style=style, context=context, family="codellama")
    own = (prompt.user.partition("Your turn.")[2] or prompt.text).rstrip()
    assert "astuple" not in prompt.system + prompt.user + prompt.text, "nor in the example"
    assert ("21.3.0" in own) == (context is not PromptContext.IN_FILE)


def test_each_side_is_cut_to_what_is_nearest() -> None:
    prompt = render(
        task(REAL), style=Style.FILL, context=PromptContext.IN_FILE, family="starcoder", limit=2
    )
    assert prompt.text == "<fim_prefix>return attrs<fim_suffix>\n\n\nprint(<fim_middle>"
    whole = render(task(REAL), style=Style.LEFT, context=PromptContext.IN_FILE, limit=1000)
    assert whole == render(task(REAL), style=Style.LEFT, context=PromptContext.IN_FILE)


def test_documents_give_way_before_the_version_does() -> None:
    def text(limit: int) -> str:
        return render(
            task(REAL),
            style=Style.LEFT,
            context=PromptContext.DOCUMENTS,
            documents=DOCUMENTS,
            limit=limit,
        ).text

    assert "asdict" in text(124)
    assert "asdict" not in text(123), "half of it is the code's"
    one = text(82)
    assert "attrs.astuple(inst)" in one
    assert one.endswith("return attrs")
    assert text(81).count("#") == 1
    assert text(14) == "# This code runs with attrs 21.3.0.\nreturn attrs"


def test_an_instruction_has_the_mark_of_its_task() -> None:
    odd = task({**REAL, "prompt": "x = '<fill>'\nreturn "})
    prompt = render(odd, style=Style.INSTRUCTION, context=PromptContext.IN_FILE)
    assert "<fill2>" in prompt.system
    assert "x = '<fill>'\nreturn attrs<fill2>\n" in prompt.user


def test_another_tokenizer_counts() -> None:
    prompt = render(
        task(REAL), style=Style.LEFT, context=PromptContext.IN_FILE, limit=12, count=len
    )
    assert prompt.text == "return attrs"


def test_what_stands_in_code_is_no_template() -> None:
    odd = task({**REAL, "prompt": "price = '$5 ${x}'\nreturn "})
    prompt = render(odd, style=Style.INSTRUCTION, context=PromptContext.IN_FILE)
    assert "$5 ${x}" in prompt.user


@pytest.mark.parametrize(
    ("right", "behind"),
    [
        ("few", "\n\n\nprint(flat(1))"),
        ("whole", BEHIND),
        ("none", ""),
        ("0", BEHIND.splitlines(keepends=True)[0]),
        ("2", "".join(BEHIND.splitlines(keepends=True)[:3])),
    ],
)
def test_as_much_of_what_follows_as_is_asked_for(right: str, behind: str) -> None:
    shown = ask(task(REAL), Asking(style="fim", family="starcoder", right=right))
    assert shown is not None
    after = shown.text.partition("<fim_suffix>")[2]
    assert after == f"{behind}<fim_middle>"


def test_an_unknown_right_context_is_refused() -> None:
    with pytest.raises(UserError, match="unknown right context"):
        ask(task(REAL), Asking(right="most"))
