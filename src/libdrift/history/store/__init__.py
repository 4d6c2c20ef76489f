"""Mined releases, kept: one SQLite file, what is in it, and how it goes in and out."""

from libdrift.history.store.database import Failure, Store, StoredRelease
from libdrift.history.store.exporting import export
from libdrift.history.store.holding import held_open
from libdrift.history.store.opening import nothing_mined
from libdrift.history.store.packages import not_mined

__all__ = ["Failure", "Store", "StoredRelease", "export", "held_open", "not_mined", "nothing_mined"]
