"""The function that a controlled task asks to complete, in words that do not give the API away.

It says what LibEvolutionEval's says: what the call is for, whose service it is, its mandatory
arguments as parameters, each checked for None, and the root that the API is reached from. As there,
only the root is imported: a submodule's import would tell the path.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from textwrap import fill, indent

_WIDTH = 88


@dataclass(frozen=True, slots=True)
class TemplateCall:
    """What a prompt is made of."""

    imported: str  # `google.cloud`
    root: str  # `google`
    service: str
    description: str
    parameters: tuple[str, ...]  # as `def` writes them
    checked: tuple[str, ...]  # those that must not be None


@dataclass(frozen=True, slots=True)
class TemplatePrompt:
    left: str  # ends with the root
    right: str


@dataclass(frozen=True, slots=True)
class _Template:
    left: str
    check: str
    right: str
    names: frozenset[str]  # its own, that no parameter may have


# The first that does not have the API's name in its words is taken. The later ones have fewer.
_TEMPLATES = (
    _Template(
        '''\
import logging

import {imported}


def {service}_service({parameters}):
    """
{description}
    """
    logger = logging.getLogger(__name__)
{check}
    try:
        response = {root}''',
        """
    # Nothing that is mandatory may be missing.
    if {missing}:
        logger.error("A mandatory argument is None.")
        return None
""",
        """
        logger.info("The service was called.")
    except Exception:
        logger.exception("The service failed.")
        raise

    return response
""",
        frozenset({"logging", "logger", "response"}),
    ),
    _Template(
        '''\
import {imported}


def use_{service}({parameters}):
    """
{description}
    """
{check}
    try:
        output = {root}''',
        """
    if {missing}:
        return None
""",
        """
    finally:
        print("used")

    return output
""",
        frozenset({"output"}),
    ),
    _Template(
        '''\
import {imported}


def {service}_({parameters}):
    """
{description}
    """
{check}
    try:
        x_ = {root}''',
        """
    if {missing}:
        return
""",
        """
    except ():
        pass
    return x_
""",
        frozenset({"x_"}),
    ),
)


def write(call: TemplateCall, hidden: str) -> TemplatePrompt | None:
    """A prompt without ``hidden`` (in any case) outside of its imports, if there can be one."""
    for template in _TEMPLATES:
        if _is_free(template.names, call):
            prompt = _filled(template, call)
            if not tells(prompt, hidden):
                return prompt
    return None


def tells(prompt: TemplatePrompt, hidden: str) -> bool:
    """Whether a prompt has a name, in any case, outside of its imports."""
    body = prompt.left.partition("\n\n\n")[2] + prompt.right
    return hidden.casefold() in body.casefold()


def _is_free(names: Collection[str], call: TemplateCall) -> bool:
    return not {item.lstrip("*") for item in call.parameters}.intersection(names)


def _filled(template: _Template, call: TemplateCall) -> TemplatePrompt:
    missing = " or ".join(f"{name} is None" for name in call.checked)
    description = fill(
        call.description, _WIDTH, break_long_words=False, break_on_hyphens=False
    ).replace('"""', "'''")
    left = template.left.format(
        imported=call.imported,
        service=call.service,
        parameters=", ".join(call.parameters),
        description=indent(description, "    "),
        check=template.check.format(missing=missing) if missing else "",
        root=call.root,
    )
    if "\\" in description:
        left = left.replace('    """\n', '    r"""\n', 1)
    return TemplatePrompt(left, template.right)
