"""The public face: what `import libdrift` offers, and what that costs."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import libdrift

ROOT = Path(__file__).parent.parent
OPTIONS = "AuditOptions BuildOptions CheckOptions CoverageOptions DiffFilter EvaluateOptions FigureOptions JudgeOptions LiveOptions MigrateOptions MiningOptions OnDemand PaperRequest PromptOptions RunOptions ScoreOptions".split()
RESULTS = "Audit BuiltFile CheckResult Correlations Diff DrawnFigures Evaluation EvaluationPlan ExplorerPage Judged LintStudy LiveFile Migration MiningResult ObservedRun PaperReport Report RunComparison SuiteCoverage SuiteStatistics Summary TimeReport".split()
ERRORS = "InfrastructureError LibdriftError MissingDataError UserError".split()
JOBS = (
    "audit build_completion build_control build_live build_manifest build_migration build_usage check compare correlate coverage_of_tests"
    " diff docs draw_runs estimate evaluate explain history_of judge_answers judge_tasks lint_study migrate mine"
    " observed over_time report report_paper score suite_statistics surface write_explorer write_prompts"
).split()
STANDARD = sys.stdlib_module_names
OTHERS = "Benchmark Listener __version__ asking_for load_suite register suite_names".split()


def test_the_public_face_is_exactly_this() -> None:
    assert set(libdrift.__all__) == {*OPTIONS, *RESULTS, *ERRORS, *JOBS, *OTHERS}
    assert libdrift.__all__ == sorted(libdrift.__all__)
    assert dir(libdrift) == libdrift.__all__


@pytest.mark.parametrize("name", JOBS)
def test_every_job_is_typed_and_says_what_it_does(name: str) -> None:
    job = getattr(libdrift, name)
    signature = inspect.signature(job)
    assert job.__doc__
    assert signature.return_annotation is not inspect.Signature.empty
    assert all(one.annotation is not one.empty for one in signature.parameters.values())
    assert len(signature.parameters) <= 7


def test_types_and_places_name_the_same() -> None:
    """What a type checker sees is what is imported at run time."""
    tree = ast.parse(Path(libdrift.__file__).read_text("utf-8"))
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    seen = {
        alias.name: node.module
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen == {name: f"libdrift.{place}" for name, place in libdrift._MODULE_OF.items()}


def test_no_public_name_is_hidden_by_a_room() -> None:
    rooms = {path.name.removesuffix(".py") for path in Path(libdrift.__file__).parent.iterdir()}
    assert not rooms & set(libdrift.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'scores'"):
        libdrift.scores  # noqa: B018


def test_importing_loads_nothing_but_the_face_itself() -> None:
    code = (
        "import sys; before = set(sys.modules); import libdrift\n"
        "print(*sorted(m for m in set(sys.modules) - before if not m.startswith('_')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name for name in done.stdout.split() if name.partition(".")[0] not in STANDARD}
    assert loaded == {"libdrift", "libdrift.version"}


@pytest.mark.parametrize("page", ["api.md", "benchmarks.md", "reports.md"])
def test_examples_run_as_shown(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All blocks of a page in one process, as the cells of a notebook; what they show is so."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LIBDRIFT_HISTORY", str(tmp_path / "history.sqlite"))
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    for name, content in re.findall(r"```\w+ (\S+)\n(.*?)```", text, re.DOTALL):
        Path(name).write_text(content, encoding="utf-8")
    cells = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert cells
    code = "import sys\nsys.path.insert(0, '')\n" + "\n".join(cells)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told = [line[3:] for line in text.splitlines() if line.startswith("# >")]
    assert done.stdout.splitlines() == [line.strip() for line in told]
