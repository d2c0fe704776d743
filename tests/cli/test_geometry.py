"""``anholonomy geometry``: the report has the facts of the literature in it."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("target", "says"),
    [
        ("chaplygin-sleigh", ("rank 2", "(2, 3)", "is integrable: refuted", "Ω_12^3")),
        ("rolling-disk", ("(2, 3, 4)", "Ω_12^3 = -R*sin(phi)", "T^4_12 = R*cos(phi)")),
        ("disc-on-circle", ("(phi, psi, t)", "is integrable: refuted")),
        ("n-trailer:3", ("(2, 3, 4, 5, 6)", "too many to print")),
    ],
)
def test_a_system_of_the_catalogue(run, target, says):
    done = run("geometry", target)
    assert done.code == 0, done.err
    for fragment in says:
        assert fragment in done.out


@pytest.mark.exhaustive
def test_a_large_system_ends_with_what_is_known(run):
    """The kernel of the bicycle's forms has half a million operations; two steps of its flag are certified."""
    done = run("geometry", "whipple-bicycle")
    assert done.code == 0, done.err
    assert "the growth vector is (3, 5) so far: unknown" in done.out
    assert "is integrable: refuted" in done.out


def test_components_that_vanish_on_a_group_are_left_out(run, tmp_path):
    file = tmp_path / "veselova.toml"
    file.write_text(
        'schema = "anholonomy-system-1"\nname = "veselova"\ngroup = "SO3"\n'
        'lagrangian = "(w1^2 + 2*w2^2 + 3*w3^2)/2"\nconstraints = { c = "R31*w1 + R32*w2 + R33*w3 = 0" }\n'
    )
    done = run("geometry", str(file))
    assert done.code == 0, done.err
    lines = [line.strip() for line in done.out.splitlines()]
    assert [line for line in lines if line.startswith("Ω")] == ["Ω_12^3 = 1/4", "Ω_13^2 = 1", "Ω_23^1 = -1"]
    assert [line for line in lines if line.startswith("T^")] == ["T^1_23 = -1", "T^2_13 = 1", "T^3_12 = 1/4"]


def test_a_constraint_that_only_looks_nonholonomic(run, tmp_path):
    file = tmp_path / "plane.toml"
    file.write_text(
        'schema = "anholonomy-system-1"\nname = "plane"\nlagrangian = "x\'^2 + y\'^2 + z\'^2"\n'
        'constraints = { c = "exp(z)*(x\' + y\') = 0" }\ncoordinates = { x = "", y = "", z = "" }\n'
    )
    done = run("geometry", str(file))
    assert done.code == 0, done.err
    assert "is integrable: proven" in done.out
    assert "x + y" in done.out


def test_a_free_system(run, tmp_path):
    file = tmp_path / "free.toml"
    file.write_text('schema = "anholonomy-system-1"\nname = "free"\nlagrangian = "x\'^2"\ncoordinates = { x = "" }\n')
    assert "every direction is admissible" in run("geometry", str(file)).out


def test_a_system_that_does_not_exist(run):
    done = run("geometry", "rolling-dsk")
    assert done.code == 2
    assert "rolling-disk" in done.err


def test_what_leaves_is_said_in_words_and_fields_are_named_alike(run) -> None:
    said = run("geometry", "chaplygin-sleigh").out
    assert "leaves it, the first constraint applied to it is -1" in said
    assert "    X_1 = (" in said
    assert "X1" not in said
    assert "theta^1" not in said
