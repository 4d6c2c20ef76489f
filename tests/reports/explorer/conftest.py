"""Runs of our own, a browser of the system, and pages in it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.synthetic_runs import RunSize, suite_of, write_run, write_suite

# Never one that Playwright brings: nothing is downloaded.
BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)


@pytest.fixture(scope="package")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two runs of forty tasks, two answers each."""
    folder = tmp_path_factory.mktemp("explorer")
    suite = write_suite(folder / "tasks.jsonl", suite_of(40))
    found = []
    for model, skill in (("vendor/alpha", 0.9), ("vendor/beta", 0.7)):
        found.append(folder / "runs" / model.rpartition("/")[2])
        write_run(found[-1], suite, RunSize(40, 2, answer=300, log=200), model, skill)
    return found


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if BROWSER is None:
        pytest.skip("no Chromium on this machine: apt-get install chromium")
    with playwright.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield opened
        opened.close()


Open = Callable[..., Any]


@pytest.fixture
def opened(browser: Any) -> Iterator[Open]:
    """Opens an address, and fails where the page errs, or asks for anything that is not its own."""
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    troubles: list[str] = []

    def open_page(address: str, width: int = 1200) -> Any:
        page = context.new_page()
        own = address.partition("#")[0]
        page.set_viewport_size({"width": width, "height": 900})
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("dialog", lambda dialog: troubles.append(dialog.message))
        page.on(
            "console",
            lambda said: troubles.append(said.text) if said.type in {"error", "warning"} else None,
        )
        page.on(
            "request",
            lambda request: None if request.url.startswith(own) else troubles.append(request.url),
        )
        page.goto(address)
        page.wait_for_selector("html[data-ready]", timeout=20_000)
        return page

    yield open_page
    context.close()
    assert troubles == []


def settle(page: Any) -> None:
    """Wait until the page has drawn what a click or a key asked for."""
    page.evaluate(
        "() => new Promise(done => requestAnimationFrame(() =>"
        " requestAnimationFrame(() => setTimeout(done, 100))))"
    )
