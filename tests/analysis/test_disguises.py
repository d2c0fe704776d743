"""Systems built with a known integral and disguised: recognised. Generic ones: nothing but the energy is claimed."""

from __future__ import annotations

import random

import pytest

from anholonomy import System
from anholonomy.language.given import expression
from anholonomy.symbolic.calculus import along
from anholonomy.symbolic.expressions import symbol
from anholonomy.symbolic.zero import is_zero


def disguised(seed: int) -> tuple[System, list[object]]:
    r"""A particle with $\dot c = h(a)\,\dot b$, whose laws are $\dot a$ and $\sqrt{1 + h^2}\,\dot b$, in other coordinates."""
    rng = random.Random(seed)
    k = [rng.choice((-2, -1, 1, 2, 3)) for _ in range(5)]
    a, b, c = f"(x + {k[0]}*y)", f"(y + {k[1]}*z)", f"(z + {k[2]}*x^2)"
    h = f"({k[3]}*{a} + {k[4]})"
    rates = {symbol(q): symbol(f"{q}'") for q in "xyz"}
    da, db, dc = (along(expression(text, "a coordinate"), rates) for text in (a, b, c))
    h_ = expression(h, "the slope")
    system = System(
        name=f"disguised {seed}",
        coordinates=["x", "y", "z"],
        lagrangian=m_times(da, db, dc),
        constraints=[dc - h_ * db],
        parameters=["m"],
    )
    return system, [da, (1 + h_**2) ** (symbol("t") * 0 + expression("1/2", "a half")) * db]


def m_times(*rates: object) -> object:
    return symbol("m") * sum(rate**2 for rate in rates) / 2  # type: ignore[operator]


@pytest.mark.parametrize("seed", range(3))
def test_a_disguised_system_is_recognised(seed: int) -> None:
    check_disguised(seed)


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(3, 40))
def test_many_disguised_systems_are_recognised(seed: int) -> None:
    check_disguised(seed)


def check_disguised(seed: int) -> None:
    system, wanted = disguised(seed)
    laws = system.conserved(degree=1)
    on_D = dict(zip(system.velocities, system.adapted_frame().velocities, strict=True))
    symbols = [*system.coordinates, *system.adapted_frame().speeds]
    found = [law.expression.xreplace(on_D) for law in (*laws, *laws.consequences)]
    for value in wanted:
        here = value.xreplace(on_D)  # type: ignore[attr-defined]
        assert any(all(is_zero(f.diff(s) * here - f * here.diff(s)) for s in symbols) for f in found), (
            seed,
            str(value),
        )


def generic(seed: int) -> System:
    rng = random.Random(seed)

    def number() -> str:
        return f"{rng.randint(1, 9)}/{rng.randint(2, 9)}"

    potential = f"{number()}*x^2*y + {number()}*y^3 + {number()}*x*z + {number()}*z^2*x + {number()}*y"
    return System(
        name=f"generic {seed}",
        coordinates=["x", "y", "z"],
        lagrangian=f"(x'^2 + {number()}*y'^2 + {number()}*z'^2)/2 + {number()}*x*x'*y'/9 - ({potential})",
        constraints=[f"z' = ({number()}*x + y^2)*y' + {number()}*y*x'"],
    )


@pytest.mark.parametrize("seed", range(3))
def test_a_generic_system_keeps_its_energy_alone(seed: int) -> None:
    check_generic(seed)


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(3, 40))
def test_many_generic_systems_keep_their_energy_alone(seed: int) -> None:
    check_generic(seed)


def check_generic(seed: int) -> None:
    laws = generic(seed).conserved()
    assert [law.kind for law in laws] == ["energy"]
    assert laws.finding.is_proven
