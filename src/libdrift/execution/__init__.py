"""From attempts to verdicts: read answers, run them in their environments, keep every result."""

from libdrift.execution.answers import Answers, LeftOut, extract_code, read_answers
from libdrift.execution.audit import AuditResult, audit
from libdrift.execution.jobs import Job, Options, Progress, run_jobs
from libdrift.execution.runs import RunFolder, fingerprint
from libdrift.execution.scoring import score_attempts, scores

__all__ = [
    "Answers",
    "AuditResult",
    "Job",
    "LeftOut",
    "Options",
    "Progress",
    "RunFolder",
    "audit",
    "extract_code",
    "fingerprint",
    "read_answers",
    "run_jobs",
    "score_attempts",
    "scores",
]
