"""From ``--model`` to a model: any of Inspect's, a server, a file of weights, a recording."""

from __future__ import annotations

import contextlib
import difflib
import hashlib
import re
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies

from inspect_ai.model import GenerateConfig, Model, get_model, modelapi

from libdrift.config import Settings
from libdrift.errors import InfrastructureError, UserError
from libdrift.evals import providers
from libdrift.evals.local import server, weights

EMBEDDED = "smollm2"
_SERVICE = "libdrift"  # the name under which Inspect knows a server of ours
_RAW = "openai-api-completions"
_RAW_PROVIDERS = (_RAW, "vllm-completions", "replay", "scripted")
# Providers that hold an answer to a schema. Others ignore it, or are too many to know.
_SCHEMAS = frozenset({"anthropic", "google", "grok", "mistral", "openai"})
FILE_MODELS = frozenset({"gguf", "replay", "scripted"})  # what stands behind the slash is a file
_CONNECT = 10.0  # seconds
_HEAD = 16 << 20  # bytes
_HELP = "See `libdrift eval --help`"

modelapi(name="replay")(providers.Replay)
modelapi(name="scripted")(providers.Scripted)


@dataclass(frozen=True, slots=True)
class Opened:
    """A model that is ready to be asked."""

    name: str  # as the user wrote it: where it is served changes nothing
    make: Callable[[], Model]  # a new one for each event loop
    structured: bool = False
    local: bool = False  # on this machine: one question after the other


@contextlib.contextmanager
def opened(
    name: str,
    settings: Settings,
    *,
    base_url: str | None = None,
    raw: bool = False,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Iterator[Opened]:
    """The model of that name; ``raw`` asks for one that goes on from a text."""
    provider, _, rest = name.partition("/")
    if name == EMBEDDED:
        path = weights.smollm2(settings, progress)
    elif provider == "gguf":
        path = providers.path_of(rest)
    else:
        yield _remote(name, base_url, settings.api_key, raw=raw)
        return
    with server.serve(path) as served:
        make = _maker(_spelled(served.model, raw=raw), served.base_url, raw=raw)
        yield Opened(name, make, local=True)


def refuse_unusable(
    name: str, settings: Settings, base_url: str | None, *, raw: bool, asked: bool = True
) -> None:
    """Say what is wrong with a model before work is done for it.

    Where nothing is ``asked`` of it, that it needs a key or a server does not matter.
    """
    provider, _, rest = name.partition("/")
    if provider in FILE_MODELS:
        providers.refuse_missing(provider, providers.path_of(rest))
    elif name != EMBEDDED and asked:
        _remote(name, base_url, settings.api_key, raw=raw)
    elif name != EMBEDDED:
        _inspect_name(name, base_url, raw=raw)


def identity(name: str) -> str:
    """What tells a file that stands in a model's place from another of the same name."""
    provider, _, rest = name.partition("/")
    path = providers.path_of(rest)
    if provider not in FILE_MODELS or not path.is_file():
        return ""
    with path.open("rb") as file:
        # Of weights the beginning, where they say what they are, and the size will do.
        head = file.read(_HEAD)
    return hashlib.sha256(head + str(path.stat().st_size).encode()).hexdigest()[:16]


def _spelled(model: str, *, raw: bool) -> str:
    return f"{_RAW if raw else 'openai-api'}/{_SERVICE}/{model}"


def _remote(name: str, base_url: str | None, api_key: str, *, raw: bool) -> Opened:
    spelled = _inspect_name(name, base_url, raw=raw)
    if base_url:
        _reach(base_url)
    make = _maker(spelled, base_url, raw=raw, api_key=api_key)
    make()  # what is wrong with it is said now, and not for every task
    return Opened(name, make, structured=spelled.partition("/")[0] in _SCHEMAS)


def _inspect_name(name: str, base_url: str | None, *, raw: bool) -> str:
    """A model as Inspect spells it, if it is one."""
    provider, _, rest = name.partition("/")
    if base_url and provider not in _known():
        # A server's own name for its model: nobody need know Inspect's names for that.
        spelled = _spelled(name, raw=raw)
    elif raw and provider == "openai-api":
        spelled = f"{_RAW}/{rest}"
    else:
        spelled = name
    provider = spelled.partition("/")[0]
    if provider not in _known():
        raise _unknown(name)
    if "/" not in spelled:
        raise UserError(f"{name} is a provider, not a model", f"Write {name}/NAME")
    if raw and provider not in _RAW_PROVIDERS:
        raise UserError(
            f"{provider} has no plain-text completions, which this strategy needs",
            "Use --strategy instruct, or a completions server with --base-url",
        )
    return spelled


def _reach(base_url: str) -> None:
    """Fail now where nobody listens: a provider would be tried again for minutes."""
    place = urlsplit(base_url)
    if place.scheme not in {"http", "https"} or not place.hostname:
        raise UserError(f"{base_url!r} is not an address", "Write it as http://127.0.0.1:8000/v1")
    if getproxies().get(place.scheme):
        return  # where the proxy leads is its own business
    port = place.port or (443 if place.scheme == "https" else 80)
    try:
        socket.create_connection((place.hostname, port), timeout=_CONNECT).close()
    except OSError as error:
        raise InfrastructureError(
            f"no server answers at {base_url}: {error.strerror or error}",
            "Start the server, or fix --base-url",
        ) from error


def _maker(
    spelled: str, base_url: str | None, *, raw: bool, api_key: str = ""
) -> Callable[[], Model]:
    own = spelled.split("/")[1] == _SERVICE
    arguments: dict[str, Any] = {"base_url": base_url} if base_url else {}
    if own:
        # Never another provider's key: this server is anybody's.
        arguments["api_key"] = api_key or "none"
        if not raw:
            arguments["emulate_tools"] = True

    def make() -> Model:
        from inspect_ai._util.error import PrerequisiteError

        try:
            made = get_model(spelled, memoize=False, config=GenerateConfig(), **arguments)
        except PrerequisiteError as error:
            raise _missing(spelled, str(error.message)) from error
        except (ValueError, ImportError) as error:
            raise UserError(f"cannot open {spelled}: {error}", _HELP) from error
        _retry_only_here(made)
        return made

    return make


def _retry_only_here(model: Model) -> None:
    """Stop a client from retrying by itself: Inspect does, and the two would multiply."""
    client, given = getattr(model.api, "client", None), getattr(model.api, "model_args", None)
    if isinstance(getattr(client, "max_retries", None), int):
        client.max_retries = 0  # type: ignore[union-attr]
        if isinstance(given, dict):
            given["max_retries"] = 0  # of a client that is made anew


def _known() -> list[str]:
    """Names of all providers, ours too."""
    from inspect_ai._util.registry import registry_find, registry_info, registry_unqualified_name

    found = registry_find(lambda info: info.type == "modelapi")
    return sorted({registry_unqualified_name(registry_info(item)) for item in found})


def _unknown(name: str) -> UserError:
    provider, slash, _ = name.partition("/")
    known = [*_known(), EMBEDDED, "gguf"]
    near = difflib.get_close_matches(provider, known, n=1)
    hint = f"Did you mean {near[0]}? " if near else ""
    what = f"unknown provider {provider!r}" if slash else f"unknown model {name!r}"
    return UserError(
        what,
        f"{hint}Write PROVIDER/NAME, such as openai/gpt-4o-mini, gguf/FILE, replay/FILE or "
        f"{EMBEDDED}; any server with --base-url",
    )


def _missing(spelled: str, message: str) -> UserError:
    """Inspect's own words for what is missing, in one line."""
    plain = " ".join(re.sub(r"\[/?[a-z ]+\]", "", message).split())
    variable = re.search(r"\b[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+\b", plain)
    if variable and "KEY" in variable[0]:
        return UserError(f"{spelled} needs a key", f"Set the variable {variable[0]}")
    install = re.search(r"pip install [\w\[\]'\"-]+", plain)
    if install:
        return UserError(f"{spelled} needs another package", f"Run: {install[0]}")
    return UserError(f"cannot open {spelled}: {plain}", _HELP)
