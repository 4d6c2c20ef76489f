"""Mined releases, kept: one SQLite file, what is in it, and how it goes in and out."""

from libdrift.history.store.database import Failure, Store, StoredRelease, nothing_mined

__all__ = ["Failure", "Store", "StoredRelease", "nothing_mined"]
