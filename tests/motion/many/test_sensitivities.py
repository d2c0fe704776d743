"""Derivatives of members beside `jax.grad` through the exported rates, in a loop of our own."""

import numpy as np
import pytest

from anholonomy.catalogue import chaplygin_sleigh

STEPS, UNTIL = 400, 3.0


@pytest.mark.exhaustive
def test_jax_differentiates_motions_as_sensitivities_do():
    """Of the last heading and position, by a start and a parameter; RK4 with 400 steps is exact to 1e-9 here."""
    jax = pytest.importorskip("jax")
    system, turns, arms = chaplygin_sleigh(), [0.7, -1.3], [0.2, 0.25]
    starts = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": turns}
    runs = system.ensemble(starts, times=[0, UNTIL / 2, UNTIL], parameters={"a": arms})
    found = runs.sensitivity(["a", "theta'"], of=["theta", "x"])
    assert found.dims == ("member", "time", "quantity", "unknown")
    equations = system.derive("hamel")
    names = list(equations.function().inputs)
    place = list(system.parameters).index("a")
    with jax.enable_x64(True):
        rates, h = equations.jax(), UNTIL / STEPS
        p0 = np.array([float(system.parameters[name]) for name in system.parameters])

        def last(a, turn, what):
            x = jax.numpy.array([0.0, 0.0, 0.0, 1.0, 0.0]).at[names.index("omega")].set(turn)
            p = jax.numpy.asarray(p0).at[place].set(a)

            def step(x, _):
                k1 = rates(0.0, x, p)
                k2 = rates(0.0, x + h / 2 * k1, p)
                k3 = rates(0.0, x + h / 2 * k2, p)
                k4 = rates(0.0, x + h * k3, p)
                return x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), None

            return jax.lax.scan(step, x, None, length=STEPS)[0][names.index(what)]

        slopes = jax.jit(jax.grad(last, argnums=(0, 1)), static_argnums=2)
        for i, (a, turn) in enumerate(zip(arms, turns, strict=True)):
            for what in ("theta", "x"):
                ours = found.isel(member=i, time=-1).sel(quantity=what).values
                np.testing.assert_allclose(ours, slopes(a, turn, what), atol=1e-8)
                assert np.abs(ours).min() > 1e-3
