"""Distributions, leaves and isometries in redundant coordinates, against Euler angles and against what holds by construction."""

from __future__ import annotations

import random

import pytest
import symengine

import anholonomy as ah
from anholonomy.algebra.constant_relations import constant_relations
from anholonomy.algebra.linear_algebra.sampled import certified_rows
from anholonomy.base.errors import DeclarationError, NotSupportedError
from anholonomy.base.verdict import Verdict
from anholonomy.geometry.groups import SL2R, SO3, SO21, MatrixGroup
from anholonomy.geometry.metric import Metric
from anholonomy.geometry.symmetry.killing import killing_fields
from anholonomy.geometry.symmetry.preserved import components
from anholonomy.geometry.tensor import Tensor
from anholonomy.language import to_text
from tests.wording import blames

EULER = {
    "R11": "(cos(f)*cos(p) - sin(f)*cos(h)*sin(p))", "R12": "(-cos(f)*sin(p) - sin(f)*cos(h)*cos(p))", "R13": "sin(f)*sin(h)",
    "R21": "(sin(f)*cos(p) + cos(f)*cos(h)*sin(p))", "R22": "(-sin(f)*sin(p) + cos(f)*cos(h)*cos(p))", "R23": "(-cos(f)*sin(h))",
    "R31": "sin(h)*sin(p)", "R32": "sin(h)*cos(p)", "R33": "cos(h)",
    "w1": "(f'*sin(h)*sin(p) + h'*cos(p))", "w2": "(f'*sin(h)*cos(p) - h'*sin(p))", "w3": "(f'*cos(h) + p')",
}  # fmt: skip
"""R = Rz(f) Rx(h) Rz(p), body to space, and its angular velocity in the body."""


def on_the_group(constraints: list[str], **words) -> ah.geometry.Distribution:
    size = 3 + len(words.get("coordinates", ()))
    return ah.System(
        name="on SO3", group="SO3", kinetic=["1"] * size, constraints=constraints, **words
    ).geometry.distribution


def in_angles(constraints: list[str]) -> ah.geometry.Distribution:
    read = list(constraints)
    for name, value in EULER.items():
        read = [text.replace(name, value) for text in read]
    return ah.geometry.Distribution.from_constraints(read, ["f", "h", "p"])


CONSTRAINTS = {
    "Suslov": ["w3 = 0"],
    "Veselova": ["R31*w1 + R32*w2 + R33*w3 = 0"],
    "third row, one entry": ["R32*w1 - R31*w2 = 0"],
    # The cofactors of a rotation matrix are its entries on the group, and not beside it.
    "third row by a cofactor": ["(R13*R21 - R11*R23)*w1 = R31*w2"],
    "third row": ["R32*w1 - R31*w2 = 0", "R33*w1 - R31*w3 = 0"],
    "mixed": ["w1 + R12*w2 = R33*w3"],
    "with a factor": ["(2 + R11)*(R32*w1 - R31*w2) = 0"],
}


@pytest.mark.parametrize("constraints", CONSTRAINTS.values(), ids=CONSTRAINTS)
def test_quaternions_and_euler_angles_agree(constraints):
    group, angles = on_the_group(constraints), in_angles(constraints)
    assert group.rank == angles.rank
    assert group.growth_vector() == angles.growth_vector()
    assert group.growth_vector().evidence == "exact"
    assert group.derived_flag() == angles.derived_flag()
    assert group.is_integrable().verdict is angles.is_integrable().verdict


def test_the_ball_on_a_plane():
    """No slip makes (3, 5), no slip and no twist (2, 3, 5): the textbook flags."""
    slip = ["x' = R21*w1 + R22*w2 + R23*w3", "y' = -(R11*w1 + R12*w2 + R13*w3)"]
    twist = "R31*w1 + R32*w2 + R33*w3 = 0"
    assert on_the_group(slip, coordinates=["x", "y"]).growth_vector() == (3, 5)
    assert on_the_group([*slip, twist], coordinates=["x", "y"]).growth_vector() == (2, 3, 5)


def test_a_disc_on_a_plane():
    """Its attitude by quaternions and by angles: (3, 4, 5), and nothing is constant."""
    attitude = ah.catalogue.leaning_disc_quaternion().geometry.distribution
    assert attitude.growth_vector() == ah.catalogue.leaning_disc().geometry.distribution.growth_vector() == (3, 4, 5)
    assert not attitude.leaves().functions


@pytest.mark.exhaustive
def test_a_ball_that_does_not_twist_in_a_bowl():
    """The distance of its centre is held, and the brackets reach the other five directions in three steps."""
    body = ah.bodies.RigidBody("ball", mass="m", inertia=["I1", "I2", "I3"])
    contact = ah.bodies.Rolling(body, surface=ah.bodies.Sphere("r"), on=ah.bodies.Bowl("D"), twist="none")
    parameters = {"m": 1.0, "I1": 0.5, "I2": 0.7, "I3": 0.9, "r": 1.0, "g": 9.81, "D": 3.0}
    D = ah.System(
        name="ball", bodies=[body], gravity="g", parameters=parameters, contacts=[contact]
    ).geometry.distribution
    assert D.growth_vector() == (2, 3, 5)


@pytest.mark.parametrize("seed", range(3))
def test_random_constraints_agree_with_euler_angles(seed):
    rng = random.Random(seed)
    entries = rng.sample([f"R{i}{j}" for i in (1, 2, 3) for j in (1, 2, 3)], 3)
    row = " + ".join(f"({rng.randint(-2, 2)} + {rng.randint(1, 3)}*{entries[k]})*w{k + 1}" for k in range(3))
    group, angles = on_the_group([f"{row} = 0"]), in_angles([f"{row} = 0"])
    assert group.growth_vector() == angles.growth_vector()
    assert group.is_integrable().verdict is angles.is_integrable().verdict


@pytest.mark.parametrize("group", [SO3(), SL2R(), SO21()], ids=str)
@pytest.mark.parametrize("seed", range(2))
def test_a_derivative_is_integrable_and_its_function_is_found(group, seed):
    """dF = 0 with F a random form of the coordinates; the row times a function that is not zero."""
    rng, q = random.Random(seed), group.coordinates
    F = symengine.Add(*(rng.randint(1, 4) * a * b for a, b in zip(rng.sample(q, 3), rng.sample(q, 3), strict=True)))
    slopes = [symengine.expand(group.frame.derivative(a, F) * (3 + q[0] ** 2)) for a in range(3)]
    row = " + ".join(f"({to_text(slope)})*{w.name}" for slope, w in zip(slopes, group.speeds, strict=True))
    D = ah.System(name="dF", group=group, kinetic=["1", "2", "3"], constraints=[f"{row} = 0"]).geometry.distribution
    assert D.is_integrable().verdict is Verdict.PROVEN
    assert D.growth_vector() == (2,)
    (found,) = D.leaves()
    gradients = [[group.frame.derivative(a, f) for a in range(3)] for f in (F, found)]
    assert len(certified_rows(gradients, on=group.frame.orbit)) == 1


def test_the_obstruction_is_witnessed_on_the_group():
    found = on_the_group(CONSTRAINTS["Veselova"]).is_integrable()
    assert found.verdict is Verdict.REFUTED
    assert sum(value**2 for _, value in found.evidence[0].witness.point) == 1


def test_leaves_of_a_fixed_row():
    assert str(on_the_group(CONSTRAINTS["third row, one entry"]).leaves()) == "leaves: q1^2 + q2^2 = const"
    assert on_the_group(CONSTRAINTS["third row by a cofactor"]).leaves().complete
    assert on_the_group(CONSTRAINTS["third row"]).leaves().complete
    assert not on_the_group(CONSTRAINTS["Suslov"]).leaves().functions


TIED = {
    "Jordan": ([[[1, 1, 0], [0, 1, 0], [0, 0, 0]]], 3, ["g11*w2 + g12*w3 = 0", "g22*w2 + g12*w3 = 0"]),
    "a turn twice as fast": (
        [[[0, -1, 0, 0, 0], [1, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, -2], [0, 0, 0, 2, 0]]], 5,
        ["g11*w2 + g12*w3 = 0", "(g11*g44 + g21*g54)*w2 + g12*w3 = 0"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("turn", "size", "constraints"), TIED.values(), ids=TIED)
def test_entries_that_one_direction_moves_are_tied(turn, size, constraints):
    """The constraints are one on the group, x' = 0, though no invariant of one block knows the other."""
    moves = [[[int((i, j) == (k, 2)) for j in range(size)] for i in range(size)] for k in (0, 1)]
    group = MatrixGroup([*turn, *moves])
    for constraint in constraints:
        D = ah.System(name="tied", group=group, kinetic=["1"] * 3, constraints=[constraint]).geometry.distribution
        assert D.is_integrable().verdict is Verdict.PROVEN
        assert D.growth_vector() == (2,)
    other = constraints[-1].replace("+ g12", "- g12")
    D = ah.System(name="tied", group=group, kinetic=["1"] * 3, constraints=[other]).geometry.distribution
    assert D.is_integrable().verdict is Verdict.REFUTED


def test_a_place_is_on_the_group():
    D = on_the_group(["R13*w1 + w3 = 0"])
    here = {"q0": 1, "q1": 0, "q2": 0, "q3": 0}
    assert D.growth_vector(at=here) == (2, 3)
    with blames(DeclarationError):
        D.growth_vector(at=here | {"q1": 1})
    with blames(DeclarationError):
        D.growth_vector(at={"q0": 1})


def test_a_place_may_be_rounded():
    """States of a motion are on the group up to rounding; a place that is not is still refused."""
    D = on_the_group(["w3 = R33*w2"])
    exact = D.growth_vector(at={"q0": "sqrt(2)/2", "q1": "sqrt(2)/2", "q2": 0, "q3": 0})
    assert exact[:2] == (2, 2) != D.growth_vector()
    assert D.growth_vector(at={"q0": 0.7071067811865476, "q1": 0.7071067811865476, "q2": 0, "q3": 0}) == exact
    with blames(DeclarationError):
        D.growth_vector(at={"q0": 0.7071, "q1": 0.7071, "q2": 0, "q3": 0})
    motion = ah.System(name="body", group="SO3", kinetic=["1", "2", "3"]).simulate(
        {"q0": 1, "q1": 0, "q2": 0, "q3": 0, "w1": 1, "w2": 0.3, "w3": 0.5}, until=1
    )
    here = {q: float(motion[q][-1]) for q in ("q0", "q1", "q2", "q3")}
    assert D.growth_vector(at=here) == D.growth_vector()


def test_a_constraint_that_moves():
    D = on_the_group(["R31*w1 + R32*w2 + R33*w3 = t"])
    assert D.on_spacetime
    assert D.growth_vector() == (3, 4)


ISOMETRIES = {
    "round": (SO3(), ["1", "1", "1"], 6, "so(4)"),
    "symmetric top": (SO3(), ["A", "A", "C"], 4, "so(3) + R"),
    "three moments": (SO3(), ["A", "B", "C"], 3, "so(3)"),
    "SL(2, R)": (SL2R(), ["1", "2", "3"], 3, "sl(2,R)"),
    "SO(2, 1)": (SO21(), ["A", "A", "C"], 4, "sl(2,R) + R"),
}


@pytest.mark.exhaustive_for("SO(2, 1)")
@pytest.mark.parametrize(("group", "metric", "count", "algebra"), ISOMETRIES.values(), ids=ISOMETRIES)
def test_isometries_of_left_invariant_metrics(group, metric, count, algebra):
    found = killing_fields(Metric(group.frame, metric))
    assert len(found) == count
    assert found.algebra.name == algebra
    assert found.is_complete
    assert all(each.finding.verdict is Verdict.PROVEN for each in found.found)


def test_the_right_invariant_fields_are_among_them():
    found = killing_fields(Metric(SO3().frame, ["A", "B", "C"]))
    for row in SO3().matrix:  # E^R_a = R_ab E_b
        rows = [*(components(X) for X in found), row]
        (relation,) = constant_relations(rows, SO3().coordinates, SO3().frame.orbit)
        assert relation[-1] != 0


def test_half_a_plane_is_hyperbolic():
    """[[a, b], [0, 1]]: the right-invariant fields have denominators, and one more field is none of them."""
    group = MatrixGroup([[[1, 0], [0, 0]], [[0, 1], [0, 0]]])
    found = killing_fields(Metric(group.frame, ["1", "1"]))
    assert found.is_complete
    assert found.algebra.name == "sl(2,R)"


@pytest.mark.parametrize("basis", [None, ["1"]])
def test_right_invariant_fields_preserve_every_left_invariant_metric(basis):
    for group in (SL2R(), MatrixGroup([[[1, 0], [0, 0]], [[0, 1], [0, 0]]])):
        found = killing_fields(Metric(group.frame, [str(k) for k in range(1, group.dimension + 1)]), basis)
        rows = [components(X) for X in found]
        assert len(rows) >= group.dimension
        for row in group.coadjoint_ab:
            (relation,) = constant_relations([*rows, row], group.coordinates, group.frame.orbit)
            assert relation[-1] != 0


def test_killing_fields_end_with_a_sentence_where_they_would_not_end():
    generators = [
        [[int((i, j) == (a, b)) - int((i, j) == (b, a)) for j in range(4)] for i in range(4)]
        for a in range(4)
        for b in range(a + 1, 4)
    ]
    with blames(NotSupportedError, "basis"):
        killing_fields(Metric(MatrixGroup(generators).frame, ["1"] * 6))
    with blames(NotSupportedError):
        killing_fields(Metric(MatrixGroup([[[1, -1], [1, 1]]]).frame, ["1"]))


WRITTEN_OUT = {"R31": "2*(q1*q3 - q0*q2)", "R32": "2*(q2*q3 + q0*q1)", "R33": "(1 - 2*(q1^2 + q2^2))"}


def written_out(text: str) -> str:
    for name, value in WRITTEN_OUT.items():
        text = text.replace(name, value)
    return text


def test_a_frame_of_a_group_knows_its_names():
    """R33 is a function on the group wherever it is read, never a parameter."""
    frame, row = SO3().frame, ["R33", "0", "-R31"]
    plain = list(map(written_out, row))
    readers = {
        "metric": lambda r: Metric(frame, [f"2 + {r[0]}", "1", "1"]).tensor,
        "matrix": lambda r: Metric(frame, [["1", r[0], "0"], [r[0], "2", "0"], ["0", "0", "1"]]).tensor,
        "field": lambda r: ah.geometry.vector_field(frame, r),
        "field by label": lambda r: ah.geometry.vector_field(frame, {"w1": r[0]}),
        "form": lambda r: ah.geometry.Form(frame, f"{r[0]}*dq0"),
        "form by label": lambda r: ah.geometry.Form(frame, {"w1": r[0]}),
        "function": lambda r: ah.geometry.Form.function(frame, r[2]),
        "changed": lambda r: frame.rescaled(r[0]).structure,
        "kernel": lambda r: ah.geometry.Distribution.from_forms([r], frame).forms_ni,
        "span": lambda r: ah.geometry.Distribution.from_vectors([r], frame).given_ai,
        "basis": lambda r: killing_fields(Metric(frame, ["1", "1", "1"]), basis=[r[0]]).functions,
        "potential": lambda r: killing_fields(Metric(frame, ["1", "1", "1"]), basis=["1"], potential=r[0]).fields,
    }
    for name, read in readers.items():
        assert read(row) == read(plain), name
    assert {s.name for s in Metric(frame, ["R33", "1", "1"]).determinant.free_symbols} == {"q1", "q2"}


def test_names_decide():
    D = on_the_group(CONSTRAINTS["Veselova"])
    assert D.contains(["R33", "0", "-R31"]).verdict is Verdict.PROVEN
    assert D.contains(["R33", "0", "R31"]).verdict is Verdict.REFUTED
    conformal = killing_fields(Metric(SO3().frame, ["1 + R33^2"] * 3), basis=["1", "R31", "R32", "R33"])
    assert len(conformal) == 2  # turns about the vertical and about the body's axis
    with blames(DeclarationError, "w1"):
        ah.geometry.Form(SO3().frame, "R33*w1")


def test_components_are_printed_as_they_are_on_the_group():
    D = on_the_group(CONSTRAINTS["Veselova"])
    found = D.is_integrable()
    assert found.evidence[0].bracket == (symengine.Rational(-1, 4), 0, 0)
    assert "-1/4, 0, 0" in str(found)
    right = SO3().frame.change(SO3().matrix).structure
    assert str(right) == str(-SO3().frame.structure).replace("w", "").replace(",", "")
    assert all(value in (1, -1) for _, value in right.shown)
    assert right.latex().count("&=") == right.table()._repr_html_().count("<tr>") - 1 == 6
    q = SO3().coordinates
    nothing = symengine.Add(*(each**2 for each in q)) - 1
    assert str(ah.geometry.Form(SO3().frame, {"w1": nothing})) == "0"


def test_the_structure_of_the_right_invariant_frame():
    """[E^R_a, E^R_b] = -c_ab^d E^R_d, which holds on the group and not beside it."""
    frame = SO3().frame.change(SO3().matrix)
    expected = -SO3().frame.structure
    difference = frame.structure - Tensor.of(frame, "ddu", dict(expected.items), "c")
    assert difference.vanishes("the structure is constant").verdict is Verdict.PROVEN
    assert frame.structure.vanishes("the structure is that of the left").verdict is Verdict.REFUTED
    assert frame.dual_check().verdict is Verdict.PROVEN


def test_the_metric_of_a_fixed_row_is_projected_on_the_group():
    """P + Q = 1 and P Q = 0 for the admissible directions of a constraint in redundant coordinates."""
    D = on_the_group(CONSTRAINTS["third row, one entry"])
    P, Q = D.projectors(["1", "1", "1"])
    product = (P * Q).trace(1, 2)
    assert product.is_zero().verdict is Verdict.PROVEN
    assert len(D.complement(["1", "1", "1"])) == 1
