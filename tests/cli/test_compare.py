"""``anholonomy compare``: verdicts in words and as data, for every motion and for one."""

from __future__ import annotations

import json

from tests.wording import pinned


def test_every_motion(run, tmp_path):
    done = run("compare", "carriage", "--json", str(tmp_path / "answer.json"))
    assert done.code == 0, done.err
    assert "every motion of two-wheeled carriage is vakonomic: proven" in done.out
    plain = json.loads((tmp_path / "answer.json").read_text())
    assert (plain["verdict"], plain["explanation"], plain["multiplier"]["mu1"]) == ("proven", "cyclic momenta", "-m*v")


def test_one_motion(run):
    straight = ["x=0", "y=0", "theta=pi/4", "x'=1", "theta'=0"]
    done = run("compare", "skate", *(part for text in straight for part in ("--start", text)))
    assert done.code == 0, done.err
    assert "the motion of skate from this state is vakonomic: proven" in done.out


def test_what_cannot_be_asked_is_refused_in_a_sentence(run, tmp_path):
    file = tmp_path / "damped.toml"
    file.write_text(
        'schema = "anholonomy-system-1"\nname = "damped"\ncoordinates = ["x", "y"]\nlagrangian = "(x\'^2 + y\'^2)/2"\n'
        'constraints = { c = "y\' = x*x\'" }\nforces = { x = "-x\'" }\n'
    )
    done = run("compare", str(file))
    assert done.code != 0
    pinned(done.err)
    assert "Traceback" not in done.err
