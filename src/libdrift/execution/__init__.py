"""From attempts to verdicts: read answers, run them in their environments, keep every result."""

from libdrift.execution.answers import Answers, extract_code, read_answers
from libdrift.execution.audit import AuditResult, SplitResult, audit
from libdrift.execution.hits import Hits, hit_rates
from libdrift.execution.jobs import Options, Progress, run_jobs
from libdrift.execution.plan import Job
from libdrift.execution.runs import RunFolder, fingerprint
from libdrift.execution.scoring import proven, score_attempts, scores

__all__ = [
    "Answers",
    "AuditResult",
    "Hits",
    "Job",
    "Options",
    "Progress",
    "RunFolder",
    "SplitResult",
    "audit",
    "extract_code",
    "fingerprint",
    "hit_rates",
    "proven",
    "read_answers",
    "run_jobs",
    "score_attempts",
    "scores",
]
