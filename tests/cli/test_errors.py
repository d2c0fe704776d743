"""Every mistake at the command line is one sentence on stderr and exit code 2."""

from __future__ import annotations

import os

import pytest

from anholonomy.cli.main import main
from tests.wording import blames, pinned

SLEIGH = "chaplygin-sleigh"
RUN = ("simulate", SLEIGH)

# arguments, a fragment of the sentence
MISTAKES = [
    (("foo",), "there is no command 'foo'; `anholonomy --help` lists"),
    (("consrved", "skate"), "did you mean 'conserved'?"),
    (("conserved", "skate", "--limit", "3"), "conserved has no option --limit; write --time-limit."),
    (("conserved", "skate", "--level", "energy"), "--level 'energy' is not an equation; write quantity = value"),
    (("conserved", "skate", "--free", "zz"), "no parameter 'zz'"),
    (("conserved", "skate", "--degree", "two"), "'--degree'"),
    (("momentum-equation", "skate", "--field", "q=1"), "q"),
    (("shortest", "skate", "--start", "x=0,y=0,theta=0"), "Missing option '--end'"),
    (("ehresmann", "skate", "--base", "q"), "q"),
    (("phase-portrait", "skate", "--over", "x=1:2:3"), "Missing option '--plot'"),
    (("derive", "skate", "--at", "x=0"), "the state lacks y, theta"),
    (("--foo",), "No such option: --foo"),
    (("show",), "Missing argument 'NAME|FILE'; `anholonomy show --help` has examples."),
    (("show", "foo"), "there is no system 'foo'; `anholonomy list` shows"),
    (("show", "chaplygin-slay"), "did you mean 'chaplygin-sleigh'?"),
    (("simulate", "sleigh"), "there is no system 'sleigh'; did you mean 'chaplygin-sleigh'?"),
    (("show", "bicycle"), "did you mean 'whipple-bicycle'?"),
    (("show", "trailer:3"), "did you mean 'n-trailer' or 'off-axle-trailer'?"),
    (("show", "absent.toml"), "there is no file absent.toml"),
    (("show", "."), "there is no system '.'"),
    (("show", "n-trailer:x"), "n-trailer:n: 'x' is not a number"),
    (("show", "n-trailer:1.5"), "n-trailer:n: 1.5 is not a whole number"),
    (("show", "n-trailer:-1"), "give a whole number from 0 to 500"),
    (("show", "n-trailer:1e9"), "give a whole number from 0 to 500"),
    (("show", "x" * 5000), "there is no system 'xxx"),
    (("show", "a\0b"), "there is no system 'a\\x00b'"),
    (("show", "n-trailer:"), "'' after the colon names no argument; write n-trailer:n=3 or n-trailer:3"),
    (("show", "n-trailer:k=3"), "n-trailer has no argument 'k'; its arguments are n, m, J, d"),
    (("show", "n-trailer:3,n=4"), "n-trailer is given n twice"),
    (("show", "chaplygin-sleigh:3"), "'3' after the colon names no argument; write chaplygin-sleigh:m=1"),
    (("show", "foo:3"), "there is no system 'foo:3'"),
    (("derive", SLEIGH, "--by", "newton"), "there is no principle 'newton'"),
    (("derive", SLEIGH, "--by", "hamell"), "there is no principle 'hamell'; did you mean 'hamel'?"),
    (("verify", SLEIGH, "--states", "0"), "'--states'"),
    (("verify", SLEIGH, "--digits", "many"), "'--digits'"),
    ((*RUN, "--set", "m=abc"), "--set m=abc: 'abc' is not a number"),
    ((*RUN, "--set", "m"), "--set m: a value is given as `name = value`"),
    ((*RUN, "--set", "q=1"), "no parameter 'q'"),
    ((*RUN, "--set", "m=1", "--set", "m=2"), "gives m twice"),
    ((*RUN, "--set", "m=1e999"), "exponent"),
    ((*RUN, "--set", "m=1e350"), "too large"),
    ((*RUN, "--set", "m=1/0"), "divides by zero"),
    ((*RUN, "--set", "t=1"), "`t` is reserved"),
    ((*RUN, "--start", "x==1"), "write a single `=`"),
    ((*RUN, "--start", "z=1"), "the state has z"),
    ((*RUN, "--start", "t="), "--start t="),
    ((*RUN, "--start", "y'=1"), "violates the constraint blade"),
    ((*RUN, "--until", "-"), "--until: '-' is not a number"),
    ((*RUN, "--until", "nan"), "--until: 'nan' is not a number"),
    ((*RUN, "--until", "0"), "--until 0.0 is the time of the start"),
    ((*RUN, "--times", "a,b"), "--times: 'a' is not a number"),
    ((*RUN, "--times", ""), "--times: '' is not a number"),
    ((*RUN, "--times", "0,1,0"), "--times must increase"),
    ((*RUN, "--until", "1", "--times", "0,1"), "give one of them"),
    ((*RUN, "--by", "newton"), "there is no principle 'newton'"),
    ((*RUN, "--integrator", "euler"), "no integrator 'euler'"),
    ((*RUN, "--tolerance", "x"), "--tolerance: 'x' is not a number"),
    ((*RUN, "--tolerance", "2"), "between 0 and 1"),
    ((*RUN, "--event", "x - 1"), "--event x - 1: write a name and an expression"),
    ((*RUN, "--event", "a=x", "--event", "a=y"), "--event gives a twice"),
    ((*RUN, "--event", "a=q"), "the event 'a' uses q"),
    ((*RUN, "--stop-at", "a"), "declare it in --event"),
    ((*RUN, "-o", "."), "it is a folder"),
    ((*RUN, "-o", "absent/run.nc"), "there is no folder absent"),
    ((*RUN, "-o", "file/run.nc"), "there is no folder file"),
    ((*RUN, "--plot", "."), "it is a folder"),
    ((*RUN, "--plot", "run.xyz"), "a picture's name ends in one of"),
    ((*RUN, "--plot", "run"), "a picture's name ends in one of"),
    (("study", SLEIGH), "Missing option '--output'"),
    (("study", SLEIGH, "-o", "file"), "a file of that name exists"),
    (("study", SLEIGH, "-o", "file/x"), "cannot make the folder"),
    (("study", SLEIGH, "-o", "taken"), "it is a folder"),
    (("simulate", "ball.toml", "--until", "1"), "the file declares no start; give one"),
    (("simulate", "ball.toml", "--start", "x=0", "--until", "1"), "the parameter m has no value"),
    (("simulate", "ball.toml", "--start", "x=0"), "give --until or --times"),
    (("study", "ball.toml", "-o", "out"), "the file declares no start"),
    (("show", "file"), "has no `schema`"),
]


@pytest.fixture
def place(tmp_path, ball, monkeypatch):
    """A folder with a file and a folder where files should go."""
    (tmp_path / "file").touch()
    (tmp_path / "taken" / "run.nc").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("arguments", "fragment"), MISTAKES, ids=lambda x: " ".join(x) if isinstance(x, tuple) else "")
def test_a_mistake_is_one_sentence(run, place, arguments, fragment):
    done = run(*arguments)
    assert done.code == 2
    assert done.out == ""
    first, *caret = done.err.splitlines()
    assert first.startswith("anholonomy: ")
    assert fragment in first
    assert first.endswith((".", "?"))
    # A complaint about a text may show the text and point into it, nothing else.
    assert all(line.startswith("    ") for line in caret)
    assert len(caret) in (0, 2)
    assert not (place / "out").exists()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission_is_refused_before_the_work(run, tmp_path):
    tmp_path.chmod(0o500)
    pinned(run(*RUN, "-o", tmp_path / "run.nc").err)


def test_a_full_disk_is_a_sentence_too(run, tmp_path, monkeypatch):
    from matplotlib.figure import Figure

    def full(self, path, **options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Figure, "savefig", full)
    done = run(*RUN, "--until", "1", "--plot", tmp_path / "run.png")
    assert done.code == 2
    pinned(done.err, "run", "png")


def test_the_unexpected_is_not_swallowed(monkeypatch):
    from anholonomy.public.system import System

    def broken(self, *arguments, **options):
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(System, "simulate", broken)
    with blames(ZeroDivisionError):
        main(list(RUN))


def test_a_quarter_turn_is_refused_with_a_start_that_is_none(run):
    """The default start of the sleigh goes along x, which its blade then forbids."""
    done = run("simulate", "chaplygin-sleigh", "--start", "theta=pi/2", "--until", "1")
    assert done.code == 2
    assert done.err.startswith(
        "anholonomy: Chaplygin sleigh: with the velocities given no y' satisfies the constraint blade"
    )
    assert "the nearest start has x'=0, y'=0, theta'=0.5; use it, or add --project." in done.err
    along = run(
        "simulate", "chaplygin-sleigh", "--start", "theta=pi/2", "--start", "x'=0", "--start", "y'=1", "--until", "1"
    )
    assert along.code == 0
    assert "integrated to the end" in along.out
