"""One pipeline for programs and texts: answers, verdicts, scores, the summary of a run."""

from libdrift.scoring.answers import Answers, extract_code, read_answers
from libdrift.scoring.audit import AuditResult, SplitResult, audit
from libdrift.scoring.descriptions import fingerprint
from libdrift.scoring.hits import Hits, hit_rates
from libdrift.scoring.measures import AnswerMeasures
from libdrift.scoring.pipeline import (
    Numbers,
    OwnMeasures,
    OwnScores,
    conclude_file,
    judged_by_text,
    score_file,
)
from libdrift.scoring.rates import scores
from libdrift.scoring.running import RunListener, Runner, RunOptions
from libdrift.scoring.summary import Summary
from libdrift.scoring.verdicts import proven, score_attempts

__all__ = [
    "AnswerMeasures",
    "Answers",
    "AuditResult",
    "Hits",
    "Numbers",
    "OwnMeasures",
    "OwnScores",
    "RunListener",
    "RunOptions",
    "Runner",
    "SplitResult",
    "Summary",
    "audit",
    "conclude_file",
    "extract_code",
    "fingerprint",
    "hit_rates",
    "judged_by_text",
    "proven",
    "read_answers",
    "score_attempts",
    "score_file",
    "scores",
]
