"""``reduce``, ``hamiltonian``, ``lagrangian``: what a system becomes, at the command line."""

from __future__ import annotations

import pytest

import anholonomy as ah
from anholonomy.catalogue import ENTRIES


def test_reduce_prints_and_saves_the_base(run, tmp_path):
    done = run("reduce", "chaplygin-sleigh", "--fibre", "y", "--output", tmp_path / "base.toml")
    assert done.code == 0, done.err
    assert "over the fibre y" in done.out
    base = ah.load(tmp_path / "base.toml")
    assert [q.name for q in base.coordinates] == ["x", "theta"]
    assert not base.constraints
    expected = ah.catalogue.chaplygin_sleigh().reduced(fibre=["y"]).base
    assert base.derive("hamel").accelerations({"x": 0, "theta": 0.3, "x'": 1, "theta'": 0.2}) == expected.derive(
        "hamel"
    ).accelerations({"x": 0, "theta": 0.3, "x'": 1, "theta'": 0.2})


def test_reduce_refuses_what_is_no_chaplygin_system(run):
    done = run("reduce", "disc-on-circle")
    assert done.code == 2
    assert "Traceback" not in done.err
    assert "depend" in done.err


def test_hamiltonian_prints_the_bracket_and_its_verdict(run):
    done = run("hamiltonian", "chaplygin-sleigh")
    assert done.code == 0, done.err
    assert "{p1, p2} = a*m*p2/(a^2*m + I)" in done.out
    assert "Jacobi's identity: refuted" in done.out
    assert run("hamiltonian", "chaplygin-sleigh", "--latex").out.startswith(r"\begin{aligned}")


def test_hamiltonian_of_an_integrable_constraint_is_poisson(run, tmp_path):
    file = tmp_path / "plane.toml"
    file.write_text(
        'schema = "anholonomy-system-1"\nname = "plane"\nlagrangian = "(x\'^2 + y\'^2 + z\'^2)/2 - z"\n'
        'constraints = { c = "x\' + y\' + z\' = 0" }\ncoordinates = { x = "", y = "", z = "" }\n'
    )
    assert "Jacobi's identity: proven" in run("hamiltonian", file).out


@pytest.mark.parametrize("key", [key for key, entry in ENTRIES.items() if entry.make().model.group])
def test_catalogue_systems_on_groups_start_at_the_command_line(run, key):
    done = run("simulate", key, "--until", "0.1")
    assert done.code == 0, done.err


def test_lagrangian_is_found_or_the_obstacle_named(run, tmp_path):
    assert "L = " in run("lagrangian", "knife-edge").out
    file = tmp_path / "damped.toml"
    file.write_text(
        'schema = "anholonomy-system-1"\nname = "damped"\ncoordinates = { x = "" }\n'
        '[momenta]\nx = "x\'"\n[forces]\nx = "-x - x\'"\n'
    )
    assert (
        "damped: force and momentum come from a Lagrangian: refuted, d(force on x)/d(x')" in run("lagrangian", file).out
    )


def test_derive_says_how_large_equations_are_and_prints_them_on_request(run):
    short, whole = (
        run("derive", "n-trailer:2", "--by", "voronec"),
        run("derive", "n-trailer:2", "--by", "voronec", "--all"),
    )
    assert short.code == whole.code == 0
    assert "operations])" in short.out
    assert "--all` prints it" in short.out
    assert "operations" not in whole.out
    assert len(whole.out) > 10 * len(short.out)
