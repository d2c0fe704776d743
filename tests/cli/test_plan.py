"""``anholonomy plan`` finds, prints, writes, and says why it does not."""

from __future__ import annotations

import pytest

import anholonomy as ah

ENDS = ("--from", "x=0,y=0,theta=0", "--to", "x=0,y=1", "--to", "theta=pi/2")


def test_a_plan_is_printed_written_and_drawn(run, tmp_path):
    motion, picture = tmp_path / "plan.nc", tmp_path / "plan.png"
    wall = ("--obstacle", "x <= 0.5", "--bound", "u=-1,1", "--bound", "omega=-pi/2,pi/2")
    done = run("plan", "skate", *ENDS, "--cost", "time", *wall, "-o", motion, "--plot", picture)
    assert done.code == 0
    assert "a plan was found" in done.out
    assert f"motion written to {motion}" in done.out
    assert float(ah.load(motion)["y"][-1]) == pytest.approx(1, abs=1e-6)
    assert picture.exists()


def test_what_is_not_found_leaves_with_one_and_the_best_so_far(run, tmp_path):
    motion = tmp_path / "best.nc"
    done = run("plan", "skate", *ENDS, "--bound", "u=-1,1", "--horizon", "0.5", "-o", motion)
    assert done.code == 1
    assert motion.exists()
    assert "no plan was found: in the best one" in done.out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--bound", "u=1"), "write the least and the greatest value, such as u=-1,1"),
        (("--bound", "v=-1,1"), "--bound has v"),
        (("--obstacle", "x = 1"), "an inequality compares two sides"),
        (("--cost", "w^2"), "w appears in the cost"),
        (("--horizon", "soon"), "--horizon: 'soon' is not a number"),
        (("-o", "plan.txt"), "the name of a motion's file ends in"),
        (("--to", "y=2"), "--end gives y twice"),
    ],
)
def test_mistakes_are_refused_in_a_sentence(run, options, said):
    done = run("plan", "skate", *ENDS, *options)
    assert done.code == 2
    assert said in done.err


def test_a_start_is_needed_where_none_is_declared(run):
    done = run("plan", "skate", "--end", "x=1")
    assert done.code == 2
    assert "declares no start; give --start, such as" in done.err
