"""How version-exact a documentation server is: asked by its own tools, graded without a model."""

from libdrift.mcp.measuring.adapters import ServerAdapter, adapter_names, load_adapter
from libdrift.mcp.measuring.grading import GradedAnswer, grade
from libdrift.mcp.measuring.running import ServerMeasurement, measure
from libdrift.mcp.measuring.sampling import SymbolCase, sample_cases

__all__ = [
    "GradedAnswer",
    "ServerAdapter",
    "ServerMeasurement",
    "SymbolCase",
    "adapter_names",
    "grade",
    "load_adapter",
    "measure",
    "sample_cases",
]
