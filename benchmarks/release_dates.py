"""Write the table of release dates that suites are broken down by, from the package index.

    python benchmarks/release_dates.py src/libdrift/suites/releases.json

Final releases only, each with the day of its first file. What the index does not have any more, or
never had, stands below, by the projects' own release notes.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from libdrift.languages.python.index import PackageIndex

PACKAGES = (
    "attrs beautifulsoup4 click falcon flask geopandas jinja2 keras librosa lightgbm matplotlib "
    "networkx nltk numpy pandas pillow plotly pydantic pytest pyyaml requests scikit-image "
    "scikit-learn scipy seaborn statsmodels sympy tensorflow torch torchaudio torchvision tornado "
    "tqdm xgboost"
).split()
NOTED = {
    "torch": {"0.4.0": "2018-04-24"},
    "python": {
        "2.7": "2010-07-03",
        "3.0": "2008-12-03",
        "3.1": "2009-06-27",
        "3.2": "2011-02-20",
        "3.3": "2012-09-29",
        "3.4": "2014-03-16",
        "3.5": "2015-09-13",
        "3.6": "2016-12-23",
        "3.7": "2018-06-27",
        "3.8": "2019-10-14",
        "3.9": "2020-10-05",
        "3.10": "2021-10-04",
        "3.11": "2022-10-24",
        "3.12": "2023-10-02",
        "3.13": "2024-10-07",
        "3.14": "2025-10-07",
    },
    "jdk": {
        "8": "2014-03-18",
        "9": "2017-09-21",
        "10": "2018-03-20",
        "11": "2018-09-25",
        "17": "2021-09-14",
        "21": "2023-09-19",
        "25": "2025-09-16",
    },
}


def main(path: Path) -> None:
    index = PackageIndex.configured(os.environ)
    found: dict[str, dict[str, str]] = {name: dict(days) for name, days in NOTED.items()}
    for package in PACKAGES:
        for listing in index.releases(package):
            release = listing.release
            if release.date is not None and not listing.prerelease:
                days = found.setdefault(package, {})
                days.setdefault(release.version, release.date.isoformat())
        print(f"{package}: {len(found[package])} releases", file=sys.stderr)
    lines = [
        f" {json.dumps(name)}: {json.dumps(days, separators=(',', ':'))}"
        for name, days in sorted(found.items())
    ]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
