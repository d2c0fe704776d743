"""A warning is one line on standard error; the answer on standard output is as usual."""

from __future__ import annotations

import warnings

import pytest

from anholonomy.public.system import System

DISC = """schema = "anholonomy-system-1"
name = "disc"
coordinates = { x = "length", y = "length", theta = "angle", phi = "angle" }
lagrangian = "(I + m*R^2)*theta'^2/2 + J*phi'^2/2"
constraints = ["x' = R*cos(phi)*theta'", "y' = R*sin(phi)*theta'"]
parameters = { m = 1.0, I = 0.5, J = 0.25, R = 1.0 }
"""


@pytest.fixture
def disc(tmp_path):
    """A file whose Lagrangian has the rolling in it."""
    path = tmp_path / "disc.toml"
    path.write_text(DISC, encoding="utf-8")
    return path


def test_a_warning_is_one_line(run, disc):
    done = run("derive", disc)
    assert done.code == 0
    (note,) = done.err.splitlines()
    assert note.startswith("note: disc: x', y' occur in the constraints but not in the Lagrangian.")
    assert "Warning" not in done.err
    assert "theta''" in done.out
    assert "note" not in done.out


@pytest.mark.exhaustive
def test_it_is_said_once_however_often_the_system_is_declared(run, disc, tmp_path):
    start = [word for name in ("x", "y", "theta", "phi", "theta'", "phi'") for word in ("--start", f"{name}=1")]
    done = run("study", disc, *start, "--until", "1", "-o", tmp_path / "out")
    assert done.code == 0
    assert [line for line in done.err.splitlines() if line.startswith("note:")] == done.err.splitlines()
    assert len(done.err.splitlines()) == 1


@pytest.mark.exhaustive
def test_it_is_said_without_a_trace_of_python(process, disc):
    started = process("show", str(disc))
    _, complaint = started.communicate(timeout=120)
    assert started.returncode == 0
    assert complaint.startswith("note: disc: x', y' occur")
    assert complaint.count("\n") == 1


def test_other_warnings_stay_as_they_are(run, disc, monkeypatch):
    seen, derive = [], System.derive

    def warning(*given, **named):
        warnings.warn("something else", UserWarning, stacklevel=1)
        return derive(*given, **named)

    monkeypatch.setattr(System, "derive", warning)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        monkeypatch.setattr(warnings, "showwarning", lambda message, *rest, **more: seen.append(str(message)))
        done = run("derive", disc)
    assert seen == ["something else"]
    assert done.err.startswith("note: disc: ")


def test_the_catalogue_gives_no_note(run):
    assert run("show", "rolling-disk").err == ""
