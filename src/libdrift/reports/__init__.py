"""What a person reads: tables now, plots and pages later."""

from libdrift.reports.summary import Summary, percent, summarise, summarise_texts

__all__ = ["Summary", "percent", "summarise", "summarise_texts"]
