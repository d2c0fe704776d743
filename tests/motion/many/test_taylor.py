"""Members by Taylor series beside those by DOP853."""

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.catalogue import chaplygin_sleigh
from anholonomy.motion.integrators import taylor_lanes as taylor

pytest.importorskip("heyoka")
COUNT = 21
STARTS = {"x": 0, "y": 0, "theta": np.linspace(0, 6, COUNT), "x'": 0.0, "y'": 0.0, "theta'": np.linspace(-2, 2, COUNT)}


@pytest.mark.parametrize("times", [[0, 5], [0, 1, 2.5, 5], [0, -3]], ids=["ends", "samples", "backward"])
def test_series_are_the_motions_of_dop853(times):
    asked = {"times": times, "tolerance": 1e-13, "parameters": {"a": np.linspace(0.1, 0.3, COUNT)}}
    asked |= {"events": {"slow": "theta' - 0.5"}, "stop": "slow"}
    runs, others = (chaplygin_sleigh().ensemble(STARTS, **asked, integrator=name) for name in ("taylor", "runge-kutta"))
    assert runs.data.attrs["alone"] == 0
    for name in ("x", "theta", "theta'"):
        np.testing.assert_allclose(runs[name].values, others[name].values, atol=1e-10)
    np.testing.assert_allclose(runs.events.values, others.events.values, atol=1e-9)
    np.testing.assert_allclose(runs.data["stop_time"], others.data["stop_time"], atol=1e-9)


def test_a_member_that_blows_up_has_its_sentence_and_the_others_arrive():
    well = ah.System(name="well", coordinates=["x"], lagrangian="x'^2/2 + x^4/4")
    runs = well.ensemble({"x": [0.0, 1.0, 0.1], "x'": [0.0, 1.0, 0.0]}, until=4, integrator="taylor")
    assert "ceased to be finite" in runs.outcomes[1]
    assert np.isfinite(runs["x"].values[[0, 2]]).all()
    assert runs.data["complete"].values.tolist() == [True, False, True]


def test_series_are_taken_where_they_are_faster(monkeypatch, tmp_path):
    asked = []
    real = taylor.by_taylor
    monkeypatch.setattr(
        "anholonomy.motion.driver.many_motions.by_taylor", lambda *words: asked.append(len(words[2])) or real(*words)
    )
    many = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": np.linspace(-2, 2, 600)}
    chaplygin_sleigh().ensemble(many, until=1, tolerance=1e-8)
    chaplygin_sleigh().ensemble(STARTS, until=1, tolerance=1e-12)
    assert not asked
    runs = chaplygin_sleigh().ensemble(many, until=1, tolerance=1e-12)
    assert sum(asked) == 600
    stored = chaplygin_sleigh().ensemble(many, until=1, tolerance=1e-12, store=tmp_path / "runs.zarr")
    np.testing.assert_array_equal(stored["theta"].values, runs["theta"].values)  # in whatever blocks
    again = chaplygin_sleigh().ensemble({**many, "theta'": many["theta'"][::-1]}, until=1, tolerance=1e-12)
    np.testing.assert_array_equal(again["theta"].values[::-1], runs["theta"].values)  # whoever goes beside it
