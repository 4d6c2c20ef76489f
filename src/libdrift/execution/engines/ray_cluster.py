"""Ray: the one place that imports it."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable, Generator, Sequence
from typing import Any

from libdrift.errors import InfrastructureError, UserError
from libdrift.execution.engines.hosting import ClusterNode, Hosted, HostLostError, Stream

logger = logging.getLogger(__name__)

_AHEAD = 8  # items of a stream that its node makes before the driver has taken them
_ANSWER = 10.0  # seconds that an address is given to answer


def connect(address: str) -> RayCluster:
    """The cluster at an address: ``auto`` for the one that this machine is a node of."""
    try:
        import ray
    except ImportError as error:
        raise UserError(
            "--engine ray needs Ray, which is not installed",
            "Install it with: pip install 'libdrift[ray]'",
        ) from error
    if not ray.is_initialized():
        _check(address)
        try:
            ray.init(
                address=address,
                log_to_driver=False,
                logging_level=logging.ERROR,
                configure_logging=False,
            )
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise _silent(address, error) from error
        _keep_stdout()
    return RayCluster()


def _keep_stdout() -> None:
    """To the log with what Ray says of its nodes: it prints that on stdout, between results."""
    from ray._private import worker

    def told(data: dict[str, Any], ignore_prefix: bool) -> None:  # noqa: FBT001  (as Ray calls it)
        del ignore_prefix
        logger.info("ray: %s", "\n".join(map(str, data.get("lines", ()))))

    worker.print_to_stdstream = told


def _check(address: str) -> None:
    """Ray waits for a minute where nobody listens, and then ends the process."""
    if address == "auto":
        return
    host, colon, port = address.rpartition(":")
    if not colon or not port.isdecimal():
        raise UserError(
            f"--address {address!r} is not the address of a cluster", "Write auto or HOST:PORT"
        )
    try:
        socket.create_connection((host, int(port)), _ANSWER).close()
    except (OSError, OverflowError) as error:
        raise _silent(address, error) from error


def _silent(address: str, error: Exception) -> InfrastructureError:
    first = (str(error).strip().splitlines() or [type(error).__name__])[0]
    return InfrastructureError(
        f"no Ray cluster answers at {address}: {first[:200]}",
        "Start one with: ray start --head   (or give --address HOST:PORT, on one of its nodes)",
    )


class RayCluster:
    """Hosts objects as actors. An actor that dies is not restarted here: others take its work."""

    def nodes(self) -> list[ClusterNode]:
        import ray

        found = []
        for one in ray.nodes():
            cpus = int(one["Resources"].get("CPU", 0))
            if one["Alive"] and cpus:
                where = one.get("NodeManagerHostname") or one["NodeManagerAddress"]
                found.append(ClusterNode(one["NodeID"], f"{where} ({one['NodeID'][:8]})", cpus))
        return found

    def host(self, node: ClusterNode, make: Callable[[], Any]) -> Hosted:
        import ray
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        pinned = NodeAffinitySchedulingStrategy(node.id, soft=False)
        kind = ray.remote(_Host)
        return _RayHosted(
            kind.options(num_cpus=1, max_restarts=0, scheduling_strategy=pinned).remote(make)
        )

    def ready(self, streams: Sequence[Stream], seconds: float) -> list[Stream]:
        import ray

        known = {one.items: one for one in streams if isinstance(one, _RayStream)}
        waiting = list(known)
        if not waiting:
            return []
        # All that are ready now, if any is: else the first would always be served first.
        found, _ = ray.wait(waiting, num_returns=len(waiting), timeout=0, fetch_local=False)
        if not found and seconds:
            found, _ = ray.wait(waiting, num_returns=1, timeout=seconds, fetch_local=False)
        return [known[one] for one in found]


class _Host:
    """Runs on a node: an object, and calls of its methods."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._made = make()

    def call(self, method: str, *arguments: Any) -> Any:  # noqa: ANN401
        return getattr(self._made, method)(*arguments)

    def stream(self, method: str, *arguments: Any) -> Generator[Any]:  # noqa: ANN401
        yield from getattr(self._made, method)(*arguments)


class _RayHosted:
    def __init__(self, actor: Any) -> None:  # noqa: ANN401  (a handle, which Ray does not type)
        self._actor = actor

    def call(self, method: str, *arguments: Any, seconds: float) -> Any:  # noqa: ANN401
        import ray
        from ray.exceptions import GetTimeoutError, RayError

        try:
            return ray.get(self._actor.call.remote(method, *arguments), timeout=seconds)
        except GetTimeoutError as error:
            raise TimeoutError from error
        except RayError as error:
            raise HostLostError(_reason(error)) from error

    def stream(self, method: str, *arguments: Any) -> Stream:  # noqa: ANN401
        options = {"num_returns": "streaming", "_generator_backpressure_num_objects": _AHEAD}
        return _RayStream(self._actor.stream.options(**options).remote(method, *arguments))

    def end(self) -> None:
        import ray

        ray.kill(self._actor)


class _RayStream:
    def __init__(self, items: Any) -> None:  # noqa: ANN401  (Ray's generator of references)
        self.items = items

    def take(self) -> Any:  # noqa: ANN401
        import ray
        from ray.exceptions import RayError

        try:
            return ray.get(next(self.items))
        except RayError as error:
            raise HostLostError(_reason(error)) from error


def _reason(error: Exception) -> str:
    """Why, in one line: what an actor raised, or how it died."""
    cause = getattr(error, "cause", None)
    if isinstance(cause, BaseException):
        return f"{type(cause).__name__} {cause}".strip()[:300]
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    told = next((line for line in lines if "emory" in line), (lines or [""])[0])
    return f"{type(error).__name__}: {told}"[:300]
