"""Options that commands on code for other versions share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

ToOption = Annotated[
    list[str] | None,
    typer.Option(
        help="Target: numpy==2.1.0, a name (its newest release), or a lock file (repeatable)."
    ),
]
FromOption = Annotated[
    list[str] | None,
    typer.Option(
        "--from",
        help="Version that the code was written for: numpy==1.24.4 or a lock file (repeatable). "
        "[default: lock files, requirements, the environment]",
    ),
]
ToLatestOption = Annotated[
    bool, typer.Option("--to-latest", help="Target: the newest releases of all imported packages.")
]
PythonOption = Annotated[
    str, typer.Option(help="Target: the standard library of this Python, such as 3.13.")
]
ExcludeOption = Annotated[
    list[str] | None, typer.Option(help="Pattern of files to skip (repeatable).")
]
OfflineOption = Annotated[
    bool, typer.Option("--offline", help="Use only releases that are already mined.")
]
StoreOption = Annotated[
    Path | None, typer.Option(help="History file. [default: the file in the data folder]")
]
