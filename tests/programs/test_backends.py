"""Every backend computes what the mathematics says, for every function, any program and any batch, closer than `check_backend` demands."""

from __future__ import annotations

import ctypes
import subprocess
import sys

import numpy as np
import pytest
import symengine as se
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from anholonomy.algebra.expressions import symbol, time
from anholonomy.algebra.piecewise import renewed
from anholonomy.algebra.steps.definitions import Solve
from anholonomy.programs.backends import BACKENDS
from anholonomy.programs.backends import llvm as llvm_backend
from anholonomy.programs.backends.base import AbstractBackend, Unsupported
from anholonomy.programs.backends.heyoka import HeyokaBackend
from anholonomy.programs.backends.llvm import LlvmBackend
from anholonomy.programs.backends.numpy import NumpyBackend
from anholonomy.programs.program import Program, lower
from anholonomy.testing import reference
from tests.programs.in_balls import evaluate_program
from tests.programs.programs import PARAMETERS, STATES, every_function, programs, random_program

every_backend = pytest.mark.parametrize("backend", BACKENDS.values(), ids=BACKENDS)
COORDINATE = st.floats(-2, 2).filter(lambda value: abs(value) > 1e-3)


def ready(backend: AbstractBackend, program: Program) -> Program:
    """As the backend wants it; solves are unrolled with pivots chosen at a point."""
    return program if backend.handles_solves else program.unrolled(reference(program))


def _decided(value):
    """Jumps of numbers as numbers, since MPFR does not know them."""
    return value.xreplace({node: renewed(node) for node in value.atoms(se.FunctionSymbol)})


@pytest.mark.exhaustive_for("jax")
@every_backend
def test_every_function_agrees_with_fifty_digits(backend):
    x, y = STATES[:2]
    outputs = every_function(x, y)
    f = backend.compile(Program((x, y), (), (), tuple(outputs)))
    for point in ([0.3, 0.7], [-1.4, 0.2], [1.9, -1.1]):
        at = {s: se.Rational(*value.as_integer_ratio()) for s, value in zip((x, y), point, strict=True)}
        exact = [float(_decided(e.subs(at)).n(170, real=True)) for e in outputs]  # 170 bits, by MPFR
        # XLA has logarithms and powers of its own, some units in the last place further off than those of C.
        assert_allclose(f(0.0, point), exact, rtol=2e-14 if backend.name == "jax" else 2e-15, atol=2e-16)


@pytest.mark.exhaustive_for("jax")
@every_backend
@settings(max_examples=12, deadline=None)
@given(program=programs(), t=COORDINATE, x=st.tuples(*[COORDINATE] * 3), p=st.tuples(*[COORDINATE] * 2))
def test_a_random_program_agrees_with_certified_balls(backend, program, t, x, p):
    exact = [float(value.mid()) for value in evaluate_program(program, t, x, p, digits=50)]
    # Iterated functions amplify rounding; 1e-9 is far below any mistake of translation.
    assert_allclose(backend.compile(ready(backend, program))(t, x, p), exact, rtol=1e-9, atol=1e-9)


@every_backend
@settings(max_examples=6, deadline=None)
@given(program=programs(), seed=st.integers(0, 99))
def test_a_batch_is_its_members_side_by_side(backend, program, seed):
    draw = np.random.default_rng(seed)
    t, x, p = draw.uniform(0.1, 2, 7), draw.uniform(0.1, 2, (3, 7)), draw.uniform(0.1, 2, (2, 7))
    f = backend.compile(ready(backend, program))
    together = f(t, x, p)
    assert together.shape == (3, 7)
    one_by_one = [f(t[k], x[:, k], p[:, k]) for k in range(7)]
    assert_allclose(together, np.array(one_by_one).T, rtol=1e-12, atol=1e-12)
    assert_allclose(f(t[0], x, p[:, 0])[:, 0], together[:, 0], rtol=1e-12, atol=1e-12)


def _every_function_of_the_language():
    return Program(STATES, PARAMETERS, (), tuple(every_function(STATES[0], STATES[1] + PARAMETERS[0] * time)))


@pytest.mark.parametrize("count", [5, 8, 11])
@pytest.mark.parametrize(
    "program",
    [_every_function_of_the_language(), *(random_program(seed, 10, 2) for seed in (1, 2, 3))],
    ids=["functions", "steps 1", "steps 2", "steps 3"],
)
def test_many_members_of_machine_code_go_several_at_a_time(program, count, monkeypatch):
    monkeypatch.setattr(llvm_backend, "_MANY", 0)
    plain = llvm_backend.compile_machine_code(program)
    monkeypatch.setattr(
        "anholonomy.programs.backends.llvm_runtime.evaluate_columns", lambda *_: pytest.fail("one at a time")
    )
    draw = np.random.default_rng(count)
    t, x, p = draw.uniform(-2, 2, count), draw.uniform(-2, 2, (3, count)), draw.uniform(-2, 2, (2, count))
    f = LlvmBackend().compile(program)
    for times, parameters in ((t, p), (t[:1], p), (t, p[:, :1]), (t[:1], p[:, :1])):
        together = f(times, x, parameters)
        for k in range(count):
            one, alone = x[:, k].copy(), np.empty(len(program.outputs))
            each = parameters[:, k % parameters.shape[1]].copy()
            call = ctypes.CFUNCTYPE(None, ctypes.c_double, *[ctypes.c_void_p] * 3)(plain.address)
            call(times[k % times.size], one.ctypes.data, each.ctypes.data, alone.ctypes.data)
            assert np.array_equal(together[:, k], alone)  # the same operations in the same order


@pytest.mark.parametrize("backend", [NumpyBackend(), LlvmBackend()], ids=lambda backend: backend.name)
def test_a_singular_member_gives_nan_and_leaves_the_others_alone(backend):
    a, z = symbol("a"), (symbol("z"), symbol("y"))
    steps = [Solve(z, ((a, se.Integer(0)), (se.Integer(0), se.Integer(2))), (se.Integer(1), a))]
    f = backend.compile(lower([a], [], steps, z))
    values = f(0.0, [[0.0, 4.0]])
    assert np.isnan(values[:, 0]).all()
    assert_allclose(values[:, 1], [0.25, 2.0])


def test_pivoting_solves_where_the_diagonal_vanishes():
    size = 12
    draw = np.random.default_rng(3)
    numbers = draw.normal(size=(size, size))
    np.fill_diagonal(numbers, 0.0)
    right = draw.normal(size=size)
    x = [symbol(f"x{i}") for i in range(size * size + size)]
    matrix = tuple(tuple(x[size * i : size * (i + 1)]) for i in range(size))
    names = tuple(symbol(f"z{i}") for i in range(size))
    program = Program(tuple(x), (), (Solve(names, matrix, tuple(x[-size:])),), names)
    for backend in (NumpyBackend(), LlvmBackend()):
        found = backend.compile(program)(0.0, np.concatenate([numbers.ravel(), right]))
        assert_allclose(numbers @ found, right, atol=1e-12)


@every_backend
def test_outside_the_domain_is_nan_without_a_warning(backend):
    x = symbol("x")
    f = backend.compile(lower([x], [], [], [se.log(x), se.sqrt(x), 1 / (x + 1)]))
    values = f(0.0, [-1.0])
    assert np.isnan(values[:2]).all()
    assert np.isinf(values[2])


def test_heyoka_refuses_a_linear_system():
    a, z = symbol("a"), symbol("z")
    program = lower([a], [], [Solve((z,), ((a,),), (se.Integer(1),))], [z])
    with pytest.raises(Unsupported, match="unroll"):
        HeyokaBackend().compile(program)


def test_compiled_code_outlives_the_program_and_the_cache():
    from anholonomy.programs.backends.llvm import compile_machine_code

    x = symbol("x")
    f = LlvmBackend().compile(lower([x], [], [], [x + time]))
    compile_machine_code.cache_clear()
    others = [LlvmBackend().compile(lower([x], [], [], [x + k])) for k in range(3)]
    assert f(1.0, [2.0])[0] == 3.0
    assert [g(0.0, [1.0])[0] for g in others] == [1.0, 2.0, 3.0]


def test_ball_arithmetic_finds_a_singular_matrix():
    a, z = symbol("a"), symbol("z")
    program = lower([a], [], [Solve((z,), ((a,),), (se.Integer(1),))], [z])
    (value,) = evaluate_program(program, 0, [0], [], digits=20)
    assert not value.is_finite()


@pytest.mark.parametrize("package", ["anholonomy.programs.backends", "anholonomy.motion.integrators.choice"])
def test_importing_loads_nothing_heavy(package):
    heavy = "heyoka numba jax scipy matplotlib llvmlite"
    code = f"import sys, {package}; print(*[m for m in {heavy.split()} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_machine_code_finds_the_mathematical_library_by_itself():
    """In a fresh process, where no earlier import has shown LLVM the way to ``sin``."""
    code = """
import symengine as se
from anholonomy.programs.backends.llvm import compile_machine_code
from anholonomy.programs.program import lower
x = se.Symbol("x")
assert compile_machine_code(lower([x], [], [], [se.sin(x) + se.cos(x) + se.asinh(x)])).address
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_machine_code_keeps_to_the_instructions_that_the_machine_has(monkeypatch):
    """A virtual machine may hide what its processor's name promises: a change of sign was an illegal instruction."""
    llvm = pytest.importorskip("llvmlite.binding")
    if not llvm.get_process_triple().startswith("x86_64"):
        pytest.skip("about a processor of the x86 family")
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    hidden = {name: False for name in llvm.get_host_cpu_features() if name.startswith("avx512")}
    monkeypatch.setattr(llvm, "get_host_cpu_name", lambda: "znver4")
    monkeypatch.setattr(llvm, "get_host_cpu_features", lambda: llvm.FeatureMap(hidden))
    negative = llvm.parse_assembly("define double @f(double %x) {\n%y = fneg double %x\nret double %y\n}")
    assembly = llvm_backend._this_machine(opt=2).emit_assembly(negative)
    assert "xor" in assembly
    assert "{1to2}" not in assembly, "an operand of AVX-512"
