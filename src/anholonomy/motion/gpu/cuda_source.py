"""The CUDA text of a kernel: rates, what is watched, events, and one function a method.

A thread integrates one motion. States lie side by side (`[state][member]`), so that neighbouring threads read neighbouring numbers;
within a thread arrays have constant sizes and loops are unrolled, so that they live in registers. Time is kept in doubles whatever the
precision of the states. Parameters are macros that the launcher defines: numbers where all members share them.
"""

from __future__ import annotations

from collections.abc import Sequence

from anholonomy.motion.integrators.runge_kutta_cuda import ADAPTIVE, AbstractAdaptive
from anholonomy.programs.backends.cuda import device_function, solver
from anholonomy.programs.program import Program

__all__ = ["kernel_source"]

_INLINE = 700
"""Operations up to which the rates are written into every stage; longer ones are called, or registers and compilers give up."""

_HEAD = r"""
#ifndef REAL
#define REAL double
#endif
typedef REAL real;
#define R(value) ((real)(value))
#define EACH _Pragma("unroll") for (int i = 0; i < N; i++)

#ifdef __CUDACC__
#define MEMBER (int)(blockIdx.x * blockDim.x + threadIdx.x)
#define ENTRY extern "C" __global__ void
static __device__ __forceinline__ void both(double a, double *s, double *c) { sincos(a, s, c); }
static __device__ __forceinline__ void both(float a, float *s, float *c) { sincosf(a, s, c); }
#else
#include <cmath>
using namespace std;
#define __device__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define MEMBER member
#define ENTRY static void
template <class T> static inline void both(T a, T *s, T *c) { *s = sin(a); *c = cos(a); }
template <class T> static inline T rsqrt(T a) { return T(1) / sqrt(a); }
#endif

/* How a member ended. */
enum { REACHED_END, NOT_FINITE, STEP_TOO_SMALL, TOO_MANY_STEPS, FRAME_WORN, STOPPED };

struct Parameters { real q[VARYING + 1]; };
"""

_COMMON = r"""
/* What a launch hands over; arrays of members lie side by side. */
struct Task {
    int members, samples, events, room, most;
    unsigned stopping;
    double step, tolerance;
    const real *starts, *parameters, *sizes;
    const double *times;
    const int *directions;
    real *states;
    double *reached, *event_times;
    int *outcome, *event_counts, *steps;
};

static __device__ __forceinline__ void load(const Task &task, int m, real (&x)[N], Parameters &p)
{
    EACH x[i] = task.starts[(long long)i * task.members + m];
    for (int j = 0; j < VARYING; j++) { p.q[j] = task.parameters[(long long)j * task.members + m]; }
}

static __device__ __forceinline__ void store(const Task &task, int m, int sample, const real (&x)[N])
{
    EACH task.states[((long long)sample * N + i) * task.members + m] = x[i];
}

static __device__ __forceinline__ bool finite_state(const real (&x)[N])
{
    real sum = R(0.0);
    EACH sum += x[i] * R(0.0);
    return sum == R(0.0);
}

/* Whether a divisor has shrunk beside what it was at the start of the member, or changed its sign. */
static __device__ __forceinline__ bool worn(const real t, const real (&x)[N], const Parameters &p, const real (&first)[W + 1])
{
#if W
    real now[W + 1];
    watched(t, x, p, now);
    for (int j = 0; j < W; j++) { if (!(now[j] * first[j] > R(SHRUNK) * first[j] * first[j])) { return true; } }
#endif
    return false;
}

/* Note the zeros between two states of a step, located on what `at(theta, z)` interpolates; true where one of them ends the motion. */
template <class Between>
static __device__ __forceinline__ bool noted(const Task &task, int m, double t, real h, const Parameters &p,
                                             real (&before)[E + 1], const real (&y)[N], Between at, real *last)
{
    bool ends = false;
    *last = R(1.0);
#if E
    real after[E + 1], z[N], value[E + 1];
    double met[E + 1];
    events((real)(t + h), y, p, after);
    for (int j = 0; j < task.events; j++) {
        const bool rises = before[j] < R(0.0) && after[j] >= R(0.0), falls = before[j] > R(0.0) && after[j] <= R(0.0);
        met[j] = 2.0;
        if (!((rises && task.directions[j] >= 0) || (falls && task.directions[j] <= 0))) { continue; }
        double low = 0.0, high = 1.0;
        real at_low = before[j], at_high = after[j];
        for (int n = 0; n < 60 && high - low > 4e-16 && at_high != R(0.0); n++) {
            double middle = low - (double)at_low * (high - low) / ((double)at_high - (double)at_low);
            if (n % 3 == 2 || !(middle > low && middle < high)) { middle = 0.5 * (low + high); }
            at((real)middle, z);
            events((real)(t + middle * h), z, p, value);
            if ((value[j] < R(0.0)) == (at_low < R(0.0)) && value[j] != R(0.0)) { low = middle; at_low = value[j]; }
            else { high = middle; at_high = value[j]; }
        }
        met[j] = high;
        if ((task.stopping >> j) & 1u) { ends = true; if ((real)high < *last) { *last = (real)high; } }
    }
    /* What lies behind a stop did not happen. */
    for (int j = 0; j < task.events; j++) {
        if (met[j] > 1.0 || (ends && (real)met[j] > *last)) { continue; }
        const int count = task.event_counts[(long long)j * task.members + m]++;
        if (count < task.room) {
            task.event_times[((long long)count * task.events + j) * task.members + m] = t + met[j] * (double)h;
        }
    }
    for (int j = 0; j < E; j++) { before[j] = after[j]; }
#endif
    return ends;
}
"""

_FIXED = r"""
ENTRY rk4(const Task task MEMBER_ARGUMENT)
{
    const int m = MEMBER;
    if (m >= task.members) { return; }
    real x[N], y[N], z[N], k[N], total[N], before[E + 1], first[W + 1];
    Parameters p;
    load(task, m, x, p);
    double t = task.times[0];
    int outcome = finite_state(x) ? REACHED_END : NOT_FINITE, taken = 0;
    begin(t, x, p, before, first);
    store(task, m, 0, x);
    for (int s = 1; s < task.samples && outcome == REACHED_END; s++) {
        const double from = task.times[s - 1], span = task.times[s] - from;
        const double wanted = ceil(fabs(span) / task.step * (1.0 - 1e-12));
        const int count = wanted > 1.0 ? (int)wanted : 1;
        const double width = span / count;
        const real h = (real)width, half = R(0.5) * h;
        for (int n = 0; n < count; n++) {
            t = from + n * width;
            rates((real)t, x, p, k);
            EACH { total[i] = k[i]; z[i] = x[i] + half * k[i]; }
            rates((real)(t + 0.5 * width), z, p, k);
            EACH { total[i] += R(2.0) * k[i]; z[i] = x[i] + half * k[i]; }
            rates((real)(t + 0.5 * width), z, p, k);
            EACH { total[i] += R(2.0) * k[i]; z[i] = x[i] + h * k[i]; }
            rates((real)(t + width), z, p, k);
            EACH y[i] = x[i] + (h / R(6.0)) * (total[i] + k[i]);
#if W || E
            if (worn((real)(t + width), y, p, first)) { outcome = FRAME_WORN; break; }
            real last;
            auto at = [&](real theta, real (&out)[N]) {
                real now[N], then[N];
                rates((real)t, x, p, now);
                rates((real)(t + width), y, p, then);
                const real left = R(1.0) - theta;
                EACH {
                    const real d = y[i] - x[i];
                    out[i] = x[i] + theta * (d + left * (left * (h * now[i] - d) + theta * (d - h * then[i])));
                }
            };
            if (noted(task, m, t, h, p, before, y, at, &last)) {
                at(last, z);
                EACH x[i] = z[i];
                t += last * width;
                outcome = STOPPED;
                break;
            }
#endif
            EACH x[i] = y[i];
        }
        taken += count;
        if (outcome != REACHED_END) { break; }
        t = task.times[s];
        if (!finite_state(x)) { outcome = NOT_FINITE; break; }
        store(task, m, s, x);
    }
    finish(task, m, x, t, outcome, taken);
}
"""

_BEGIN = r"""
static __device__ __forceinline__ void begin(double t, const real (&x)[N], const Parameters &p, real (&before)[E + 1], real (&first)[W + 1])
{
#if E
    events((real)t, x, p, before);
#endif
#if W
    watched((real)t, x, p, first);
#endif
    (void)t; (void)x; (void)p; (void)before; (void)first;
}

/* The last state is kept behind the samples. */
static __device__ __forceinline__ void finish(const Task &task, int m, const real (&x)[N], double t, int outcome, int taken)
{
    store(task, m, task.samples, x);
    task.reached[m] = t;
    task.outcome[m] = outcome;
    task.steps[m] = taken;
}
"""

_ADAPTIVE = r"""
#define SCALE ((real)task.tolerance * (task.sizes[i] + fmax(fabs(x[i]), fabs(y[i]))))
ENTRY NAME(const Task task MEMBER_ARGUMENT)
{
    const int m = MEMBER;
    if (m >= task.members) { return; }
    real x[N], y[N], z[N], STAGES;
    real before[E + 1], first[W + 1];
    Parameters p;
    load(task, m, x, p);
    double t = task.times[0];
    const double end = task.times[task.samples - 1], direction = end >= t ? 1.0 : -1.0;
    int outcome = finite_state(x) ? REACHED_END : NOT_FINITE, taken = 0, s = 1, rejected = 0;
    begin(t, x, p, before, first);
    store(task, m, 0, x);
    rates((real)t, x, p, k0);
    real size = R(0.0), speed = R(0.0);
    EACH {
        y[i] = x[i];
        const real a = x[i] / SCALE, b = k0[i] / SCALE;
        size += a * a;
        speed += b * b;
    }
    double step = size > R(1e-10) && speed > R(1e-10) ? 0.01 * sqrt((double)size / (double)speed) : 1e-6;
    EACH z[i] = x[i] + (real)(direction * step) * k0[i];
    rates((real)(t + direction * step), z, p, k1);
    real bend = R(0.0);
    EACH { const real a = (k1[i] - k0[i]) / SCALE; bend += a * a; }
    const double steep = sqrt(fmax((double)speed, (double)bend / (step * step)) / N);
    step = fmin(100.0 * step, steep > 1e-15 ? pow(0.01 / steep, 1.0 / ORDER) : fmax(1e-6, 1e-3 * step));
    if (outcome == REACHED_END && !(step > 0.0)) { outcome = NOT_FINITE; }
    while (s < task.samples && outcome == REACHED_END) {
        if (taken >= task.most) { outcome = TOO_MANY_STEPS; break; }
        taken++;
        const double left = fabs(end - t);
        const bool is_last = 1.01 * step >= left;
        const double width = direction * (is_last ? left : step);
        if (fabs(width) < 1e-15 * fabs(t) && !is_last) { outcome = STEP_TOO_SMALL; break; }
        const real h = (real)width;
        STEP
        if (!(error < R(1.0))) {
            const bool bad = !(error < R(1e30));
            if (bad && step < 1e-12 * fmax(fabs(t), 1e-3)) { outcome = NOT_FINITE; break; }
            step = fabs(width) * (bad ? 0.2 : fmax(0.2, 0.9 * pow((double)error, -1.0 / ORDER)));
            if (!(step > 1e-300)) { outcome = STEP_TOO_SMALL; break; }
            rejected = 1;
            continue;
        }
        const double later = is_last ? end : t + width;
        if (worn((real)later, y, p, first)) { outcome = FRAME_WORN; break; }
        bool ready = false;
        auto at = [&](real theta, real (&out)[N]) {
            if (!ready) { BEFORE ready = true; }
            BETWEEN
        };
        real last;
        const bool ends = noted(task, m, t, h, p, before, y, at, &last);
        const double stop = ends ? t + last * width : later;
        while (s < task.samples && direction * (task.times[s] - stop) <= 0.0) {
            if (task.times[s] == later) { store(task, m, s, y); }
            else { real w[N]; at((real)((task.times[s] - t) / width), w); store(task, m, s, w); }
            s++;
        }
        if (ends) { real w[N]; at(last, w); EACH y[i] = w[i]; outcome = STOPPED; }
        const double most = rejected ? 1.0 : 10.0;
        step = fabs(width) * (error > R(0.0) ? fmin(most, fmax(0.2, 0.9 * pow((double)error, -1.0 / ORDER))) : most);
        rejected = 0;
        t = stop;
        EACH { x[i] = y[i]; k0[i] = LAST[i]; }
    }
    finish(task, m, x, t, outcome, taken);
}
#undef SCALE
"""


def kernel_source(rates: Program, watched: Sequence[Program], events: Program, shrunk: float) -> str:
    """The text without its parameters, which the launcher defines before it."""
    divisors = sum(len(program.outputs) for program in watched)
    sizes = {"N": len(rates.outputs), "W": divisors, "E": len(events.outputs), "SHRUNK": repr(shrunk)}
    inline = rates.operations <= _INLINE
    parts = [*(f"#define {name} {value}" for name, value in sizes.items()), _HEAD]
    if not all(program.is_straight for program in (rates, *watched, events)):
        parts.append(solver())
    parts.append(device_function(rates, "rates", "N", inline))
    parts += _watched(watched, inline)
    if events.outputs:
        parts.append(device_function(events, "events", "E + 1", inline))
    parts += ["#ifdef __CUDACC__\n#define MEMBER_ARGUMENT\n#else\n#define MEMBER_ARGUMENT , int member\n#endif"]
    parts += [_COMMON, _BEGIN, _only("rk4", _FIXED), *(_only(each.name, _adaptive(each)) for each in ADAPTIVE)]
    return "\n".join(part.strip("\n") for part in parts) + "\n"


def _watched(programs: Sequence[Program], inline: bool) -> list[str]:
    """All divisors in one array."""
    parts = [
        device_function(each, f"watched{k}", str(len(each.outputs)), inline)
        for k, each in enumerate(programs)
        if each.outputs
    ]
    if not parts:
        return []
    lines, place = list[str](), 0
    for k, each in enumerate(programs):
        if size := len(each.outputs):
            copies = " ".join(f"out[{place + j}] = part[{j}];" for j in range(size))
            lines.append(f"    {{ real part[{size}]; watched{k}(t, x, p, part); {copies} }}")
            place += size
    head = "static __device__ __noinline__ void watched(const real t, const real (&x)[N], const Parameters &p, real (&out)[W + 1])"
    return [*parts, "\n".join([head, "{", *lines, "}"])]


def _only(name: str, text: str) -> str:
    """A kernel that a launcher can leave out: compiling those that are not launched takes longer than the one that is."""
    return f"#if !defined(ONLY) || defined(ONLY_{name})\n{text}\n{_on_cpu(name)}\n#endif"


def _adaptive(method: AbstractAdaptive) -> str:
    names = ", ".join(f"k{j}[N]" for j in range(method.stages + 1 + method.more))
    text = _ADAPTIVE.replace("STAGES", names).replace("NAME", method.name).replace("ORDER", f"{method.order}.0")
    text = text.replace("LAST[i]", f"k{method.stages}[i]")
    for word, lines, indent in (
        ("STEP\n", method.step(), 8),
        ("BETWEEN\n", method.interpolated(), 12),
        ("BEFORE ", method.before_interpolation(), 0),
    ):
        text = text.replace(f"{' ' * indent}{word}" if indent else word, _indented(lines, indent))
    return text


def _indented(lines: list[str], indent: int) -> str:
    return "".join(f"{' ' * indent}{line}{chr(10) if indent else ' '}" for line in lines)


def _on_cpu(name: str) -> str:
    """Without CUDA the same kernel is called member by member."""
    return f"""#ifndef __CUDACC__
extern "C" void run_{name}(const Task *task)
{{
    _Pragma("omp parallel for schedule(dynamic, 64)")
    for (int m = 0; m < task->members; m++) {{ {name}(*task, m); }}
}}
#endif"""
