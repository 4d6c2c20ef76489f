"""What changed between releases: every change once, how it breaks code, and what to use instead."""

from libdrift.history.differences.diff import compare

__all__ = ["compare"]
