"""Whether the surfaces of the JDK are true: `javac --release N` is asked for names that they have.

For each release 500 members of classes are drawn (inherited ones too), classes among them, and
names that another release has and this one has not. A program refers to each of them, a line each:
methods and constructors by a call with arguments that none of them takes, so that the compiler
lists those that there are. Each overload's own name is held against that list. And what
`jdeprscan --list` calls deprecated, or to be removed, must be so in the surface.

    .venv/bin/python benchmarks/jdk_surfaces.py [--members 500] [--absent 200] [--seed 1]
"""

from __future__ import annotations

import argparse
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from libdrift.languages.java import platforms
from libdrift.languages.java.jdks import Jdk, newest
from libdrift.records import Surface, Symbol, SymbolKind

LEAST = 0.99  # of each release's names, on which surface and compiler agree
_ARGUMENTS = ", ".join(["0"] * 40)
_LINE = re.compile(r"^References\.java:(\d+):\d+: compiler\.err\.([\w.]+)(?:: (.*))?$")
_ABSENT = ("cant.resolve", "doesnt.exist", "is.preview", "not.def.public", "package.not.visible")
_NO_VERDICT = ("encl.class.required", "abstract.cant.be.instantiated", "enum.cant.be.instantiated")
_LISTED = re.compile(r"@Deprecated(\([^)]*\))? (?:.* )?([\w.$]+)(\(.*\))?$")
_CANDIDATE = re.compile(
    r"inapplicable\.method: kindname\.\w+, [^()]*?, (?:<.*?>)?[\w.$]+\(([^()]*)\)"
)


@dataclass(frozen=True, slots=True)
class Question:
    path: str
    owner: str
    line: str  # of Java, that refers to it
    expected: bool
    overload: str = ""  # its parameters, as its name has them


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--members", type=int, default=500)
    parser.add_argument("--absent", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    jdk = newest()
    began = time.monotonic()
    surfaces = {release.version: surface for release, surface in platforms.surfaces()}
    whole = {version: s for version, s in surfaces.items() if isinstance(s, Surface)}
    took = time.monotonic() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{len(whole)} releases by JDK {jdk.version}: {took:.1f} s, {peak:.0f} MB with all kept")
    for version, told in surfaces.items():
        if isinstance(told, str):
            print(f"{version}: {told}")
    worst = 1.0
    for version, surface in whole.items():
        draw = random.Random(f"{options.seed} {version}")  # noqa: S311
        asked = [*_present(surface, draw, options.members)]
        asked += _absent(surface, whole, draw, options.absent)
        agreed, wrong, silent = _ask(jdk, version, asked)
        share = agreed / (agreed + len(wrong))
        worst = min(worst, share)
        print(f"{version:>3}: {share:7.2%} of {agreed + len(wrong)} ({silent} without a verdict)")
        for line in wrong[:10]:
            print(f"       {line}")
        listed, missed = _deprecated(jdk, version, surface)
        print(f"     {listed - len(missed)} of {listed} that jdeprscan lists are deprecated")
        for line in missed[:5]:
            print(f"       {line}")
    print(f"worst {worst:.2%}, to reach {LEAST:.0%}")
    return 0 if worst >= LEAST and len(whole) == len(surfaces) else 1


def _present(surface: Surface, draw: random.Random, count: int) -> Iterator[Question]:
    """Classes with equal chances, and then their members: else a few huge ones are all there is."""
    classes = sorted(_classes(surface))
    found: dict[str, Question] = {}
    while len(found) < count:
        path = draw.choice(classes)
        members = surface.members(_target(surface, path))
        label = draw.choice(["", *members])
        question = _question(surface, path, label, expected=True)
        if question:
            found.setdefault(question.path, question)
    yield from found.values()


def _absent(
    surface: Surface, others: Mapping[str, Surface], draw: random.Random, count: int
) -> Iterator[Question]:
    """Names that are in another release, and that this one does not inherit either."""
    owners = {path: other for other in others.values() for path in _own_names(other)}
    pool = sorted(owners.keys() - _own_names(surface).keys())
    draw.shuffle(pool)
    left = count
    for full in pool:
        if left and surface.resolve(full) is None:
            path, label = _own_names(owners[full])[full]
            question = _question(owners[full], path, label, expected=False)
            if question:
                left -= 1
                yield question


_NAMES: dict[str, dict[str, tuple[str, str]]] = {}


def _own_names(surface: Surface) -> dict[str, tuple[str, str]]:
    """Paths of classes and of their own members, overloads apart: class and label of each."""
    known = _NAMES.get(surface.release.version)
    if known is None:
        known = _NAMES[surface.release.version] = {}
        for path, name in surface.walk():
            if ":" in name.target:
                known[path] = (path, "")
                for label in surface.scopes[name.target]:
                    if "(" not in label:
                        known[f"{path}.{label}"] = (path, label)
    return known


def _classes(surface: Surface) -> Iterator[str]:
    return (path for path, name in surface.walk() if ":" in name.target)


def _target(surface: Surface, path: str) -> str:
    symbol = surface.resolve(path)
    if symbol is None:
        raise ValueError(path)
    return symbol.id


def _question(surface: Surface, path: str, label: str, *, expected: bool) -> Question | None:
    owner = surface.resolve(path)
    member = surface.resolve(f"{path}.{label}") if label else owner
    if owner is None or member is None:
        # Its own surface does not find it: wrong, whatever the compiler says.
        return Question(f"{path}.{label}", path, "", expected)
    line = _reference(path, label.partition("(")[0], owner, member)
    full = f"{path}.{label}" if label else path
    overload = label[label.index("(") :] if "(" in label else ""
    return Question(full, path, line, expected, overload) if line else None


def _reference(path: str, name: str, owner: Symbol, member: Symbol) -> str:
    last = path.rpartition(".")[2]
    if member.kind is SymbolKind.CLASS:
        return f"  void m() {{ {path}{'.' + name if name else ''} x; }}"
    if member.kind is not SymbolKind.METHOD:
        return f"  void m() {{ Object x = (({path}) null).{name}; }}"
    if name != last:
        # A constructor that a class has from another is no member of it.
        is_foreign = member.id.partition("(")[0].rpartition(":")[2].split(".")[-2:-1] == [name]
        return "" if is_foreign else f"  void m() {{ (({path}) null).{name}({_ARGUMENTS}); }}"
    if "abstract" in owner.traits and not member.id.partition(":")[2].count(".") > 1:
        return f"  class C extends {path} {{ C() {{ super({_ARGUMENTS}); }} }}"
    return f"  void m() {{ new {path}({_ARGUMENTS}); }}"


def _ask(jdk: Jdk, version: str, asked: Iterable[Question]) -> tuple[int, list[str], int]:
    questions = list(asked)
    lines = [f"class R{n} {{ {q.line} }}" for n, q in enumerate(questions)]
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "References.java")
        source.write_text("\n".join(lines), encoding="utf-8")
        # Java 9 and 10 have modules of Java EE that are there on demand only.
        modules = ["--add-modules", "ALL-SYSTEM"] if int(version) > 8 else []  # noqa: PLR2004
        done = subprocess.run(
            [
                *(str(jdk.javac), "--release", version, *modules),
                *("-XDrawDiagnostics", "-proc:none", "-Xmaxerrs", "100000"),
                *("-d", folder, str(source)),
            ],
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )
    told: dict[int, list[tuple[str, str]]] = {}
    for line in (*done.stdout.splitlines(), *done.stderr.splitlines()):
        found = _LINE.match(line)
        if found:
            told.setdefault(int(found[1]), []).append((found[2], found[3] or ""))
    agreed, wrong, silent = 0, [], 0
    for number, question in enumerate(questions, 1):
        seen = _exists(told.get(number, []), question)
        if seen is None:
            silent += 1
        elif seen == question.expected:
            agreed += 1
        else:
            wrong.append(
                f"{question.path}: we say {question.expected}, {told.get(number, [])}"[:300]
            )
    return agreed, wrong, silent


def _deprecated(jdk: Jdk, version: str, surface: Surface) -> tuple[int, list[str]]:
    """How much jdeprscan lists, and what of it is not deprecated, or not for removal, with us."""
    done = subprocess.run(
        [str(jdk.jdeprscan), "--list", "--release", version],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    listed, missed = 0, []
    for line in done.stdout.splitlines():
        found = _LISTED.match(line.strip())
        if not found:
            continue
        listed += 1
        path = found[2]
        symbol = surface.resolve(path)
        if found[3] and symbol is not None and symbol.kind is SymbolKind.CLASS:
            symbol = surface.resolve(f"{path}.{path.rpartition('.')[2]}")  # a constructor
        told = symbol.deprecation if symbol else None
        removal = "forRemoval=true" in (found[1] or "")
        if told is None or (removal and not told.conditional and "removal" not in told.message):
            missed.append(line.strip())
    return listed, missed


def _exists(told: list[tuple[str, str]], question: Question) -> bool | None:
    if any(key.startswith(_ABSENT) for key, _ in told):
        return False
    if any(key in _NO_VERDICT for key, _ in told):
        return None
    if any(key == "report.access" and text.startswith(f"{question.owner},") for key, text in told):
        return None  # a class that only classes below its own may name
    if not question.overload:
        return bool(question.line)
    for key, text in told:
        if key == "cant.apply.symbols":
            return any(_same(question.overload, seen) for seen in _CANDIDATE.findall(text))
    return None  # the only one that the compiler looked at: not held against a list


def _same(ours: str, theirs: str) -> bool:
    """By simple names; a type variable may be anything."""
    mine = [part for part in ours.strip("()").split(",") if part]
    flat = re.sub(r"@[\w.]+ ", "", theirs).replace("...", "[]")
    while re.search(r"<[^<>]*>", flat):
        flat = re.sub(r"<[^<>]*>", "", flat)
    other = [part.rpartition(".")[2] for part in flat.split(",") if part]
    if len(mine) != len(other):
        return False
    return all(a == b or _is_variable(b) for a, b in zip(mine, other, strict=True))


def _is_variable(text: str) -> bool:
    return bool(re.fullmatch(r"[A-Z]\w?(?:\[\])*", text))


if __name__ == "__main__":
    sys.exit(main())
