"""Random mechanical systems in which every term of every principle matters.

The metric depends on the position and is positive by construction, $L = \\tfrac12\\sum_i f_i(q)(v_i + \\sum_{j<i}
g_{ij}(q) v_j)^2 + b(q)\\cdot v - V(q, t)$; forces depend on velocities and time; constraints are of the kind asked for.
"""

from __future__ import annotations

from hypothesis import strategies as st

import anholonomy as ah

KINDS = ("linear", "affine", "time-dependent", "affine time-dependent", "nonlinear", "position")
RARE_KINDS = ("acceleration", "redundant", "force-momentum", "fibred", "natural")
_SHAPES = ("sin({})", "cos({})", "{}", "{}^2", "sin({})*cos({})", "exp(-{}^2)", "{}/(1 + {}^2)")


@st.composite
def functions(draw: st.DrawFn, names: list[str]) -> str:
    """A smooth function of one or two of the names, with a small rational coefficient."""
    shape = draw(st.sampled_from(_SHAPES))
    chosen = [draw(st.sampled_from(names)) for _ in range(shape.count("{}"))]
    return f"{draw(st.integers(1, 9))}/{draw(st.integers(5, 9))}*{shape.format(*chosen)}"


@st.composite
def constraint(draw: st.DrawFn, kind: str, q: list[str], row: int) -> str:
    """One equation; a leading coefficient keeps the rows independent at generic points."""
    if kind == "position":
        others = " + ".join(draw(functions([name])) for name in q if name != q[row])
        return f"{q[row]} + {others or 0} = 1/3"
    if kind == "acceleration":
        others = " + ".join(f"({draw(functions(q))})*{name}''" for name in q if name != q[row])
        return f"(2 + {draw(functions(q))})*{q[row]}'' + {others} + {draw(functions([*q, 't']))}*{q[0]}' = 0"
    names = [*q, "t"] if "time" in kind else q
    terms = [f"(2 + {draw(functions(names))})*{q[row]}'"]
    terms += [f"({draw(functions(names))})*{name}'" for name in q if name != q[row] and draw(st.booleans())]
    if "affine" in kind or kind == "nonlinear":
        terms.append(draw(functions(names)))
    if kind == "nonlinear":
        other = q[(row + 1) % len(q)]
        terms.append(f"1/7*{other}'^2 + 1/9*{q[row]}'*{other}'")
    return " + ".join(terms) + " = 0"


@st.composite
def systems(draw: st.DrawFn, kinds: tuple[str, ...] = KINDS) -> ah.System:
    """A well-posed system with 2 to 6 coordinates and 1 to 3 constraints of one kind."""
    n = draw(st.integers(2, 6))
    q = [f"q{i}" for i in range(n)]
    kind = draw(st.sampled_from(kinds))
    squares = []
    for i, name in enumerate(q):
        inner = [f"{name}'"] + [f"({draw(functions(q))})*{other}'" for other in q[:i] if draw(st.booleans())]
        squares.append(f"(1 + ({draw(functions(q))})^2)*({' + '.join(inner)})^2/2")
    gyroscopic = " + ".join(f"({draw(functions(q))})*{name}'" for name in q)
    potential = draw(functions([*q, "t"]))
    count = draw(st.integers(1, min(3, n - 1)))
    return ah.System(
        name="random",
        coordinates=q,
        lagrangian=f"{' + '.join(squares)} + {gyroscopic} - ({potential})",
        constraints=[draw(constraint(kind, q, row)) for row in range(count)],
        forces={q[0]: f"-k*{q[0]}' + {draw(functions([*q, 't']))}", q[-1]: f"{draw(functions(q))}*{q[0]}'"},
        parameters={"k": 0.3},
    )


@st.composite
def rare_systems(draw: st.DrawFn, kind: str) -> ah.System:
    """Systems for the principles and options that the general kinds leave out."""
    n = draw(st.integers(3, 5))
    q = [f"q{i}" for i in range(n)]
    if kind == "acceleration":
        return draw(systems(kinds=(kind,)))
    if kind == "redundant":
        rows = [draw(constraint("affine time-dependent", q, row)).removesuffix(" = 0") for row in range(2)]
        mixed = f"({draw(functions(q))})*({rows[0]}) + 3*({rows[1]})"
        return _declared(draw, q, [f"{row} = 0" for row in (*rows, mixed)], redundant="keep")
    if kind == "force-momentum":
        momenta = {
            name: " + ".join(
                [f"(3 + {draw(functions(q))})*{name}'"]
                + [f"1/9*({draw(functions([*q, 't']))})*{other}'" for other in q if other != name]
            )
            for name in q
        }
        return ah.System(
            name="random", coordinates=q, momenta=momenta, forces={name: draw(functions([*q, "t"])) + f"*{q[1]}'" for name in q},
            constraints=[draw(constraint("affine time-dependent", q, 0))],
        )  # fmt: skip
    if kind == "fibred":
        # The last coordinate appears nowhere, so that the constraint makes a Chaplygin system over the others.
        base, fibre = q[:-1], q[-1]
        slopes = " + ".join(f"({draw(functions([*base, 't']))})*{name}'" for name in base)
        row = f"{fibre}' = {slopes} + {draw(functions([*base, 't']))}"
        return _declared(draw, base, [row], fibre=fibre)
    return _declared(draw, q, [draw(constraint("linear", q, row)) for row in range(2)], gyroscopic=False)


def _declared(
    draw: st.DrawFn,
    q: list[str],
    rows: list[str],
    fibre: str | None = None,
    gyroscopic: bool = True,
    redundant: str = "refuse",
) -> ah.System:
    """A system with these constraints whose Lagrangian and forces depend on ``q`` and, by its velocity, on the fibre."""
    names = [*q, fibre] if fibre else q
    squares = [
        f"(1 + ({draw(functions(q))})^2)*({name}' + ({draw(functions(q))})*{q[0]}')^2/2"
        if name != q[0]
        else f"{name}'^2/2"
        for name in names
    ]
    linear = " + ".join(f"({draw(functions(q))})*{name}'" for name in names) if gyroscopic else "0"
    return ah.System(
        name="random", coordinates=names, lagrangian=f"{' + '.join(squares)} + {linear} - ({draw(functions([*q, 't']))})",
        constraints=rows, forces={names[-1]: f"-k*{q[0]}' + {draw(functions([*q, 't']))}"}, parameters={"k": 0.3},
        redundant=redundant,
    )  # fmt: skip
