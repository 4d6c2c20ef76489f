"""libdrift: code that must work with exactly the library version at hand."""

__version__ = "0.1.0"
