"""What a draft must stand before it is a task. Each drop is counted by its gate."""

from libdrift.build.live.gates.proving import GateKeeper, GateVerdict
from libdrift.build.live.gates.reading import PromptMaker

__all__ = ["GateKeeper", "GateVerdict", "PromptMaker"]
