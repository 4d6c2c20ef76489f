from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Environment:
    """An exact-version environment: what must be installed, not where.

    ``as_of`` is the date as of which unpinned transitive dependencies are resolved, so that the
    same benchmark gives the same environment next year.
    """

    language: str
    runtime: str
    requirements: tuple[str, ...]
    as_of: date | None = None

    def __post_init__(self) -> None:
        # Equal sets are one environment, however a suite happens to order or space them.
        normal = sorted({" ".join(r.split()) for r in self.requirements}, key=str.lower)
        object.__setattr__(self, "requirements", tuple(normal))

    @property
    def key(self) -> str:
        """Hash of the content: equal environments have equal keys on every machine."""
        content = {
            "language": self.language,
            "runtime": self.runtime,
            "requirements": self.requirements,
            "as_of": self.as_of.isoformat() if self.as_of else None,
        }
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:20]

    def __str__(self) -> str:
        return f"{self.language} {self.runtime} · {', '.join(self.requirements) or 'nothing'}"
