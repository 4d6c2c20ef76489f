"""Java answers that leave an API alone without doing what it was for.

An answer is compiled and not run, so whoever deletes the code passes as well as who migrates it.
What is told here from class files: a class of the answer's own that takes the place of the API's,
APIs that are looked up by names made at run time, and bodies that were emptied. Constant conditions
hide nothing: compilers leave out what they skip.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from libdrift.languages.java import usage

_MembersUsed = Iterable[tuple[str, str, str]]  # owner, name and descriptor

# Members that find a class, a method or a program by a text, with the words that call for them.
_FINDERS = {
    "java.lang.Class": {"forName", "getMethod", "getMethods", "getDeclaredMethod"}
    | {"getDeclaredMethods"},
    "java.lang.ClassLoader": {"loadClass", "defineClass"},
    "java.lang.reflect.Method": {"invoke"},
    "java.lang.invoke.MethodHandles.Lookup": {"findVirtual", "findStatic", "findSpecial"}
    | {"findConstructor", "unreflect", "defineClass"},
    "java.beans.Expression": {"<init>"},
    "java.beans.Statement": {"<init>"},
    "javax.script.ScriptEngineManager": {"<init>"},
    "javax.tools.ToolProvider": {"getSystemJavaCompiler"},
}
_FEW = 3  # calls at least, to say that most of them are gone
_KEPT = 4  # of so many, one at least is still there
_NOTHING = ("java.lang.Object", "<init>")  # which every class calls


def evasion(
    members: _MembersUsed, answer: usage.Code, original: usage.Code, apis: Sequence[str]
) -> str:
    """How an answer gets round its task; empty where nothing shows that it does."""
    owners = {_member(api)[0] for api in apis}
    used = set(members)
    stand_in = sorted(
        owner
        for owner in owners
        if owner[:1].islower() and owner.rpartition(".")[2] in answer.own - original.own
    )
    if stand_in:
        return f"puts a class of its own in the place of {stand_in[0]}"
    found = sorted(
        f"{owner}.{name}"
        for owner, name, _ in used
        if name in _FINDERS.get(owner, ()) and not _calls(original, owner, name)
    )
    if apis and found and not owners & _FINDERS.keys():
        return f"finds what it uses by name, when it runs ({found[0]}): nobody can tell what"
    if original.calls and all((owner, name) == _NOTHING for owner, name, _ in used):
        return "does nothing at all, and the original does"
    wanted = _others(original, apis, owners)
    kept = wanted & {name for _, name, _ in used}
    if len(wanted) >= _FEW and len(kept) * _KEPT < len(wanted):
        return f"leaves out most of what the original does: {', '.join(sorted(wanted - kept)[:5])}"
    return ""


def _member(api: str) -> tuple[str, str]:
    """The class that has an API, if that is a member, and its name there."""
    owner, _, name = api.partition("(")[0].rpartition(".")
    is_member = name[:1].islower() or name == owner.rpartition(".")[2] or name.isupper()
    return (owner, name) if is_member else ("", name)


def _calls(original: usage.Code, owner: str, name: str) -> bool:
    """Whether an original does so itself."""
    word = owner.rpartition(".")[2] if name == "<init>" else name
    return word in original.calls


def _others(original: usage.Code, apis: Sequence[str], owners: set[str]) -> frozenset[str]:
    """What an original calls that is not at stake, nor a member of what is."""
    classes = owners | {api.partition("(")[0] for api in apis}
    at_stake = {_member(api)[1] for api in apis}
    at_stake |= {
        path.rpartition(".")[2] for path in original.uses if path.rpartition(".")[0] in classes
    }
    return frozenset(original.calls - at_stake - original.made)
