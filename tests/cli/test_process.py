"""What only a process of its own can show: imports, signals, encodings, colours."""

from __future__ import annotations

import subprocess
import sys

import pytest

import anholonomy as ah

HEAVY = ("sympy", "matplotlib", "xarray", "heyoka", "numba", "scipy", "rich")


@pytest.mark.parametrize("arguments", [["--help"], ["simulate", "--help"], ["--version"]], ids=" ".join)
def test_help_loads_nothing_heavy(arguments):
    script = f"""
import sys
from anholonomy.cli.main import main
try:
    main({arguments!r})
except SystemExit as leaving:
    assert leaving.code == 0
loaded = [name for name in {HEAVY!r} if name in sys.modules]
assert not loaded, loaded
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_refusal_has_no_traceback(process):
    started = process("simulate", "chaplygin-sleigh", "--set", "m=abc")
    out, err = started.communicate(timeout=60)
    assert started.returncode == 2
    assert out == ""
    assert err.startswith("anholonomy: --set m=abc")
    assert "Traceback" not in err


def test_a_pipe_gets_no_colours_and_poor_encodings_no_crash(process):
    started = process("list", PYTHONIOENCODING="ascii", FORCE_COLOR="", NO_COLOR="1")
    out, err = started.communicate(timeout=60)
    assert started.returncode == 0, err
    assert "\x1b" not in out
    assert "chaplygin-sleigh" in out


@pytest.mark.exhaustive
def test_an_interrupted_motion_is_kept(tmp_path):
    # The signal comes from within, at a moment when the integration is known to be under way.
    script = """
import signal
from contextlib import nullcontext
import anholonomy.public.motion
from anholonomy.cli.main import main
anholonomy.public.motion.watching = lambda given: nullcontext(lambda fraction: signal.raise_signal(signal.SIGINT))
main(["simulate", "leaning-disc", "--until", "1e7", "-o", "run.nc", "--plot", "run.png"])
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 130, done.stderr
    assert "the integration was interrupted" in done.stdout
    assert done.stderr == ""
    motion = ah.load(tmp_path / "run.nc")
    assert not motion.is_complete
    assert 0 < motion.time.size < 1001
    assert (tmp_path / "run.png").exists()


def test_an_interrupt_before_the_motion_ends_quietly(run, monkeypatch):
    from anholonomy.public.system import System

    def interrupted(self, *arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(System, "simulate", interrupted)
    done = run("simulate", "chaplygin-sleigh")
    assert done.code == 130
    assert done.out == ""
    assert done.err.strip() == ""
