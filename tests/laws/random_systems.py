"""Random mechanical systems in which every term of every principle matters.

The metric depends on the position and is positive by construction, $L = \\tfrac12\\sum_i f_i(q)(v_i + \\sum_{j<i}
g_{ij}(q) v_j)^2 + b(q)\\cdot v - V(q, t)$; forces depend on velocities and time; constraints are of the kind asked for.
"""

from __future__ import annotations

from hypothesis import strategies as st

import anholonomy as ah

KINDS = ("linear", "affine", "time-dependent", "affine time-dependent", "nonlinear", "position")
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
