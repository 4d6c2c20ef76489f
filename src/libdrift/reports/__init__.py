"""What a person reads: tables now, plots and pages later."""

from libdrift.reports.score_tables import percent

__all__ = ["percent"]
