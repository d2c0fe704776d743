"""The progress bar appears on a terminal, on stderr, and only when the wait is long."""

from __future__ import annotations

import sys

from anholonomy.show import progress
from anholonomy.show.progress import watching


def test_a_pipe_has_no_bar():
    with watching() as bar:
        assert bar is None


def test_a_short_run_has_no_bar(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr(progress, "_PATIENCE", 1e9)
    with watching() as bar:
        bar(0.5)
        assert bar.shown is None
    assert capsys.readouterr() == ("", "")


def test_a_long_run_has_a_bar(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    with watching() as bar:
        bar(0.25)
        shown, task = bar.shown
        assert shown.tasks[task].completed == 0.25
        assert shown.tasks[task].total == 1.0
    assert shown.live.is_started is False
    assert capsys.readouterr().out == ""
