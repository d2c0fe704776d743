"""A program as the text of LLVM: for one member of a batch, or for several side by side in a loop over all."""

from __future__ import annotations

from collections.abc import Sequence

from anholonomy.compile.backends.llvm_arithmetic import LlvmArithmetic
from anholonomy.compile.program import Program
from anholonomy.symbolic.arithmetic import evaluate
from anholonomy.symbolic.expressions import Expr, time
from anholonomy.symbolic.steps.straight_line import Assign, Solve

__all__ = ["LANES", "SOLVER", "batch_text", "single_text", "written"]

LANES = 4
"""Members of a batch that go side by side: as many doubles as the registers of a common processor hold."""
SOLVER = "anholonomy_solve_in_place"

_BATCH = "i64 %begin, i64 %end, ptr %t, i64 %t.step, ptr noalias %x, i64 %x.row, ptr %p, i64 %p.row, i64 %p.step, ptr noalias %out"


def single_text(program: Program) -> tuple[LlvmArithmetic, str]:
    """``void program(double t, double *x, double *p, double *out)``, and the functions it needs from outside."""
    code = LlvmArithmetic()
    _write(program, code, "%t")
    arguments = "double %t, ptr noalias %x, ptr noalias %p, ptr noalias %out"
    return code, _module(program, code, arguments, [*code.lines, "ret void"])


def batch_text(program: Program) -> tuple[LlvmArithmetic, str]:
    """The same for the members from ``begin`` up to ``end``: rows of an array hold one value of each, ``row`` apart.

    With ``step`` 0 all members find time or parameters at the same place.
    """
    code = LlvmArithmetic(LANES)
    time_now = code.emit(f"load {code.kind}, ptr {code.emit('getelementptr double, ptr %t, i64 %t.column')}, align 8")
    _write(program, code, time_now)
    loop = [
        "br label %loop",
        "loop:",
        "%column = phi i64 [%begin, %start], [%next, %loop]",
        "%t.column = mul i64 %column, %t.step",
        "%p.column = mul i64 %column, %p.step",
        *code.lines,
        f"%next = add i64 %column, {LANES}",
        "%more = icmp slt i64 %next, %end",
        "br i1 %more, label %loop, label %done",
        "done:",
        "ret void",
    ]
    return code, _module(program, code, _BATCH, loop)


def written(program: Program, code: LlvmArithmetic, row: int) -> list[str]:
    """The body of ``void f(ptr t, ptr x, ptr p, ptr out)`` for members side by side whose values lie in rows of that many numbers."""
    now = code.emit(f"load {code.kind}, ptr %t, align 64")
    _write(program, code, now, row)
    return [*_scratch(program), *code.lines, "ret void"]


def _scratch(program: Program) -> list[str]:
    """One scratch area serves all the solves, since each is over before the next begins."""
    largest = max((len(s.unknowns) for s in program.steps if isinstance(s, Solve)), default=0)
    areas = [f"%matrix = alloca double, i64 {largest**2}", f"%right = alloca double, i64 {largest}"]
    return areas if largest else []


def _module(program: Program, code: LlvmArithmetic, arguments: str, body: Sequence[str]) -> str:
    return "\n".join(
        [
            *(f"declare {kind}" for kind in code.externals.values()),
            f"declare void @{SOLVER}(i64, ptr, ptr)",
            f"define void @program({arguments}) {{",
            "start:",
            *_scratch(program),
            *body,
            "}",
        ]
    )


def _write(program: Program, code: LlvmArithmetic, now: str, row: int | None = None) -> None:
    """The instructions of the program, from loading its inputs to storing its outputs; a ``row`` is as long as that, or found at run time."""
    known: dict[Expr, str] = {time: now}
    for symbols, array in ((program.states, "%x"), (program.parameters, "%p")):
        known.update((s, _load(code, _place(code, array, i, row))) for i, s in enumerate(symbols))
    for step in program.steps:
        if isinstance(step, Assign):
            known[step.target] = evaluate(step.value, code, known)
        else:
            values = [evaluate(source, code, known) for source in step.sources]
            known.update(zip(step.unknowns, _solved(code, len(step.unknowns), values), strict=True))
    for i, output in enumerate(program.outputs):
        value = evaluate(output, code, known)
        code.lines.append(f"store {code.kind} {value}, ptr {_place(code, '%out', i, row)}, align 8")


def _place(code: LlvmArithmetic, array: str, index: int, known: int | None = None) -> str:
    """Where a value is, or those of the members that go together."""
    if code.lanes == 1 or known is not None:
        return code.emit(f"getelementptr double, ptr {array}, i64 {index * (known or 1)}")
    row, column = ("%p.row", "%p.column") if array == "%p" else ("%x.row", "%column")
    beginning = code.emit(f"mul i64 {row}, {index}")
    return code.emit(f"getelementptr double, ptr {array}, i64 {code.emit(f'add i64 {beginning}, {column}')}")


def _load(code: LlvmArithmetic, place: str) -> str:
    return code.emit(f"load {code.kind}, ptr {place}, align 8")


def _solved(code: LlvmArithmetic, size: int, values: Sequence[str]) -> list[str]:
    """The unknowns of a linear system, one member after the other."""
    members = [values] if code.lanes == 1 else [[code.lane(v, k) for v in values] for k in range(code.lanes)]
    found = []
    for member in members:
        for i, value in enumerate(member):
            array, index = ("%matrix", i) if i < size**2 else ("%right", i - size**2)
            place = code.emit(f"getelementptr double, ptr {array}, i64 {index}")
            code.lines.append(f"store double {value}, ptr {place}")
        code.lines.append(f"call void @{SOLVER}(i64 {size}, ptr %matrix, ptr %right)")
        places = [code.emit(f"getelementptr double, ptr %right, i64 {i}") for i in range(size)]
        found.append([code.emit(f"load double, ptr {place}") for place in places])
    return found[0] if code.lanes == 1 else [code.joined(each) for each in zip(*found, strict=True)]
