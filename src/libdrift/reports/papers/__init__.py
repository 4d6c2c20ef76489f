"""The five papers: what each shows, in its order, filled from runs."""

from __future__ import annotations

from libdrift.reports.papers import codemenv, gitchameleon, libevolutioneval, rustevo, versicode
from libdrift.reports.papers.layout import Paper

PAPERS: dict[str, Paper] = {
    module.PAPER.name: module.PAPER
    for module in (gitchameleon, libevolutioneval, versicode, codemenv, rustevo)
}
