"""Declarations, equations, currents and constraints of fields, against SymPy and by hand."""

from __future__ import annotations

import pytest
import sympy

import anholonomy as ah
from anholonomy.algebra.expressions import to_sympy
from anholonomy.algebra.zero_test import is_zero
from anholonomy.fields import examples as catalogue
from anholonomy.language import to_text
from anholonomy.language.arguments import expression
from tests.fields.random_fields import random_lagrangian
from tests.wording import blames


def by_sympy(L: str, fields: tuple[str, ...]) -> list[sympy.Expr]:
    """Euler's equations as SymPy has them, in our names."""
    t, s = sympy.symbols("t s")
    maps = {u: sympy.Function(u)(t, s) for u in fields}
    names = {sympy.Symbol(f"{u}_{a}"): maps[u].diff(b) for u in fields for a, b in (("t", t), ("s", s))}
    names |= {sympy.Symbol(u): value for u, value in maps.items()}
    read = to_sympy(ah.Field(parameters=["t", "s"], fields=list(fields), lagrangian=L).lagrangian)
    equations = sympy.calculus.euler.euler_equations(read.subs(names), list(maps.values()), [t, s])
    back = {
        maps[u].diff(a, b): sympy.Symbol(f"{u}_{w}")
        for u in fields
        for a, b, w in ((t, t, "tt"), (t, s, "ts"), (s, t, "ts"), (s, s, "ss"))
    }
    back |= {maps[u].diff(a): sympy.Symbol(f"{u}_{a}") for u in fields for a in (t, s)}
    back |= {value: sympy.Symbol(u) for u, value in maps.items()}
    found = []
    for each in equations:
        value = each.lhs.doit()
        for old in sorted(back, key=lambda f: -len(str(f))):
            value = value.subs(old, back[old])
        found.append(value)
    return found


@pytest.mark.parametrize("seed", range(6))
def test_equations_are_eulers_as_sympy_has_them(seed: int) -> None:
    fields = ("u",) if seed % 2 else ("u", "v")
    L = random_lagrangian(seed, fields)
    field = ah.Field(parameters=["t", "s"], fields=list(fields), lagrangian=L)
    for ours, theirs in zip(field.equations().inside, by_sympy(L, fields), strict=True):
        assert sympy.expand(to_sympy(ours) - theirs) == 0


def test_the_issues_string_is_the_telegraph_equation() -> None:
    string = ah.Field(
        name="string",
        parameters=["t", "s"],
        fields=["u"],
        momenta={"t": "rho*u_t", "s": "-T*u_s"},
        forces={"u": "-c*u_t"},
    )
    assert str(string.equations()).splitlines()[1] == "  T*u_ss - c*u_t - rho*u_tt = 0"
    assert string.constants == {"T": None, "c": None, "rho": None}
    assert "u_{tt}" in string.latex()
    assert string.find_lagrangian().finding.is_refuted


def test_a_long_name_keeps_derivatives_apart() -> None:
    field = ah.Field(parameters=["time", "x"], fields=["u"], lagrangian="u_time^2/2 - u_x^2/2")
    assert "u_x_x - u_time_time = 0" in str(field.equations()).replace("-(u_time_time - u_x_x)", "u_x_x - u_time_time")


@pytest.mark.parametrize(
    ("generator", "conserved"),
    [
        ({"t": 1}, True),
        ({"s": 1}, True),
        ({"t": "s", "s": "t"}, True),
        ({"u": 1}, False),
        ({"t": "t", "s": "s"}, False),
    ],
)
def test_currents_of_sine_gordon(generator, conserved) -> None:
    """Translations and boosts are symmetries; shifts of the field and scalings are none."""
    current = catalogue.sine_gordon().current(**generator)
    assert bool(current) is conserved
    assert conserved or current.finding.is_refuted


def test_the_current_of_a_field_without_lagrangian_says_what_feeds_it() -> None:
    current = catalogue.damped_string().current(u=1)
    assert current.finding.is_refuted
    assert to_text(current.source) == "-c*u_t"


def test_d_alembert_on_leaves_is_the_equation_of_the_leaf() -> None:
    rod = catalogue.rolling_rod()
    assert rod.constraint.is_integrable()
    (inside,) = rod.equations().inside
    jets = rod.jets
    leaf = {jets.of(0, way): rod.constant_symbols[2] * jets.of(1, way) for way in ((0, 0), (1, 1))}
    rho, J, r, T, G = rod.constant_symbols
    wanted = (T * r**2 + G) * jets.of(1, (1, 1)) - (rho * r**2 + J) * jets.of(1, (0, 0))
    assert is_zero(inside.xreplace(leaf) - wanted) or is_zero(inside.xreplace(leaf) + wanted)


def test_constraints_in_every_direction_demand_more_where_they_have_no_leaves() -> None:
    field = ah.Field(
        parameters=["t", "s"],
        fields=["u", "v", "w"],
        lagrangian="(u_t^2 + v_t^2 + w_t^2 - u_s^2 - v_s^2 - w_s^2)/2",
        constraints=["dw = v*du"],
    )
    assert field.constraint.is_integrable().is_refuted
    (demand,) = field.constraint.compatibility
    assert to_text(demand) in ("v_s*u_t - v_t*u_s", "u_t*v_s - u_s*v_t", "-u_s*v_t + u_t*v_s")
    with blames(ah.errors.NotSupportedError):
        field.solve(
            {"s": (0, 1, 20)}, {"s": "periodic"}, dict.fromkeys(("u", "v", "w", "u_t", "v_t", "w_t"), 0), until=1
        )


def test_a_director_that_forbids_one_direction_has_no_leaves() -> None:
    """The form of a skate: its frame turns along the map, and two directions of the sheet demand more than either."""
    field = catalogue.director()
    assert field.constraint.is_integrable().is_refuted
    equations = field.equations()
    assert len(equations.inside) == 2
    for ours, theirs in zip(equations.inside, equations.connection_form, strict=True):
        assert is_zero(ours - theirs)
    flat = {s: 0 for s in field.jets.names if s.name.startswith("alpha_")}
    assert is_zero(field.constraint.compatibility[0].xreplace(flat))  # a director that does not turn has leaves


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ({"fields": ["u", "u_t"]}, ("u_t", "u")),
        ({"fields": ["u", "u"]}, ()),
        ({"fields": []}, ()),
        ({"lagrangian": None}, ()),
        ({"lagrangian": "u_tt^2"}, ()),
        ({"lagrangian": "u_r^2"}, ("u_r", "u_t")),
        ({"lagrangian": "u'^2"}, ()),
        ({"constants": {"c": 1}, "lagrangian": "k*u_t^2"}, ()),
        ({"constants": {"u_s": 1}}, ()),
        ({"forces": {"v": "1"}}, ()),
        ({"constraints": ["u = 1"]}, ("0",)),
        ({"constraints": ["u_t = u_s"]}, ("2",)),
        ({"constraints": ["u_t^2 = 1"]}, ()),
        ({"momenta": {"r": "u_t"}, "lagrangian": None}, ()),
    ],
)
def test_what_is_no_field_is_refused_in_a_sentence(words, names) -> None:
    usual = {"parameters": ["t", "s"], "fields": ["u"], "lagrangian": "u_t^2 - u_s^2"}
    with blames(ah.Error, *names):
        ah.Field(**usual | words)


def test_unknown_questions_are_refused() -> None:
    wave = catalogue.sine_gordon()
    for call, names in (
        (lambda: wave.equations("hamel"), ("hamel",)),
        (lambda: wave.first_variation("open"), ("open",)),
        (lambda: wave.first_variation({"r": "free"}), ("r",)),
        (lambda: catalogue.damped_string().first_variation("moving"), ("Lagrangian",)),
        (lambda: catalogue.damped_string().current(t=1), ("Lagrangian",)),
        (lambda: wave.with_constants(c=1), ("c",)),
    ):
        with blames(ah.Error, *names):
            call()


def test_forms_that_depend_on_parameters_demand_what_their_curl_says() -> None:
    """D_t(v_s - s*t^2*u_s) - D_s(v_t - s*t^2*u_t) = t^2*u_t - 2*s*t*u_s, by hand."""
    field = ah.Field(
        parameters=["t", "s"], fields=["u", "v"], lagrangian="u_t^2 + v_t^2", constraints=["dv = s*t^2*du"]
    )
    (said,) = field.constraint.compatibility
    assert expression(said - expression("t^2*u_t - 2*s*t*u_s", "by hand"), "the gap").expand() == 0
