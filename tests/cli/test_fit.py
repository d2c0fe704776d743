"""Fits at the command line."""

from __future__ import annotations

import numpy as np

import anholonomy as ah


def table(path, **columns):
    names = ["time", *columns]
    rows = zip(np.linspace(0, 5, 30), *columns.values(), strict=True)
    path.write_text("\n".join([",".join(names), *(",".join(map(repr, map(float, row))) for row in rows)]) + "\n")
    return path


def test_fit_prints_values_and_leaves_motion_and_picture(run, tmp_path):
    start = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}
    motion = ah.catalogue.chaplygin_sleigh().with_parameters(a=0.3).simulate(start, times=np.linspace(0, 5, 30))
    data = table(tmp_path / "data.csv", x=motion["x"].values, theta=motion["theta"].values)
    words = [each for name, value in start.items() for each in ("--start", f"{name}={value}")]
    picture, kept = tmp_path / "fit.png", tmp_path / "fit.nc"
    done = run(
        "fit", "chaplygin-sleigh", data, "--estimate", "a,x'", *words, "--bound", "a=0,", "--sigma", "0.01",
        "--plot", picture, "-o", kept,
    )  # fmt: skip
    assert done.code == 0, done.err
    assert "a  = 0.3 ±" in done.out
    assert "identifiable: the data determine a, x'" in done.out
    assert picture.stat().st_size > 5000
    assert abs(ah.load(kept).system.parameters["a"] - 0.3) < 1e-9


def test_mistakes_get_a_sentence(run, tmp_path):
    data = table(tmp_path / "data.csv", x=np.zeros(30))
    (tmp_path / "words.csv").write_text("time,x\n0,hello\n")
    for words, said in (
        (("fit", "skate", data, "--estimate", "mm"), "--estimate has 'mm'"),
        (("fit", "skate", tmp_path / "none.csv", "--estimate", "m"), "cannot be read"),
        (("fit", "skate", tmp_path / "words.csv", "--estimate", "m"), "no number"),
        (("fit", "skate", data, "--estimate", "m"), "m does not act on what was measured"),
        (("fit", "skate", data, "--estimate", "m", "--sigma", "x=a"), "'a' is not a number"),
    ):
        done = run(*words)
        assert done.code == 2
        assert said in done.err


def test_discrete_steps_and_says_what_is_kept(run, tmp_path):
    kept = tmp_path / "run.nc"
    done = run("discrete", "nonholonomic-oscillator", "--method", "energy", "--step", "0.1", "--until", "5", "-o", kept)
    assert done.code == 0, done.err
    assert "energy keeps the constraint at nodes; energy" in done.out
    assert "50 of 0.1" in done.out
    assert ah.load(kept).data.attrs["integrator"] == "energy"
    done = run("discrete", "skate", "--method", "newmark", "--step", "0.1")
    assert done.code == 2
    assert "'newmark'" in done.err
