"""One failure for each room whose wording has changed, in a run with or without workers; and `--write-wording`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.wording.golden import FILE, GOLDEN

_COMPLAINTS = pytest.StashKey[dict[str, list[str]]]()
_EXISTING = pytest.StashKey[list[str]]()
_RAN = pytest.StashKey[list[str]]()
_UNFINISHED = pytest.StashKey[set[str]]()
_PASSED = pytest.StashKey[bool]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write-wording", action="store_true", help="write what messages say to tests/<room>/wording.txt")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--write-wording") and (hasattr(config, "workerinput") or config.getoption("numprocesses", 0)):
        raise pytest.UsageError("--write-wording needs -n 0: one process writes the files")
    config.stash[_COMPLAINTS], config.stash[_EXISTING] = {}, []
    config.stash[_RAN], config.stash[_UNFINISHED] = [], set()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests that are deselected afterwards exist all the same."""
    config.stash[_EXISTING] = [item.nodeid for item in items]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[object]:
    """What a test has seen counts when its call has passed."""
    if not GOLDEN.tidy:
        factory = getattr(item.config, "_tmp_path_factory", None)
        GOLDEN.tidy |= {str(factory.getbasetemp()): "/tmp"} if factory else {}
    item.config.stash[_RAN].append(item.nodeid)
    GOLDEN.begin()
    item.stash[_PASSED] = False
    try:
        return (yield)
    finally:
        if not item.stash[_PASSED]:
            item.config.stash[_UNFINISHED].add(item.nodeid)
        GOLDEN.end(item.nodeid, item.stash[_PASSED])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[Any]:
    report = yield
    if call.when == "call":
        item.stash[_PASSED] = report.passed
    return report


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """A worker hands over what it found."""
    for folder, lines in (getattr(node, "workeroutput", None) or {}).get("wording", {}).items():
        node.config.stash[_COMPLAINTS].setdefault(folder, []).extend(lines)


def pytest_sessionfinish(session: pytest.Session) -> None:
    config = session.config
    if config.getoption("--write-wording"):
        is_whole = not any("::" in argument for argument in config.args) and not config.getoption("lf", default=False)
        GOLDEN.write(config.stash[_RAN], config.stash[_EXISTING], config.stash[_UNFINISHED], is_whole)
        return
    if hasattr(config, "workerinput"):
        config.workeroutput["wording"] = GOLDEN.compare()
        return
    complaints = config.stash[_COMPLAINTS]
    for folder, lines in GOLDEN.compare().items():
        complaints.setdefault(folder, []).extend(lines)
    for folder, lines in sorted(complaints.items()):
        text = "\n".join([*lines, "", f"If the English is meant, write it: pytest -n 0 --write-wording {folder}"])
        where = f"{folder}/{FILE}"
        report = pytest.TestReport(where, (where, None, "the wording of messages"), {}, "failed", text, "call")
        config.hook.pytest_runtest_logreport(report=report)
    if complaints and session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
