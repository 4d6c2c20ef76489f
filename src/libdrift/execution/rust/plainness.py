"""Which answers can forge nothing, and which may share a crate or a sandbox with others.

An answer is *plain* if it reaches for nothing but what cannot touch a verdict (values, collections,
text, numbers) and what its task's reference reaches for too. Safe Rust of that kind computes, and
no more: its tests judge it. Every other answer that passes is tried on decoys as well.

Lists are of what is allowed, so that what std will offer tomorrow is not trusted by accident.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from libdrift.execution.rust.features import Features, features
from libdrift.execution.rust.lexing import tokens

_MODULES = frozenset(
    "any array ascii bool borrow boxed cell char clone cmp collections convert default error f32 "
    "f64 fmt future hash i8 i16 i32 i64 i128 isize iter marker mem num ops option pin prelude "
    "primitive rc result slice str string sync task thread time u8 u16 u32 u64 u128 usize vec "
    "format matches write writeln".split()
)
_WORLD = frozenset("env fs net os path process".split())  # where others' files and ports are
_MACROS = frozenset(
    "vec format matches write writeln print println eprint eprintln dbg panic unreachable todo "
    "unimplemented assert assert_eq assert_ne debug_assert debug_assert_eq debug_assert_ne "
    "format_args concat stringify thread_local cfg addr_of addr_of_mut pin compile_error".split()
)
_ATTRIBUTES = frozenset(
    "derive inline allow warn deny expect must_use cfg doc default non_exhaustive repr cold "
    "deprecated test should_panic ignore rustfmt".split()
)
# By these a value decides for itself what it equals, or stands in for another.
_TELLING = frozenset("PartialEq PartialOrd Ord Deref DerefMut Not".split())
# Names that tests take for granted: `use super::*` would bring an answer's own.
_TAKEN = frozenset(
    "std core alloc test bool char str i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 "
    "Option Some None Result Ok Err String Vec Box Rc Arc Cell RefCell Mutex HashMap HashSet "
    "BTreeMap BTreeSet ToString ToOwned Iterator IntoIterator Default Clone Copy Drop Fn FnMut "
    "FnOnce From Into AsRef Eq Ord PartialEq PartialOrd".split()
)
_ITEMS = frozenset(
    "# pub fn use mod struct enum union trait type const static impl unsafe async extern".split()
)
# What tells a program where in its crate it stands, or reaches out of its own module.
_PLACES = frozenset("type_name Location Backtrace track_caller msrv module_path".split())
_OWN_MSRV = re.compile(r"\bclippy\s*::\s*msrv\b")


@lru_cache(maxsize=4096)
def is_plain(answer: str, reference: str, crates: frozenset[str] = frozenset()) -> bool:
    """Whether an answer reaches for nothing by which a verdict could be forged.

    ``crates`` are those of the environment: what is taken from them the reference must name too.
    """
    if answer == reference:
        return True
    ours, theirs = features(answer), features(reference)
    return (
        ours.modules <= _MODULES | theirs.modules
        and ours.macros <= _MACROS | theirs.macros
        and ours.attributes <= _ATTRIBUTES | theirs.attributes
        and ours.keywords <= theirs.keywords
        and ours.loud <= theirs.loud
        and ours.traits & _TELLING <= theirs.traits
        and ours.declared & _TAKEN <= theirs.declared
        and not any(name.endswith("!") for name in ours.declared - theirs.declared)
        and (not crates or _maybe_crates(ours) | _taken_from(answer, crates) <= theirs.words)
    )


def sets_own_version(answer: str) -> bool:
    """Whether an answer tells the checker what version it is for; that is the task's to say."""
    return "msrv" in features(answer).words and bool(_OWN_MSRV.search(answer))


@dataclass(frozen=True, slots=True)
class Sharing:
    """What an answer may share with others, none of whose verdicts may depend on it."""

    crate: bool  # compiled as a module among others
    sandbox: bool  # run beside others, each in a process of its own


@lru_cache(maxsize=4096)
def sharing(answer: str, tests: str, reference: str, crates: frozenset[str]) -> Sharing:
    """What an answer may share; ``reference`` tells whether it is plain."""
    plain = is_plain(answer, reference, crates)
    ours, theirs = features(answer), features(tests)
    crate = all(map(_modular, (ours, theirs))) and "super" not in ours.words
    crate = crate and not _climbs(tests)
    known = _MODULES | {"alloc", "hint", "io", "panic", "ptr"}
    sandbox = (
        not crates
        and ours.modules <= known
        and not ours.loud
        and (plain or not ours.keywords & {"unsafe", "macro_rules"})
        and not theirs.modules & _WORLD
        and not theirs.loud
    )
    return Sharing(crate, crate and sandbox)


def _modular(text: Features) -> bool:
    """Whether a text means the same in a module of a crate as in a crate of its own."""
    own = {name[:-1] for name in text.declared if name.endswith("!")}
    return (
        not text.keywords & {"extern", "crate", "macro"}
        and text.attributes <= _ATTRIBUTES
        and text.macros <= _MACROS | own | {"macro_rules"}
        and not text.words & _PLACES
        and not text.foreign
    )


def reads_as_items(source: str) -> bool:
    """Whether a text may be Rust at all: prose would only keep its neighbours waiting."""
    found = tokens(source)
    if not found:
        return True
    signs = [token.text for token in found if token.kind == "sign"]
    balanced = all(signs.count(a) == signs.count(b) for a, b in ("()", "[]", "{}"))
    return balanced and (found[0].text in _ITEMS or (len(found) > 1 and found[1].text == "!"))


def _climbs(tests: str) -> bool:
    """Whether tests name more than the module around them."""
    parts = [token.text for token in tokens(tests)]
    return any(parts[i : i + 3] == ["super", "::", "super"] for i in range(len(parts)))


def _maybe_crates(text: Features) -> frozenset[str]:
    """What paths begin with that may be a crate, whose own name can differ from its package's."""
    own = text.declared | _MODULES | {"self", "Self"}
    return frozenset(name for name in text.roots - own if name[:1].islower())


def _taken_from(answer: str, crates: frozenset[str]) -> frozenset[str]:
    """Every word of the paths that begin with a crate's name."""
    if not crates & features(answer).words:
        return frozenset()
    found, taken, within = tokens(answer), set(), False
    for index, token in enumerate(found):
        if token.kind == "word" and token.text in crates:
            within = True
        elif (token.text not in ("::", "{", "}", ",", "*") and token.kind != "word") or (
            token.kind == "word" and index and found[index - 1].text not in ("::", "{", ",")
        ):
            within = False
        if within and (token.kind == "word" or token.text == "*"):
            taken.add(token.text)
    return frozenset(taken)
