"""Functions of a program as device functions of a kernel."""

from __future__ import annotations

from anholonomy.compile.backends.c import c_solver
from anholonomy.compile.program import Program
from anholonomy.kernels.arithmetic import KernelArithmetic, Text
from anholonomy.refusals import NotCovered
from anholonomy.symbolic.arithmetic import evaluate
from anholonomy.symbolic.expressions import Expr, time
from anholonomy.symbolic.steps.straight_line import Assign, Solve

__all__ = ["device_function", "solver"]


def device_function(program: Program, name: str, size: str, inline: bool = True) -> str:
    """``name(t, x, p, out)`` for a state ``x`` of one thread; ``P0 …`` are macros for the parameters.

    >>> from anholonomy.compile.program import lower
    >>> from anholonomy.symbolic.expressions import symbol
    >>> x, v, k = (symbol(name) for name in "xvk")
    >>> print(device_function(lower([x, v], [k], [], [v, -k * x]), "rates", "N"))
    static __device__ __forceinline__ void rates(const real t, const real (&x)[N], const Parameters &p, real (&out)[N])
    {
        (void)t; (void)x; (void)p;
        out[0] = x[1];
        out[1] = (-(P0 * x[0]));
    }
    """
    code = KernelArithmetic()
    known: dict[Expr, Text] = {time: Text("t", False)}
    known |= {s: Text(f"x[{i}]", False) for i, s in enumerate(program.states)}
    known |= {s: Text(f"P{i}", True) for i, s in enumerate(program.parameters)}
    for step in program.steps:
        if isinstance(step, Assign):
            known[step.target] = code.named(evaluate(step.value, code, known))
        else:
            _solve(step, code, known)
    results = [evaluate(output, code, known).code for output in program.outputs]
    body = [*code.lines, *(f"out[{i}] = {text};" for i, text in enumerate(results))]
    kind = "__forceinline__" if inline else "__noinline__"
    head = f"static __device__ {kind} void {name}(const real t, const real (&x)[N], const Parameters &p, real (&out)[{size}])"
    return "\n".join([head, "{", "    (void)t; (void)x; (void)p;", *(f"    {line}" for line in body), "}"])


def _solve(step: Solve, code: KernelArithmetic, known: dict[Expr, Text]) -> None:
    if step.least:
        raise NotCovered(
            "a kernel does not solve linear systems that may be dependent; use redundant='drop', or device='cpu'."
        )
    matrix = ", ".join(evaluate(entry, code, known).code for row in step.matrix for entry in row)
    right = ", ".join(evaluate(entry, code, known).code for entry in step.right)
    a, b, size = code.fresh("a"), code.fresh("b"), len(step.unknowns)
    code.lines += [f"real {a}[{size * size}] = {{{matrix}}};", f"real {b}[{size}] = {{{right}}};"]
    code.lines.append(f"solve({size}, {a}, {b});")
    known.update((u, Text(f"{b}[{i}]", False)) for i, u in enumerate(step.unknowns))


def solver() -> str:
    """The elimination with partial pivoting that larger linear systems call."""
    text = c_solver("solve").replace("static void", "static __device__ __noinline__ void").replace("double", "real")
    return text.replace("(real)NAN", 'R(nan(""))').replace("0.0", "R(0.0)")
