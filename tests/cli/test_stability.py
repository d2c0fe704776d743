"""Steady motions at the command line."""

from __future__ import annotations

import json

import pytest
import xarray as xr


def test_linearize_prints_eigenvalues_and_writes_matrices(run, tmp_path):
    done = run("linearize", "leaning-disc", "--fixed", "phi'=1", "--json", tmp_path / "disc.json")
    assert done.code == 0
    assert "carried along: x, y, psi, phi" in done.out
    assert "steady, unstable" in done.out
    told = json.loads((tmp_path / "disc.json").read_text())
    assert told["labels"] == ["theta", "x'", "psi'", "theta'"]
    assert max(real for real, _ in told["eigenvalues"]) > 2


def test_stability_finds_the_threshold_and_draws_it(run, tmp_path):
    picture, table = tmp_path / "disc.png", tmp_path / "disc.nc"
    done = run(
        "stability", "leaning-disc", "--over", "phi'", "1", "9", "--points", "20", "--plot", picture, "-o", table
    )
    assert done.code == 0
    assert "1.8083141320025: real, linearly unstable to marginal" in done.out.replace("251:", "25:").replace(
        "250:", "25:"
    )
    assert picture.stat().st_size > 5000
    assert xr.load_dataset(table).attrs["followed"] == "phi'"


def test_mistakes_get_a_sentence(run):
    for words, said in (
        (("linearize", "skate", "--fixed", "w=3"), "`given` has 'w', which is no coordinate or velocity"),
        (("linearize", "skate", "--fixed", "x'=a"), "--fixed x'=a: 'a' is not a number"),
        (("stability", "skate", "--over", "q'", "0", "1"), 'there is no "q\'" to follow'),
        (("stability", "skate", "--over", "x'", "0", "b"), "--over"),
    ):
        done = run(*words)
        assert done.code == 2
        assert said in done.err
        assert "Traceback" not in done.err


def test_a_section_is_printed_drawn_and_kept(run, tmp_path):
    picture, table = tmp_path / "points.png", tmp_path / "points.nc"
    done = run(
        "section",
        "leaning-disc",
        "--of",
        "theta' = 0",
        "--until",
        "6",
        "--direction",
        "1",
        "--plot",
        picture,
        "-o",
        table,
    )
    assert done.code == 0
    assert "the section theta' = 0: 5 crossings" in done.out
    assert picture.stat().st_size > 5000
    assert xr.load_dataset(table).sizes["crossing"] == 5


def test_a_section_that_is_never_met_says_so(run):
    done = run("section", "leaning-disc", "--of", "theta = 1.5", "--until", "2")
    assert done.code == 0
    assert "is never met" in done.out


def test_an_orbit_and_exponents_are_printed(run, tmp_path):
    done = run("periodic", "leaning-disc", "--until", "5", "-o", tmp_path / "orbit.nc")
    assert done.code == 0
    assert "leaning disc: closed orbit, period 1.17003694" in done.out
    done = run("lyapunov", "chaplygin-sleigh", "--until", "20", "--count", "1")
    assert done.code == 0
    assert "Lyapunov exponents after t = 20" in done.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("section", "skate", "--of", "q = 0"), "q"),
        (("section", "skate", "--of", "theta = 0", "--direction", "3"), "say 1 for upward"),
        (("periodic", "skate", "--until", "3"), "skate: "),
        (("periodic", "leaning-disc", "--period", "soon"), "--period"),
        (("lyapunov", "skate", "--until", "-3"), "--until is -3.0; give a positive number"),
    ],
)
def test_bad_cuts_get_a_sentence(run, arguments, said):
    done = run(*arguments)
    assert done.code == 2
    assert said in done.err
    assert "Traceback" not in done.err
