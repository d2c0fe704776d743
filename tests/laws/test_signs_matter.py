"""The law has teeth: with any single sign of a principle flipped, the principles disagree."""

from __future__ import annotations

import itertools
from types import ModuleType

import pytest

import anholonomy as ah
from anholonomy.formulations import euler_lagrange, hamel, lagrange_dalembert, maggi
from anholonomy.formulations.verification import verify
from anholonomy.geometry import adapted, frame
from anholonomy.system.model import Model
from tests.laws.mutation import mutants, sites
from tests.laws.test_base_frames import in_frame

SITES: list[tuple[ModuleType, int, str]] = [
    (module, site, text)
    for module, functions in (
        (lagrange_dalembert, ("_derive",)),
        (maggi, ("_derive",)),
        (hamel, ("_derive",)),
        (euler_lagrange, ("variational_derivative", "constraint_bias")),
        (adapted, ("velocities", "flow", "fields", "transport")),
        (frame, ("bracket",)),
    )
    for site, text in sites(module, functions)
]

_COUNT = itertools.count()


def trial_models() -> list[Model]:
    """Systems in which every term is at work: affine, time-dependent, forced, on a chart and in a moving frame."""
    # A new name each time, so that nothing is remembered from another mutant.
    system = ah.System(
        name=f"trial {next(_COUNT)}",
        coordinates=["x", "y", "z"],
        lagrangian="(1 + x^2)*x'^2/2 + (y' + sin(z)*x')^2/2 + (2 + cos(y))*z'^2/2 + x*y*z' - x*cos(y) - t*z",
        constraints=["(2 + sin(t*y))*x' + x*z*y' + cos(z)*z' + t*sin(x) = 0"],
        forces={"x": "-x' + y", "z": "x*y'"},
    )
    entry = ah.language.parse_expression
    rows = [[entry(e) for e in row] for row in (["1", "0", "0"], ["sin(z)", "1", "0"], ["x*t", "cos(x)", "1"])]
    return [system, in_frame(system, rows, [entry("t*y"), entry("x"), entry("sin(z)")])]


def principles_agree() -> bool:
    return all(verify(model, states=1, principles=fresh_principles()).agree for model in trial_models())


def fresh_principles() -> list[ah.AbstractFormulation]:
    """New objects of whatever the classes are now; the registry holds the originals."""
    return [lagrange_dalembert.LagrangeDAlembert(), maggi.Maggi(), hamel.Hamel()]


def test_unbroken_principles_agree() -> None:
    assert principles_agree()


def test_every_principle_has_signs_to_break() -> None:
    assert {module for module, _, _ in SITES} == {
        lagrange_dalembert,
        maggi,
        hamel,
        euler_lagrange,
        adapted,
        frame,
    }


@pytest.mark.parametrize(("module", "site"), [s[:2] for s in SITES], ids=[s[2] for s in SITES])
def test_a_flipped_sign_is_noticed(module: ModuleType, site: int) -> None:
    with mutants(module, site):
        try:
            agree = principles_agree()
        except ah.Refusal:
            agree = False
    assert not agree
