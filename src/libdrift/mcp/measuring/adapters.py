"""Which tools of a server are called, with which arguments: a small YAML file for each server.

```yaml
steps:
  - tool: resolve-library-id
    arguments: {libraryName: "{package}"}
    take: {library: '(/[\\w.-]+/[\\w.-]+)'}   # a value for later steps, by a pattern's first group
  - tool: get-library-docs
    arguments: {context7CompatibleLibraryID: "{library}", topic: "{symbol}"}
```

The text of the last step is what is graded. ``{package}``, ``{version}`` and ``{symbol}`` are the
question's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

from libdrift.errors import UserError

_SUFFIX = ".yaml"


@dataclass(frozen=True, slots=True)
class AdapterStep:
    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    take: Mapping[str, re.Pattern[str]] = field(default_factory=dict)

    def filled(self, values: Mapping[str, str]) -> dict[str, Any]:
        return {name: _filled(value, values) for name, value in self.arguments.items()}

    def taken(self, text: str) -> dict[str, str]:
        found = ((name, pattern.search(text)) for name, pattern in self.take.items())
        return {name: match[1] for name, match in found if match}


@dataclass(frozen=True, slots=True)
class ServerAdapter:
    name: str
    steps: tuple[AdapterStep, ...]


def _filled(value: Any, values: Mapping[str, str]) -> Any:  # noqa: ANN401  (whatever YAML has)
    if isinstance(value, str):
        for name, text in values.items():
            value = value.replace("{" + name + "}", text)
        return value
    if isinstance(value, list):
        return [_filled(item, values) for item in value]
    if isinstance(value, dict):
        return {name: _filled(item, values) for name, item in value.items()}
    return value


def adapter_names() -> list[str]:
    """Servers that are known by name."""
    folder = resources.files(__package__) / "servers"
    return sorted(
        item.name.removesuffix(_SUFFIX) for item in folder.iterdir() if item.name.endswith(_SUFFIX)
    )


def load_adapter(name: str) -> ServerAdapter:
    """One that is known by name, or a file of one's own."""
    import yaml

    if name in adapter_names():
        text = (resources.files(__package__) / "servers" / f"{name}{_SUFFIX}").read_text("utf-8")
    elif Path(name).is_file():
        text = Path(name).read_text("utf-8", errors="replace")
    else:
        known = ", ".join(adapter_names())
        raise UserError(f"there is no adapter {name}", f"Name a YAML file, or one of: {known}")
    try:
        data = yaml.safe_load(text)
        return ServerAdapter(Path(name).stem, tuple(map(_step, data["steps"])))
    except (yaml.YAMLError, KeyError, TypeError, AttributeError, re.error) as error:
        what = " ".join(str(error).split())
        raise UserError(
            f"{name} is not an adapter: {what}", "docs/mcp.md describes the format"
        ) from error


def _step(data: Any) -> AdapterStep:  # noqa: ANN401
    take = {name: re.compile(pattern) for name, pattern in (data.get("take") or {}).items()}
    for name, pattern in take.items():
        if pattern.groups < 1:
            raise TypeError(f"the pattern of {name} has no group")
    return AdapterStep(str(data["tool"]), dict(data.get("arguments") or {}), take)
