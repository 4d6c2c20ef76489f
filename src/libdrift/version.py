"""The version of this libdrift, in every artifact that it makes."""

__version__ = "0.1.0"
