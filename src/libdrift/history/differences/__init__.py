"""What changed between releases: every change once, how it breaks code, and what to use instead."""

from libdrift.history.differences.diff import Examined, compare, examine

__all__ = ["Examined", "compare", "examine"]
