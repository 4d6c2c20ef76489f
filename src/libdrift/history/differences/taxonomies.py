"""A change in the words of the five papers that study such changes."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from libdrift.records import Change, ChangeKind

BENCHMARKS = ("gitchameleon", "libevolutioneval", "versicode", "codemenv", "rustevo")

# None: the paper has no word for it, and leaves such changes out.
_WORDS: dict[ChangeKind, tuple[str | None, ...]] = {
    ChangeKind.INTRODUCED: (
        "new feature or dependency",
        "introduced",
        "addition",
        "addition",
        "stabilization",
    ),
    ChangeKind.REMOVED: (None, "deprecated", "deprecation", "deprecation", "deprecation"),
    ChangeKind.DEPRECATED: (None, "unchanged", "general", "deprecation", "deprecation"),
    ChangeKind.UNDEPRECATED: (None, "unchanged", "general", None, None),
    ChangeKind.SIGNATURE: (
        "argument or attribute",
        "modified",
        "general",
        "replacement",
        "signature",
    ),
    ChangeKind.RENAMED: (
        "function name",
        "introduced + deprecated",
        "name change",
        "replacement",
        "signature",
    ),
    ChangeKind.MOVED: (
        "function name",
        "introduced + deprecated",
        "name change",
        "replacement",
        "signature",
    ),
    ChangeKind.BEHAVIOUR: (
        "semantics or behaviour",
        "unchanged",
        "general",
        None,
        "behavioural",
    ),
}


def words(change: Change) -> Mapping[str, str | None]:
    """The name of a change's category in each paper."""
    return words_of(change.kind, replaced=bool(change.replacement), aspect=change.aspect)


def words_of(
    kind: ChangeKind, *, replaced: bool = False, aspect: str = ""
) -> Mapping[str, str | None]:
    """The same of a kind of change, where no more of it is known."""
    found = dict(zip(BENCHMARKS, _WORDS[kind], strict=True))
    if kind is ChangeKind.REMOVED and replaced:
        # To GitChameleon, a name that another takes the place of has changed.
        found["gitchameleon"] = "function name"
    if kind is ChangeKind.BEHAVIOUR and aspect == "type":
        # A method that became a property is called otherwise: to these it is another signature.
        found |= {
            "gitchameleon": "argument or attribute",
            "libevolutioneval": "modified",
            "codemenv": "replacement",
            "rustevo": "signature",
        }
    return MappingProxyType(found)
