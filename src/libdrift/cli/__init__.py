"""Commands only: parse, call, print. Heavy imports live inside the commands."""

from libdrift.cli.app import main

__all__ = ["main"]
