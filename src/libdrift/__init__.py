"""libdrift: code that must work with exactly the library version at hand.

What a command does is a function here: ``score``, ``evaluate``, ``audit``, ``report``, ``mine`` …
Each is imported when it is first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from libdrift.version import __version__

if TYPE_CHECKING:
    from libdrift.analysis.comparing import RunComparison
    from libdrift.analysis.correlating import Correlations
    from libdrift.analysis.coverage import SuiteCoverage
    from libdrift.analysis.datasets import SuiteStatistics
    from libdrift.analysis.lint_study import LintStudy
    from libdrift.analysis.observing import ObservedRun
    from libdrift.analysis.over_time import TimeReport
    from libdrift.errors import InfrastructureError, LibdriftError, MissingDataError, UserError
    from libdrift.history.questions import Diff, DiffFilter
    from libdrift.jobs.analysing import compare, correlate, observed, over_time
    from libdrift.jobs.auditing import Audit, AuditOptions, audit
    from libdrift.jobs.building import (
        BuildOptions,
        BuiltFile,
        build_completion,
        build_control,
        build_migration,
        build_usage,
    )
    from libdrift.jobs.building_live import LiveFile, LiveOptions, build_live
    from libdrift.jobs.checking import CheckOptions, CheckResult, check
    from libdrift.jobs.evaluating import (
        EvaluateOptions,
        Evaluation,
        EvaluationPlan,
        asking_for,
        estimate,
        evaluate,
    )
    from libdrift.jobs.explaining import explain
    from libdrift.jobs.exploring import ExplorerPage, write_explorer
    from libdrift.jobs.fetching import (
        DataCheck,
        FetchedData,
        ListedData,
        check_data,
        get_data,
        list_data,
        remove_data,
    )
    from libdrift.jobs.generating import GeneratedFile, GenerateOptions, generate_tasks
    from libdrift.jobs.histories import diff, docs, history_of, mine, surface
    from libdrift.jobs.judging import Judged, JudgeOptions, judge_answers, judge_tasks
    from libdrift.jobs.listening import Listener
    from libdrift.jobs.listing import load_suite, suite_names, suite_statistics
    from libdrift.jobs.migrating import MigrateOptions, Migration, migrate
    from libdrift.jobs.on_demand import OnDemand
    from libdrift.jobs.papers import (
        DrawnFigures,
        FigureOptions,
        PaperReport,
        PaperRequest,
        draw_runs,
        report_paper,
    )
    from libdrift.jobs.prompting import PromptOptions, write_prompts
    from libdrift.jobs.recipe_starts import SourceOptions
    from libdrift.jobs.remaking_live import build_manifest
    from libdrift.jobs.reporting import Report, report
    from libdrift.jobs.reviewing import TaskReview, review_tasks
    from libdrift.jobs.scoring import ScoreOptions, score
    from libdrift.jobs.studies import CoverageOptions, coverage_of_tests, lint_study
    from libdrift.mining import MiningOptions, MiningResult
    from libdrift.scoring import RunOptions, Summary
    from libdrift.suites import register
    from libdrift.suites.benchmarks import Benchmark

_PLACES = {
    "analysis.comparing": "RunComparison",
    "analysis.correlating": "Correlations",
    "analysis.observing": "ObservedRun",
    "analysis.over_time": "TimeReport",
    "jobs.analysing": "compare correlate observed over_time",
    "analysis.coverage": "SuiteCoverage",
    "analysis.datasets": "SuiteStatistics",
    "analysis.lint_study": "LintStudy",
    "errors": "InfrastructureError LibdriftError MissingDataError UserError",
    "jobs.auditing": "Audit AuditOptions audit",
    "jobs.building": "BuildOptions BuiltFile build_completion build_control build_migration"
    " build_usage",
    "jobs.building_live": "LiveFile LiveOptions build_live",
    "jobs.remaking_live": "build_manifest",
    "jobs.checking": "CheckOptions CheckResult check",
    "jobs.evaluating": "EvaluateOptions Evaluation EvaluationPlan asking_for estimate evaluate",
    "jobs.explaining": "explain",
    "jobs.exploring": "ExplorerPage write_explorer",
    "jobs.fetching": "DataCheck FetchedData ListedData check_data get_data list_data remove_data",
    "history.questions": "Diff DiffFilter",
    "jobs.generating": "GenerateOptions GeneratedFile generate_tasks",
    "jobs.recipe_starts": "SourceOptions",
    "jobs.reviewing": "TaskReview review_tasks",
    "jobs.histories": "diff docs history_of mine surface",
    "mining": "MiningOptions MiningResult",
    "jobs.judging": "JudgeOptions Judged judge_answers judge_tasks",
    "jobs.listening": "Listener",
    "jobs.listing": "load_suite suite_names suite_statistics",
    "jobs.migrating": "MigrateOptions Migration migrate",
    "jobs.on_demand": "OnDemand",
    "jobs.papers": "DrawnFigures FigureOptions PaperReport PaperRequest draw_runs report_paper",
    "jobs.prompting": "PromptOptions write_prompts",
    "jobs.reporting": "Report report",
    "jobs.scoring": "ScoreOptions score",
    "jobs.studies": "CoverageOptions coverage_of_tests lint_study",
    "scoring": "RunOptions Summary",
    "suites": "register",
    "suites.benchmarks": "Benchmark",
}
_MODULE_OF = {name: module for module, names in _PLACES.items() for name in names.split()}

__all__ = [
    "Audit",
    "AuditOptions",
    "Benchmark",
    "BuildOptions",
    "BuiltFile",
    "CheckOptions",
    "CheckResult",
    "Correlations",
    "CoverageOptions",
    "DataCheck",
    "Diff",
    "DiffFilter",
    "DrawnFigures",
    "EvaluateOptions",
    "Evaluation",
    "EvaluationPlan",
    "ExplorerPage",
    "FetchedData",
    "FigureOptions",
    "GenerateOptions",
    "GeneratedFile",
    "InfrastructureError",
    "JudgeOptions",
    "Judged",
    "LibdriftError",
    "LintStudy",
    "ListedData",
    "Listener",
    "LiveFile",
    "LiveOptions",
    "MigrateOptions",
    "Migration",
    "MiningOptions",
    "MiningResult",
    "MissingDataError",
    "ObservedRun",
    "OnDemand",
    "PaperReport",
    "PaperRequest",
    "PromptOptions",
    "Report",
    "RunComparison",
    "RunOptions",
    "ScoreOptions",
    "SourceOptions",
    "SuiteCoverage",
    "SuiteStatistics",
    "Summary",
    "TaskReview",
    "TimeReport",
    "UserError",
    "__version__",
    "asking_for",
    "audit",
    "build_completion",
    "build_control",
    "build_live",
    "build_manifest",
    "build_migration",
    "build_usage",
    "check",
    "check_data",
    "compare",
    "correlate",
    "coverage_of_tests",
    "diff",
    "docs",
    "draw_runs",
    "estimate",
    "evaluate",
    "explain",
    "generate_tasks",
    "get_data",
    "history_of",
    "judge_answers",
    "judge_tasks",
    "lint_study",
    "list_data",
    "load_suite",
    "migrate",
    "mine",
    "observed",
    "over_time",
    "register",
    "remove_data",
    "report",
    "report_paper",
    "review_tasks",
    "score",
    "suite_names",
    "suite_statistics",
    "surface",
    "write_explorer",
    "write_prompts",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401  (whatever the name stands for)
    module = _MODULE_OF.get(name)
    if module is None:
        raise AttributeError(f"module 'libdrift' has no attribute {name!r}")
    found = getattr(importlib.import_module(f"libdrift.{module}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
