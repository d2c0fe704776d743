"""A studio in a process of its own, and the answers of its page."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

_PROGRAM = "from anholonomy.cli.main import main; main()"
_STARTS = 90_000
"""Milliseconds within which a worker has started on a busy machine."""


class Server:
    """A studio in a process of its own."""

    def __init__(self, folder: Path) -> None:
        words = ["studio", "--folder", str(folder), "--no-browser"]
        self.process = subprocess.Popen([sys.executable, "-c", _PROGRAM, *words], stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:\d+/\?token=\S+", self.process.stdout.readline())
        assert found is not None
        self.address = found[0]

    def kill(self) -> None:
        """As kill -9 does, without a word."""
        if self.process.poll() is None:
            os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


def latest(page: Any) -> int:
    """How many motions were shown."""
    return int(page.locator("#stage").get_attribute("data-count") or 0)


def wait_for_another(page: Any, before: int) -> None:
    page.wait_for_function(
        "before => Number(document.getElementById('stage').dataset.count || 0) > before", arg=before, timeout=_STARTS
    )
