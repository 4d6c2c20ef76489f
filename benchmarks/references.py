"""False alarms on code that is known to run: GitChameleon's reference solutions, each at its pins.

Every solution ran with exactly its library's version, so that whatever the reading of that release
calls missing, or a call that it does not take, is a false alarm. Counted are uses of the library
and those that are called wrong. Nothing is run; releases that the history has not are mined.

    python benchmarks/references.py [--data ../shared/data] [--libraries numpy,pandas]
"""

from __future__ import annotations

import argparse
import ast
import json
from collections import Counter, defaultdict
from pathlib import Path

from libdrift import config
from libdrift.advisor.knowing import TargetReader
from libdrift.advisor.loading import Releases
from libdrift.advisor.packages import CheckedPackages
from libdrift.advisor.versions import VersionStep
from libdrift.errors import LibdriftError
from libdrift.languages.python import usage

USUAL = Path(__file__).parent.parent.parent / "shared" / "data"
BAR = 0.01


def programs(folder: Path, libraries: set[str]) -> dict[tuple[str, str], list[tuple[str, str]]]:
    """Ids and whole solutions, by library and version."""
    answers = {}
    for line in (folder / "solutions.jsonl").read_text("utf-8").splitlines():
        record = json.loads(line)
        answers[record["example_id"]] = record["answer"]
    found: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for line in (folder / "problems.jsonl").read_text("utf-8").splitlines():
        record = json.loads(line)
        if not libraries or record["library"] in libraries:
            place = (record["library"], record["version"])
            found[place].append((record["example_id"], answers[record["example_id"]]))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, default=USUAL)
    parser.add_argument("--libraries", default="")
    options = parser.parse_args()
    settings = config.load()
    releases = Releases(settings, settings.history)
    wanted = {name for name in options.libraries.split(",") if name}
    totals: Counter[str] = Counter()
    for (library, version), some in sorted(programs(options.data / "gitchameleon", wanted).items()):
        try:
            _, pair = releases.pair(VersionStep(library, version, version, "GitChameleon"))
        except LibdriftError as error:
            totals["not read"] += len(some)
            print(f"{library} {version}: {error}")
            continue
        reader, packages = TargetReader([pair]), CheckedPackages([pair])
        for example, code in some:
            tree = ast.parse(code)
            uses = usage.read(tree, packages, lambda _, types=pair.new_types: types).uses
            wrong = reader.wrong(code)
            totals += Counter(programs=1, uses=len(uses), wrong=wrong.total())
            totals["programs with one"] += bool(wrong)
            for text in wrong:
                print(f"  {example} {library} {version}: {text}")
    rate = totals["wrong"] / max(1, totals["uses"])
    print(
        f"{totals['programs']} solutions, {totals['not read']} not read; {totals['uses']} uses,"
        f" {totals['wrong']} called wrong ({rate:.2%}) in {totals['programs with one']} solutions;"
        f" bar {BAR:.0%} {'held' if rate <= BAR else 'MISSED'}"
    )


if __name__ == "__main__":
    main()
