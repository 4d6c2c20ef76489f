"""The server for agents: start, latency, memory, random calls, many clients at once.

    python benchmarks/mcp_server.py [--store FILE] [--calls 1000] [--clients 50] [--seconds 60]

Nothing is mined: it asks of what the history has. The ratio is to a bare server of the same SDK
whose one tool answers at once: what is left is libdrift's own.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from libdrift.history.paths import public_paths
from libdrift.history.store import Store
from libdrift.jobs.histories import history_file

BARE = """
import anyio, mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
async def listed(c, p):
    return types.ListToolsResult(tools=[types.Tool(name="t", input_schema={"type": "object"})])
async def called(c, p):
    return types.CallToolResult(content=[types.TextContent(type="text", text="x" * 1000)])
async def main():
    s = Server("bare", on_list_tools=listed, on_call_tool=called)
    async with stdio_server() as (i, o):
        await s.run(i, o, s.create_initialization_options())
anyio.run(main)
"""
_SYMBOLS, _SEARCHES = 0.6, 0.2  # shares of the calls; the rest asks for changes
Question = tuple[str, dict[str, Any], str]  # tool, arguments, the version that must be served


def questions(store: Path, count: int) -> list[Question]:
    """Symbols at releases, half of them of another release, which may not have them."""
    chance = random.Random(7)  # noqa: S311  (a sample)
    with Store.open(store, readonly=True) as history:
        mined = {name: history.releases(name) for name in history.packages()}
        known = {name: [one.release.version for one in found] for name, found in mined.items()}
        names = [name for name, found in known.items() if len(found) > 1]
        paths: dict[str, list[str]] = {}
        for name in names:
            surface = history.surface(name, chance.choice(known[name]))
            paths[name] = [path for path, _ in public_paths(surface).values()]
    releases = sum(map(len, known.values()))
    print(f"history: {len(names)} packages, {releases} releases")
    # A project has one upgrade of a package ahead, and asks of it again and again.
    upgrades = {name: [known[name][len(known[name]) // 2], known[name][-1]] for name in names}
    found: list[Question] = []
    for _ in range(count):
        name = chance.choice(names)
        version = chance.choice(known[name])
        symbol = chance.choice(paths[name])
        kind = chance.random()
        if kind < _SYMBOLS:
            arguments = {"symbol": symbol, "package": name, "version": version}
            found.append(("symbol_at", arguments, version))
        elif kind < _SYMBOLS + _SEARCHES:
            words = symbol.rpartition(".")[2].replace("_", " ") or "open"
            arguments = {"query": f"{words} value", "package": name, "version": version}
            found.append(("search_docs", arguments, version))
        else:
            old, new = upgrades[name]
            arguments = {"package": name, "from": old, "to": new, "symbols": [symbol]}
            found.append(("changes", arguments, new))
    return found


def percentile(values: list[float], at: float) -> float:
    return sorted(values)[min(len(values) - 1, int(at * len(values)))]


def rss(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text("ascii")
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def child() -> int:
    """The server's process: the newest child of this one."""
    own = str(os.getpid())
    found = []
    for place in Path("/proc").iterdir():
        if place.name.isdecimal():
            try:
                parts = (place / "stat").read_text("ascii", "replace").rpartition(")")[2].split()
            except OSError:
                continue
            if parts[1] == own:
                found.append(int(place.name))
    return max(found)


async def started(server: StdioServerParameters) -> float:
    start = time.perf_counter()
    async with Client(stdio_client(server)) as client:
        await client.list_tools()
        return time.perf_counter() - start


async def sequential(server: StdioServerParameters, asked: list[Question]) -> None:
    times: dict[str, list[float]] = {}
    sizes: list[int] = []
    faults: Counter[str] = Counter()
    async with Client(stdio_client(server)) as client:
        first: dict[str, list[float]] = {}
        for warm in (False, True):
            for tool, arguments, version in asked:
                start = time.perf_counter()
                result = await client.call_tool(tool, arguments)
                taken = time.perf_counter() - start
                (times if warm else first).setdefault(tool, []).append(taken)
                if not warm:
                    continue
                text = result.content[0].text  # type: ignore[union-attr]
                sizes.append(len(text))
                if result.is_error:
                    faults["refused"] += 1
                    continue
                data = result.structured_content
                release = data["new"] if tool == "changes" else data["release"]
                faults["another version"] += release["version"] != version
                faults["version not stated"] += f"{arguments['package']} {version}" not in text
        memory = rss(child())
    for tool, some in sorted(times.items()):
        print(
            f"{tool}: {len(some)} calls, median {1000 * median(some):.0f} ms,"
            f" p95 {1000 * percentile(some, 0.95):.0f} ms;"
            f" asked for the first time p95 {1000 * percentile(first[tool], 0.95):.0f} ms"
        )
    print(f"tokens: median {median(sizes) / 4:.0f}, most {max(sizes) / 4:.0f}")
    print(f"memory: {memory:.0f} MB at most; faults: {dict(faults)}")


async def crowd(url: str, asked: list[Question], clients: int, seconds: float) -> None:
    until = time.monotonic() + seconds
    done: Counter[str] = Counter()

    async def one(number: int) -> None:
        chance = random.Random(number)  # noqa: S311  (a sample)
        try:
            async with Client(url) as client:
                while time.monotonic() < until:
                    tool, arguments, _ = chance.choice(asked)
                    result = await client.call_tool(tool, arguments)
                    done["refused" if result.is_error else "answered"] += 1
        except Exception as error:  # noqa: BLE001  (counted, with its kind)
            done[f"error {type(error).__name__}"] += 1

    await asyncio.gather(*(one(number) for number in range(clients)))
    print(f"{clients} clients for {seconds:.0f} s: {dict(done)}")


async def served(command: list[str], port: int, use: Callable[[str], Any]) -> None:
    process = await asyncio.create_subprocess_exec(*command, "--http", "--port", str(port))
    try:
        for _ in range(200):
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.close()
                break
            except OSError:
                await asyncio.sleep(0.1)
        await use(f"http://127.0.0.1:{port}/mcp")
        print(f"memory of the HTTP server: {rss(process.pid):.0f} MB at most")
    finally:
        process.terminate()
        await process.wait()


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", type=Path, default=None)
    parser.add_argument("--calls", type=int, default=1000)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--port", type=int, default=8849)
    given = parser.parse_args()
    store = history_file(given.store)
    words = ["-m", "libdrift", "mcp", "--no-mine", "--store", str(store)]
    environment = dict(os.environ)
    ours = StdioServerParameters(command=sys.executable, args=words, env=environment)
    bare = StdioServerParameters(command=sys.executable, args=["-c", BARE], env=environment)
    starts = [(await started(ours), await started(bare)) for _ in range(3)]
    own, other = min(one for one, _ in starts), min(one for _, one in starts)
    print(f"start: {own:.2f} s, {own / other:.2f} × a bare server of the SDK ({other:.2f} s)")
    asked = questions(store, given.calls)
    await sequential(ours, asked)
    await served(
        [sys.executable, *words],
        given.port,
        lambda url: crowd(url, asked, given.clients, given.seconds),
    )


if __name__ == "__main__":
    asyncio.run(main())
