r"""D4: the covariant differential in an anholonomic frame (Delphenich, section 2.4), and what its torsion really is.

With $e_\mu = A_\mu{}^\nu\partial_\nu$ the paper introduces $\gamma$ with both signs: $de_\mu = -\gamma_\mu{}^\nu e_\nu$, $\gamma = -dA\,\tilde A$ in (2.42), (2.43),
and $\gamma = +dA\,\tilde A$ in (2.44), which (2.45), (2.46) and (2.50) need. What follows them inherits the conflict:

* with $+$, the curvature (2.59) is zero and so is the torsion: $d\theta = -\gamma\wedge\theta$, and (2.58) is wrong;
* with $-$, the torsion is $2\,d\theta$ as in (2.58), the curvature is not zero and (2.59) is wrong.

No choice of sign gives both. The connection that makes the frame parallel, with curvature zero and torsion $d\theta$, is Weitzenböck's.
"""

from __future__ import annotations

from itertools import permutations

import pytest
import symengine

from anholonomy.algebra.zero_test import is_zero
from anholonomy.base.verdict import Verdict
from anholonomy.geometry import Frame
from anholonomy.geometry.connections import ArbitraryConnection, coordinate, weitzenbock
from anholonomy.geometry.connections.coefficients import Coefficients
from anholonomy.geometry.tensor import Tensor

x, y, z = symengine.symbols("x y z")
N = range(3)
CHART = Frame(["x", "y", "z"])
FRAME = Frame(["x", "y", "z"], [["1", "0", "y"], ["x*z", "1", "0"], ["0", "-x", "2"]])
GAMMA = coordinate(FRAME)
A, INVERSE = FRAME.matrix_ba, FRAME.inverse_ab
e = FRAME.derivative


def vanishes(tensor):
    return tensor.is_zero().verdict is Verdict.PROVEN


def partial(tensor):
    """The derivatives of the components in coordinates, the direction first: what the differential is by definition."""
    return Tensor.build(CHART, "d" + tensor.slots, lambda k, *index: CHART.derivative(k, tensor[index]))


def opposite():
    """The connection with the sign of (2.42) and (2.43)."""
    minus = {index: -value for index, value in GAMMA.coefficients.items}
    return ArbitraryConnection(Coefficients.of(FRAME, minus))


def exterior(form):
    """The exterior derivative from partial derivatives alone."""
    k = form.rank

    def value(*index):
        total = symengine.Integer(0)
        for i in range(k + 1):
            rest = (*index[:i], *index[i + 1 :])
            total += (-1) ** i * CHART.derivative(index[i], form[rest])
        return total

    return Tensor.build(CHART, "d" * (k + 1), value)


def antisymmetric(values, rank):
    """A form from its components with increasing indices."""
    parity = lambda p: (-1) ** sum(p[i] > p[j] for i in range(len(p)) for j in range(i + 1, len(p)))
    full = {tuple(index[i] for i in p): parity(p) * v for index, v in values.items() for p in permutations(range(rank))}
    return Tensor.of(CHART, "d" * rank, full)


def test_D4_gamma_is_dA_times_the_inverse():
    for mu in N:
        for nu in N:
            for kappa in N:
                printed = sum(e(kappa, A[mu][l]) * INVERSE[l][nu] for l in N)
                assert is_zero(GAMMA.form(mu, nu)[kappa] - printed)
    assert len(GAMMA.coefficients.items) > 5


def test_D4_the_last_factor_of_2_44_is_A_itself():
    r"""$dx^\rho = A_\kappa{}^\rho\theta^\kappa$: the print has the inverse there."""
    component = lambda mu, nu, kappa, M: sum(
        CHART.derivative(r, A[mu][l]) * INVERSE[l][nu] * M[kappa][r] for l in N for r in N
    )
    wrong = 0
    for mu in N:
        for nu in N:
            for kappa in N:
                assert is_zero(GAMMA.form(mu, nu)[kappa] - component(mu, nu, kappa, A))
                wrong += not is_zero(GAMMA.form(mu, nu)[kappa] - component(mu, nu, kappa, INVERSE))
    assert wrong > 0


TENSORS = {
    "function": Tensor.of(CHART, "", {(): x * symengine.sin(y) + z**2}),
    "vector": Tensor.of(CHART, "u", {(0,): y * z, (1,): x**2, (2,): x}),
    "covector": Tensor.of(CHART, "d", {(0,): z, (1,): x * y, (2,): y**2}),
    "mixed": Tensor.of(CHART, "ud", {(0, 1): y * z, (2, 2): x**2}),
    "metric": Tensor.of(CHART, "dd", {(0, 0): 1 + x**2, (1, 2): z, (2, 1): z}),
    "bivector": Tensor.of(CHART, "uu", {(0, 1): z, (1, 0): -z}),
}


@pytest.mark.parametrize("tensor", TENSORS.values(), ids=TENSORS.keys())
def test_D4_the_differential_of_any_tensor(tensor):
    """(2.37) to (2.51): partial derivatives in coordinates, carried to the frame, are the covariant differential there."""
    expected = partial(tensor).in_frame(FRAME)
    assert vanishes(GAMMA.covariant_derivative(tensor) - expected)
    if tensor.rank:
        assert not vanishes(opposite().covariant_derivative(tensor) - expected)


def test_D4_vectors_and_covectors_by_the_printed_formulas():
    """(2.46) and (2.50) with the sign of (2.44)."""
    X, alpha = TENSORS["vector"].in_frame(FRAME), TENSORS["covector"].in_frame(FRAME)
    dX, dalpha = GAMMA.covariant_derivative(X), GAMMA.covariant_derivative(alpha)
    for k in N:
        for mu in N:
            upper = e(k, X[mu]) + sum(GAMMA.form(nu, mu)[k] * X[nu] for nu in N)
            lower = e(k, alpha[mu]) - sum(GAMMA.form(mu, nu)[k] * alpha[nu] for nu in N)
            assert is_zero(dX[k, mu] - upper)
            assert is_zero(dalpha[k, mu] - lower)


FORMS = {
    "one-form": TENSORS["covector"],
    "two-form": antisymmetric({(0, 1): x * z, (0, 2): y, (1, 2): symengine.sin(x)}, 2),
    "function": TENSORS["function"],
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
def test_D4_antisymmetrised_it_is_the_exterior_derivative(form):
    """(2.52): in a frame, with torsion zero, nothing has to be added to d."""
    truth = exterior(form).in_frame(FRAME)
    assert not vanishes(truth)
    assert vanishes(GAMMA.exterior_derivative(form) - truth)
    if form.rank:
        assert not vanishes(weitzenbock(FRAME).exterior_derivative(form) - truth)


def test_D4_components_of_the_exterior_derivative():
    r"""(2.57), $-(\varphi_{\mu,\nu} - \varphi_{\nu,\mu} + c^\kappa_{\mu\nu}\varphi_\kappa)$, is right when the comma is $e_\nu$."""
    phi = TENSORS["covector"]
    inside, truth = phi.in_frame(FRAME), exterior(phi).in_frame(FRAME)
    c = FRAME.structure_abd
    printed = lambda m, n: -(e(n, inside[m]) - e(m, inside[n]) + sum(c[m][n][k] * inside[k] for k in N))
    assert vanishes(truth - Tensor.build(FRAME, "dd", printed))


def test_D4_the_antisymmetric_part_is_the_structure_functions():
    r"""(2.54) and (2.56) hold for the sign of (2.42); with that of (2.45), $d\theta = -\gamma\wedge\theta$ and $c^\mu_{\kappa\nu} = \gamma^\mu_{\nu\kappa} - \gamma^\mu_{\kappa\nu}$."""
    paper = lambda mu, lower, direction: GAMMA.form(lower, mu)[direction]  # gamma^mu_{lower direction}
    for mu in N:
        theta = Tensor.of(FRAME, "d", {(mu,): 1}).in_frame(CHART)
        d_theta = exterior(theta).in_frame(FRAME)
        for kappa in N:
            for nu in N:
                difference = paper(mu, nu, kappa) - paper(mu, kappa, nu)
                assert is_zero(FRAME.structure_abd[kappa][nu][mu] - difference)
                assert is_zero(d_theta[kappa, nu] + difference)


def test_D4_the_torsion_vanishes():
    """(2.58) prints 2 dθ; that needs dθ = γ∧θ, which is the other sign of γ."""
    assert GAMMA.is_torsion_free()
    assert GAMMA.is_flat()
    d_theta = Tensor.build(FRAME, "udd", lambda a, b, c: -FRAME.structure_abd[b][c][a])
    assert not vanishes(d_theta)
    assert vanishes(weitzenbock(FRAME).torsion - d_theta)


def test_D4_no_sign_gives_both_the_printed_torsion_and_the_printed_curvature():
    d_theta = Tensor.build(FRAME, "udd", lambda a, b, c: -FRAME.structure_abd[b][c][a])
    other = opposite()
    assert vanishes(other.torsion - 2 * d_theta)
    assert other.is_flat().verdict is Verdict.REFUTED


def test_D4_it_is_the_coordinate_fields_that_are_parallel():
    """The paper calls it the teleparallelism connection of the frame; the frame turns, the coordinates do not."""
    field = lambda frame: Tensor.of(frame, "u", {(0,): 1})
    assert vanishes(GAMMA.covariant_derivative(field(CHART)))
    assert not vanishes(GAMMA.covariant_derivative(field(FRAME)))
    assert vanishes(weitzenbock(FRAME).covariant_derivative(field(FRAME)))


def test_D4_in_a_semi_holonomic_frame_the_two_kinds_of_members_change_places():
    r"""(2.61) prints $d\beta = d\beta_i\otimes dx^i + \nabla\beta_\alpha\otimes\theta^\alpha$; the correction sits in $\nabla\beta_i = d\beta_i - \beta_\alpha da_i^\alpha$.

    With $e_i = \partial_i + a_i^\alpha\partial_\alpha$ only $\gamma_i{}^\alpha = da_i^\alpha$ is not zero: covectors change in their holonomic
    members, vectors in their anholonomic ones.
    """
    frame = Frame(
        ["x", "y", "z"], [["1", "0", "f(x, y, z)"], ["0", "1", "h(x, y, z)"], ["0", "0", "1"]], functions=["f", "h"]
    )
    gamma = coordinate(frame)
    assert {(mu, nu) for (mu, nu), form in gamma.forms.items() if form.items} == {(0, 2), (1, 2)}
    b = [symengine.Function(name)(x, y, z) for name in ("b0", "b1", "b2")]
    beta = Tensor.of(frame, "d", {(mu,): value for mu, value in enumerate(b)})
    nabla = gamma.covariant_derivative(beta)
    assert vanishes(nabla - partial(beta.in_frame(CHART)).in_frame(frame))
    d = lambda k, value: frame.derivative(k, value)
    for k in N:
        assert is_zero(nabla[k, 2] - d(k, b[2]))
        assert not is_zero(nabla[k, 0] - d(k, b[0]))
        a_i = symengine.Function("f")(x, y, z)
        assert is_zero(nabla[k, 0] - (d(k, b[0]) - b[2] * d(k, a_i)))
    X = Tensor.of(frame, "u", {(mu,): value for mu, value in enumerate(b)})
    moved = gamma.covariant_derivative(X)
    assert all(is_zero(moved[k, i] - d(k, b[i])) for k in N for i in (0, 1))
    assert not is_zero(moved[0, 2] - d(0, b[2]))
