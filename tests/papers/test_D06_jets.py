r"""D6: jets, section 3.1 of Delphenich.

.. math::
   \bar x^i_a = \Bigl(\frac{\partial\bar x^i}{\partial t^b} + \frac{\partial\bar x^i}{\partial x^j}\,x^j_b\Bigr)\frac{\partial t^b}{\partial\bar t^a},
   \qquad \delta^1 x = \delta x^\mu\,\partial_\mu + \partial_a\delta x^\mu\,\partial^a_\mu, \qquad
   Ds = (x^\mu_{,a} - x^\mu_a)\,dt^a\otimes\partial_\mu

Reproduced: (3.14), (3.16), (3.18), (3.24). Two remarks beside them fail: the source projection *is* locally trivial, and the
operator $D^*\phi = F - \partial_a\Pi^a$ is the adjoint of prolongation, not of the Spencer operator.
"""

from __future__ import annotations

import pytest
import symengine
from symengine import Symbol

from anholonomy.algebra.expressions import free_symbols
from anholonomy.algebra.zero_test import are_all_zero, is_zero
from anholonomy.base.verdict import Verdict
from anholonomy.geometry.jet_spaces import JetSpace
from anholonomy.language import parse_expression

SPACES = {
    "curve in the plane": (["t"], ["x", "y"], ["sin(t)", "t^3"]),
    "surface": (["u", "v"], ["x", "y", "z"], ["u*v", "cos(u)", "u - v^2"]),
    "three parameters": (["u", "v", "w"], ["x"], ["u*v*w + exp(u)"]),
}
CHANGES = [
    (["t"], ["x"], ["x*t + sin(x)"], ["2*t + t^3"]),
    (["u", "v"], ["x"], ["x^2 + u*v"], ["u + v", "v - u^2"]),
    (["u", "v"], ["x", "y"], ["x*y", "y + u"], ["u*exp(v)", "v"]),
]


@pytest.mark.parametrize(("parameters", "targets", "images"), SPACES.values(), ids=SPACES.keys())
@pytest.mark.parametrize("order", [1, 2])
def test_D6_prolongation_of_a_map_is_integrable(parameters, targets, images, order) -> None:
    """(3.16); and any other section is not, by as much as the Spencer operator says."""
    space = JetSpace(parameters, targets, order)
    section = space.prolong(images)
    assert section.is_integrable().verdict is Verdict.PROVEN
    names = {q.name: value for q, value in section.images.items()}
    for index in space.indices[len(targets) :]:
        q = space[index].name
        spoiled = space.section(names | {q: names[q] + Symbol(parameters[0]) ** 7})
        assert spoiled.is_integrable().verdict is Verdict.REFUTED
        assert -(Symbol(parameters[0]) ** 7) in spoiled.spencer().values()


@pytest.mark.parametrize(("parameters", "targets", "new", "times"), CHANGES)
def test_D6_change_of_coordinates(parameters, targets, new, times) -> None:
    """(3.14) written out with its own sums, against the prolonged transformation; t̄ may not depend on x there."""
    space = JetSpace(parameters, targets)
    moved = space.prolong_map(new, times)
    r, n = range(len(parameters)), range(len(targets))
    t, x = space.parameters, space.targets
    T, X = [parse_expression(each) for each in times], [parse_expression(each) for each in new]
    jacobian = symengine.DenseMatrix([[T[a].diff(t[b]) for b in r] for a in r]).inv()
    for i in n:
        for a in r:
            total = [X[i].diff(t[b]) + sum(X[i].diff(x[j]) * space[j, (b,)] for j in n) for b in r]
            printed = sum(total[b] * jacobian[b, a] for b in r)
            assert is_zero(printed - moved[space[i, (a,)]])


@pytest.mark.parametrize(("parameters", "targets", "images"), SPACES.values(), ids=SPACES.keys())
def test_D6_prolongation_of_a_variation(parameters, targets, images) -> None:
    """(3.18): along x(t), a prolonged vertical field is the variation and its derivatives, to any order."""
    space = JetSpace(parameters, targets, 2)
    section = space.prolong(images)
    field = [f"{q}^2*{parameters[0]} + sin({targets[0]})" for q in targets]
    along = [section.along(parse_expression(each)) for each in field]
    expected = space.prolong(along)
    lifted = space.prolong_field(field)
    assert all(lifted[a] == 0 for a in range(len(parameters)))
    for k, index in enumerate(space.indices, len(parameters)):
        assert is_zero(section.along(lifted[k]) - expected[index])


def test_D6_a_variation_of_the_map_varies_its_jet() -> None:
    """j¹(x + ε δx) = j¹x + ε δ¹x for arbitrary functions, and a Lagrangian changes by φ(δ¹x), φ = dL."""
    space, e = JetSpace(["u", "v"], ["x"]), Symbol("e")
    unspecified = ["X", "d"]
    plain, varied, bent = (space.prolong([text], unspecified) for text in ("X(u, v)", "d(u, v)", "X(u, v) + e*d(u, v)"))
    assert are_all_zero(value - plain.images[q] - e * varied.images[q] for q, value in bent.images.items())
    u, _, x, x_u, x_v = space.coordinates
    L = x_u**2 * x + u * x_v + x**3
    change = bent.along(L).diff(e).xreplace({e: symengine.Integer(0)})
    fundamental = sum(plain.along(L.diff(q)) * varied.images[q] for q in (x, x_u, x_v))
    assert is_zero(change - fundamental)


FUNCTIONS = ["d", "p", "q", "F", "P", "Q"]
d, F, P, Q = (parse_expression(f"{name}(u, v)", functions=FUNCTIONS) for name in ("d", "F", "P", "Q"))
u, v = symengine.symbols("u v")
FIELD = (F - P.diff(u) - Q.diff(v)) * d
BOUNDARY = (P * d).diff(u) + (Q * d).diff(v)


def _paired(section) -> symengine.Expr:
    """φ = F dx + P dx_u + Q dx_v on a variation of jets."""
    x, x_u, x_v = section.images.values()
    return F * x + P * x_u + Q * x_v


def test_D6_the_extremal_operator_is_the_adjoint_of_prolongation() -> None:
    """φ(δ¹x) = D*φ(δx) + a divergence, for arbitrary F, Π and δx."""
    prolonged = JetSpace(["u", "v"], ["x"]).prolong(["d(u, v)"], FUNCTIONS)
    assert is_zero(_paired(prolonged) - FIELD - BOUNDARY)


def test_D6_it_is_not_the_adjoint_of_the_spencer_operator() -> None:
    """The print says so "modulo boundary terms"; F has no place in an adjoint of D, and variations that are no
    prolongations leave Π·Ds behind: φ(δs) = D*φ(δx) - Π(Ds) + a divergence."""
    space = JetSpace(["u", "v"], ["x"])
    loose = space.section({"x": "d(u, v)", "x_u": "p(u, v)", "x_v": "q(u, v)"}, FUNCTIONS)
    spencer = loose.spencer()
    defect = P * spencer[(0, ()), 0] + Q * spencer[(0, ()), 1]
    assert is_zero(_paired(loose) - FIELD + defect - BOUNDARY)
    assert not is_zero(_paired(loose) - FIELD - BOUNDARY)
    # Paired with Π = 0 the Spencer operator and its adjoint give nothing, and D*φ = F.
    without_stress = {each: symengine.Integer(0) for each in (P, Q, P.diff(u), Q.diff(v))}
    assert is_zero(defect.xreplace(without_stress))
    assert is_zero(FIELD.xreplace(without_stress) - F * d)


def test_D6_the_source_projection_is_locally_trivial() -> None:
    """Over one chart of parameters, changes x̄(x) of the target act on (x, x_a) without t: the jets there are a product. They
    act linearly on x_a, so over O × M the jets of maps are a vector bundle, with the jets of constant maps as its zero."""
    space = JetSpace(["u", "v"], ["x", "y"])
    moved = space.prolong_map(["x*y + sin(x)", "y - x^2"])
    jets = [space[mu, (a,)] for mu in range(2) for a in range(2)]
    assert not free_symbols(moved[q] for q in (*space.targets, *jets)) & set(space.parameters)
    still = {q: symengine.Integer(0) for q in jets}
    assert are_all_zero(moved[q].xreplace(still) for q in jets)
    assert are_all_zero(moved[q].diff(a).diff(b) for q in jets for a in jets for b in jets)
    # A change that depends on t is affine, as (3.14) says.
    drifting = space.prolong_map(["x + u", "y"])
    assert drifting[space[0, (0,)]].xreplace(still) == 1
