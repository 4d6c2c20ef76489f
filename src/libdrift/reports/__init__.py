"""What a person reads: tables now, plots and pages later."""

from libdrift.reports.tables import percent

__all__ = ["percent"]
