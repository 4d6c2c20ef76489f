"""The judge of RustEvo²'s pipeline: what is asked of a query, and what speaks against it."""

from __future__ import annotations

from libdrift.build.recipes.replies import json_object
from libdrift.build.recipes.steps import ModelRequest, Part, ReplyFault

# What the judge is asked of a query, and which answer speaks for it.
QUESTIONS = {
    "clear": ("Could a Rust programmer tell from the query alone what the function must do?", True),
    "needs the API": ("Is the API below the natural way to do what the query asks for?", True),
    "gives it away": ("Does the query name the API, or quote its documentation?", False),
    "fits": ("Does the signature agree with the query in what goes in and what comes out?", True),
}

_JUDGE = """\
API: {path} of {library} {version}

Query:
{query}

Signature: {signature}

Answer these questions with yes or no:
{questions}

Reply with a JSON object whose keys are the words before the colons, each with "yes" or "no", and \
a key "reason" with one sentence on what is wrong, if anything is."""


def objection(words: dict[str, str], round_: int) -> Part[str]:
    """What the judge has against a query; nothing where it has not."""
    questions = "\n".join(f"{name}: {text}" for name, (text, _) in QUESTIONS.items())
    prompt = _JUDGE.format(**{**words, "questions": questions})
    reply = yield ModelRequest("judge", prompt, round_)
    told_in = json_object(reply, tuple(QUESTIONS))
    if isinstance(told_in, ReplyFault):
        return f"no verdict: {told_in.reason}"
    against = [
        name
        for name, (_, good) in QUESTIONS.items()
        if told_in[name].strip().lower().startswith("yes") is not good
    ]
    reason = str(told_in.get("reason") or "").strip()
    return f"a judge says no to: {', '.join(against)}. {reason}".strip() if against else ""
