"""Hamilton's equations on the constraint submanifold, as a principle and as a bracket written out."""

from __future__ import annotations

import pytest
import sympy as sp
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import anholonomy as ah
from anholonomy import System, catalogue
from anholonomy.algebra.expressions import to_sympy
from anholonomy.algebra.zero_test import is_zero
from anholonomy.base.verdict import Verdict
from anholonomy.equations.principles import hamiltonian
from anholonomy.equations.principles.hamel import Hamel
from anholonomy.equations.principles.hamiltonian import Hamiltonian
from anholonomy.equations.principles.lagrange_dalembert import LagrangeDAlembert
from anholonomy.equations.verification import verify
from anholonomy.language import parse_expression
from tests.equations.brackets import bracket_agrees, forced, moving
from tests.properties.moving_frames import frames, in_frame
from tests.properties.random_systems import systems
from tests.wording import blames

FEW = settings(max_examples=8, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
REDUCIBLE = [key for key, entry in catalogue.ENTRIES.items() if Hamiltonian().covers(entry.make())]
SMALL = [key for key in REDUCIBLE if key != "disc-on-circle" and len(catalogue.ENTRIES[key].make().coordinates) <= 4]


@pytest.mark.exhaustive_for("whipple-bicycle")
@pytest.mark.parametrize("key", REDUCIBLE)
def test_it_agrees_on_the_catalogue(key):
    verification = verify(catalogue.ENTRIES[key].make(), states=2, principles=[LagrangeDAlembert(), Hamiltonian()])
    assert len(verification.principles) == 2
    assert verification.worst < 1e-25


@pytest.mark.parametrize("kind", ["linear", "affine", "affine time-dependent", "position"])
def test_it_agrees_on_random_systems(kind):
    @FEW
    @given(systems(kinds=(kind,)))
    def check(system):
        verification = verify(system, states=1, principles=[LagrangeDAlembert(), Hamiltonian()])
        assert len(verification.principles) == 2
        assert verification.worst < 1e-25

    check()


@pytest.mark.exhaustive
def test_it_agrees_in_frames_that_move_in_time():
    @FEW
    @given(st.data())
    def check(data):
        small = systems(kinds=("affine time-dependent",)).filter(lambda s: len(s.coordinates) <= 4)
        system = data.draw(small)
        moved = in_frame(system, *data.draw(frames([q.name for q in system.coordinates])))
        verification = verify(moved, states=1, principles=[LagrangeDAlembert(), Hamiltonian()])
        assert len(verification.principles) == 2
        assert verification.worst < 1e-25

    check()


@pytest.mark.parametrize("key", ["chaplygin-sleigh", "knife-edge", "affine-particle"])
def test_the_motion_is_the_default_one(key):
    """The affine particle's frame wears out on the way, and the momenta change with the chart."""
    entry = catalogue.ENTRIES[key]
    system = entry.make()
    default = system.simulate(entry.start, until=entry.until).data
    found = system.simulate(entry.start, until=entry.until, by="hamiltonian").data
    assert float(abs(default.q - found.q).max()) < 1e-11
    assert found.attrs["charts"] == default.attrs["charts"] == (2 if key == "affine-particle" else 1)


def test_the_page_defines_momenta_and_is_solved_for_their_rates():
    lines = str(catalogue.chaplygin_sleigh().derive("hamiltonian")).splitlines()
    assert lines[1:7] == [
        "  p1 = m*(cos(theta)*x' + sin(theta)*y')",
        "  p2 = a*m*(a*theta' + cos(theta)*y' - sin(theta)*x') + I*theta'",
        "  x' = p1*cos(theta)/m",
        "  y' = p1*sin(theta)/m",
        "  theta' = p2/(a^2*m + I)",
        "  p1' = a*m*p2^2/(a^2*m + I)^2",
    ]
    assert len(lines) == 8
    assert lines[7].startswith(("  p2' = -a*p1*p2", "  (a^2*m + I)*p2' = -a*p1*p2"))


def test_names_that_are_taken_are_not_taken_again():
    system = System(name="taken", coordinates=["p1", "h"], lagrangian="p1'^2/2 + h'^2/2", constraints=["h' = p1*p1'"])
    assert [p.name for p in system.derive("hamiltonian").speeds] == ["p1_"]
    assert "h_ = " in str(system.hamiltonian_form())


def test_speeds_of_ones_own_have_their_own_momenta():
    sleigh = catalogue.chaplygin_sleigh()
    speeds = {"v": "2*x'*cos(theta) + 2*y'*sin(theta)", "omega": "theta'"}
    assert is_zero(sleigh.hamiltonian_form(speeds=speeds).definitions[0] - sleigh.hamiltonian_form().definitions[0] / 2)
    state = {"x": 0, "y": 0, "theta": 0.3, "x'": 1, "theta'": 0.5}
    found = sleigh.derive("hamiltonian", speeds=speeds).accelerations(state)
    assert found == pytest.approx(sleigh.derive("hamel").accelerations(state), rel=1e-13)


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ({"lagrangian": "x'^4 + y'^2/2"}, ("x'",)),
        ({"lagrangian": "x'^2 + y'^2", "constraints": ["x'^2 = t*y'"]}, ()),
    ],
)  # fmt: skip
def test_what_it_does_not_cover_is_said(words, names):
    system = System(name="trial", coordinates=["x", "y"], **words)
    with blames(ah.errors.NotSupportedError, *names):
        system.derive("hamiltonian")
    with blames(ah.errors.NotSupportedError, *names):
        system.hamiltonian_form()


def test_what_is_too_long_is_refused_and_names_an_unknown_symbol():
    with blames(ah.errors.NotSupportedError, "hamiltonian"):
        catalogue.n_trailer(8).hamiltonian_form()
    with blames(ah.errors.DeclarationError, "nu"):
        catalogue.skate().hamiltonian_form().bracket("x", "nu")


# The bracket.


@pytest.mark.exhaustive_for("off-axle-trailer", "veselova")
@pytest.mark.parametrize("key", SMALL)
def test_the_bracket_gives_the_equations_of_the_principle(key):
    """Here h is written out and differentiated; the principle never does either."""
    system = catalogue.ENTRIES[key].make()
    form, equations = system.hamiltonian_form(), system.derive("hamiltonian")
    _, right = equations.simplified.data.explicit
    for p, value in zip(form.momenta, right, strict=True):
        assert is_zero(form.rate(p) - value)
    for q, rate in zip(system.coordinates, equations.data.coordinate_rates, strict=True):
        on_constraint = rate.xreplace(dict(zip(system.velocities, form.velocities, strict=True)))
        assert is_zero(form.rate(q) - on_constraint)


@pytest.mark.exhaustive_for("disc_on_circle")
@pytest.mark.parametrize("make", [forced, moving, catalogue.disc_on_circle])
def test_the_rates_have_drift_time_and_forces(make):
    assert bracket_agrees(make())


@pytest.mark.parametrize("key", ["skate", "chaplygin-sleigh", "free-particle"])
def test_it_is_antisymmetric_and_a_derivation(key):
    form = catalogue.ENTRIES[key].make().hamiltonian_form()
    x, y, th = (q.name for q in form.model.coordinates)
    f, g, k = f"p1^2*sin({th}) + {x}*p2", f"p2*{y} - p1*{x}^2", f"{x}*{y} + p2^2"
    assert is_zero(form.bracket(f, g) + form.bracket(g, f))
    product = form.bracket(f"({f})*({g})", k)
    terms = parse_expression(f) * form.bracket(g, k) + parse_expression(g) * form.bracket(f, k)
    assert is_zero(product - terms)
    assert not is_zero(form.bracket(f, g))


def test_a_velocity_stands_for_its_value_on_the_constraint():
    form = catalogue.skate().hamiltonian_form()
    assert is_zero(form.bracket("x", "y'") - parse_expression("sin(theta)*cos(theta)/m"))


HEISENBERG = {"lagrangian": "(x'^2 + y'^2 + z'^2)/2 - x*y", "constraints": ["z' = y*x' - x*y'"]}
LEAVES = {
    "planes": {"lagrangian": "(x'^2 + y'^2 + z'^2)/2 - x*y", "constraints": ["z' = y*x' + x*y'"]},
    "a factor": {"lagrangian": "((1 + z^2)*x'^2 + y'^2 + z'^2)/2", "constraints": ["exp(x)*(z' - 2*x*x' - y'*sin(y)) = 0"]},
    "one direction": {"lagrangian": "(x'^2 + y'^2 + z'^2)/2", "constraints": ["z' = y*x'", "y' = z*x'"]},
    "a surface": {"lagrangian": "(x'^2 + y'^2 + z'^2)/2 - z", "constraints": ["x^2 + y^2 + z^2 = 1"]},
    "no constraint": {"lagrangian": "(x'^2 + x^2*y'^2 + z'^2)/2 + y*z'"},
    "planes that move": {"lagrangian": "(x'^2 + y'^2 + z'^2)/2 + t*y*z'", "constraints": ["z' = t*x' + t^2*y' + x"]},
}  # fmt: skip


@pytest.mark.parametrize("words", LEAVES.values(), ids=LEAVES)
def test_jacobi_holds_where_the_directions_have_leaves(words):
    form = System(name="leaves", coordinates=["x", "y", "z"], **words).hamiltonian_form()
    assert form.is_poisson().verdict is Verdict.PROVEN


@pytest.mark.parametrize(
    "system",
    [catalogue.skate(), catalogue.chaplygin_sleigh(), System(name="H", coordinates=["x", "y", "z"], **HEISENBERG)],
    ids=["skate", "sleigh", "Heisenberg"],
)
def test_jacobi_fails_by_the_part_of_the_bracket_outside(system):
    r"""$\{\{q^i, \pi_1\}, \pi_2\} + \ldots = -(Q[e_1, e_2])^i$, its right side from the metric and plain SymPy brackets."""
    form = system.hamiltonian_form()
    assert form.is_poisson().verdict is Verdict.REFUTED
    assert not system.geometry.distribution.is_integrable()
    q = [sp.Symbol(s.name) for s in system.coordinates]
    S = sp.Matrix([[to_sympy(e) for e in row] for row in system.geometry.adapted_frame.span_ba])
    bracket = (S.row(1).jacobian(q) * S.row(0).T - S.row(0).jacobian(q) * S.row(1).T).T
    v = [sp.Symbol(w.name) for w in system.velocities]
    G = sp.hessian(to_sympy(system.lagrangian), v)
    P = S.T * (S * G * S.T).inv() * S * G
    outside = bracket.T - P * bracket.T
    for i, s in enumerate(system.coordinates):
        found = to_sympy(form.jacobiator(s, form.momenta[0], form.momenta[1]))
        assert sp.simplify(found + outside[i]) == 0
    assert any(sp.simplify(e) != 0 for e in outside)


def test_it_prints_as_latex():
    text = catalogue.skate().hamiltonian_form().latex()
    assert r"\{x, p_{1}\} &= \cos" in text
    assert text.count("&=") == 6


def test_every_term_at_work_it_agrees():
    models = [forced(), moving()]
    principles = [LagrangeDAlembert(), Hamel(), hamiltonian.Hamiltonian()]
    assert all(verify(model, states=1, principles=principles).agree for model in models)
    assert all(map(bracket_agrees, models))
