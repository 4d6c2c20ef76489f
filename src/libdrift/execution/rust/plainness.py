"""Which answers can forge nothing, and which may share a crate or a sandbox with others.

An answer is *plain* if it reaches for nothing but what cannot touch a verdict (values, collections,
text, numbers), and declares no type, trait, name or macro but its reference's: words of the tests
mean what they always mean. Safe Rust of that kind computes, and no more: its tests judge it. Every
other answer is compiled and run alone, and tried on decoys.

That a reference needs files, processes or ``unsafe`` makes nobody else's use of them plain: by
/proc/self/mem, or by a pointer, an answer reads what is expected of it, and changes its judge.

Lists are of what is allowed, so that what std will offer tomorrow is not trusted by accident.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from libdrift.execution.rust.features import Features, features
from libdrift.execution.rust.lexing import is_clear, tokens
from libdrift.execution.rust.syntax import parses

_MODULES = frozenset(
    "any array ascii bool borrow boxed cell char clone cmp collections convert default error f32 "
    "f64 fmt future hash i8 i16 i32 i64 i128 isize iter marker mem num ops option pin prelude "
    "primitive rc result slice str string sync task thread time u8 u16 u32 u64 u128 usize vec "
    "format matches write writeln".split()
)
_WORLD = frozenset("env fs net os path process".split())  # where others' files and ports are
# Beyond these, a module may be a way out of the tests' hands.
_QUIET = _MODULES | {"alloc", "hint", "io", "panic", "path", "ptr"}
_MACROS = frozenset(
    "vec format matches write writeln print println eprint eprintln dbg panic unreachable todo "
    "unimplemented assert assert_eq assert_ne debug_assert debug_assert_eq debug_assert_ne "
    "format_args concat stringify cfg addr_of addr_of_mut pin compile_error".split()
)
_ATTRIBUTES = frozenset(
    "derive inline allow warn deny expect must_use doc cold deprecated rustfmt".split()
)
# In a module they mean what they mean in a crate.
_MODULAR = _ATTRIBUTES | frozenset(
    "cfg default non_exhaustive repr test should_panic ignore".split()
)
_WHOLE = frozenset("!allow !warn !deny !forbid !doc !no_std !expect".split())
_DERIVED = frozenset("Debug Clone Copy".split())  # by which nothing is told of two values
# By which code is put where others look for theirs, whatever the reference puts there.
_LOUD_ATTRIBUTES = frozenset(
    "no_mangle export_name link link_name link_section used global_allocator panic_handler unsafe "
    "path macro_use !no_main !feature !no_core !test_runner".split()
)
_LOUD_MACROS = frozenset(
    "asm global_asm naked_asm include include_str include_bytes env option_env file".split()
)
_OWN_STATE = frozenset({"macro_rules", "thread_local"})
_LOUD_KEYWORDS = frozenset("unsafe extern macro".split())
# Names that tests take for granted: `use super::*` would bring an answer's own.
_TAKEN = frozenset(
    "std core alloc test bool char str i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 "
    "Option Some None Result Ok Err String Vec Box Rc Arc Cell RefCell Mutex HashMap HashSet "
    "BTreeMap BTreeSet ToString ToOwned Iterator IntoIterator Default Clone Copy Drop Fn FnMut "
    "FnOnce From Into AsRef Eq Ord PartialEq PartialOrd drop size_of size_of_val align_of "
    "align_of_val".split()
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
    ours = features(answer)
    return (
        is_usual(answer, reference, crates)
        and not ours.loud
        and ours.modules <= _QUIET
        and not ours.macros & _LOUD_MACROS
        and not ours.attributes & _LOUD_ATTRIBUTES
        and not ours.keywords & _LOUD_KEYWORDS
        and not _taken_from(answer, crates) & _WORLD
    )


@lru_cache(maxsize=4096)
def is_usual(answer: str, reference: str, crates: frozenset[str] = frozenset()) -> bool:
    """Whether an answer reaches for nothing that its reference does not, beyond what is harmless.

    It does no harm among others. Whether a pass of it is worth anything is another question. What
    cannot be parsed may be anything.
    """
    if answer == reference:
        return True
    ours, theirs = features(answer), features(reference)
    return (
        parses(answer)
        and not reaches(answer, reference)
        and ours.modules <= _MODULES | theirs.modules
        and ours.macros <= _MACROS | theirs.macros
        and ours.attributes <= _ATTRIBUTES | theirs.attributes
        and ours.derived <= _DERIVED | theirs.derived
        and ours.keywords <= theirs.keywords
        and ours.items <= theirs.items
        and ours.declared & _TAKEN <= theirs.declared
        and (not crates or _maybe_crates(ours) | _taken_from(answer, crates) <= theirs.words)
    )


@lru_cache(maxsize=4096)
def reaches(answer: str, reference: str) -> str:
    """What an answer names, beyond its reference, that acts on more than its own values.

    Own types alone are no such thing. Text that compilers may read in several ways is.
    """
    ours, theirs = features(answer), features(reference)
    own = {name[:-1] for name in ours.declared if name.endswith("!")}
    beyond = [
        *(f"std::{name}" for name in ours.modules - _QUIET - theirs.modules),
        *(f"{name}!" for name in ours.macros - _MACROS - own - _OWN_STATE - theirs.macros),
        *(f"{name}!" for name in own & _MACROS if f"{name}!" not in theirs.declared),
        *(f"#[{name}]" for name in ours.attributes - _MODULAR - _WHOLE - theirs.attributes),
        *(ours.keywords & _LOUD_KEYWORDS - theirs.keywords),
        *(ours.loud - theirs.loud),
    ]
    if not is_clear(answer) and is_clear(reference):
        return "signs that are read in several ways"
    return ", ".join(sorted(beyond))


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
    """What an answer may share: nothing, unless it is as usual."""
    if not (is_usual(answer, reference, crates) and parses(answer) and parses(tests)):
        return Sharing(crate=False, sandbox=False)
    ours, theirs = features(answer), features(tests)
    crate = all(map(_modular, (ours, theirs))) and "super" not in ours.words
    crate = crate and not _climbs(tests) and is_clear(tests) and is_clear(answer)
    sandbox = (
        not crates
        and ours.modules <= _QUIET
        and not ours.loud
        and not ours.keywords & _LOUD_KEYWORDS
        and not theirs.modules & _WORLD
        and not theirs.loud
    )
    return Sharing(crate, crate and sandbox)


def _modular(text: Features) -> bool:
    """Whether a text means the same in a module of a crate as in a crate of its own."""
    own = {name[:-1] for name in text.declared if name.endswith("!")}
    return (
        not text.keywords & {"extern", "crate", "macro"}
        and text.attributes <= _MODULAR
        and text.macros <= _MACROS | own | _OWN_STATE
        and not text.words & _PLACES
        and not text.foreign
    )


def reads_as_items(source: str) -> bool:
    """Whether a text may compile at all: prose, and what was cut off, will not."""
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
