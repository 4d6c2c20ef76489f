"""Programs are run in their environments, judged, and every verdict is kept."""

from libdrift.execution.jobs import Options, Progress, Silent, run_jobs
from libdrift.execution.plan import Job
from libdrift.execution.runs import RunFolder

__all__ = ["Job", "Options", "Progress", "RunFolder", "Silent", "run_jobs"]
