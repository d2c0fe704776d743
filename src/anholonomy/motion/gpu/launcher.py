"""The launcher of a saved kernel, beside which it lies: needs NumPy, and CuPy for a GPU or a C++ compiler for the CPU; nothing else.

    launcher = Launcher.load("sleigh-kernel")
    runs = launcher({"theta": angles, "u": 1.0}, times=[0, 10, 20], parameters={"a": lengths})
    runs["theta"], runs.outcome(17)

A start is a number or an array for each name of the state, one entry a member; arrays of parameters likewise.
"""

from __future__ import annotations

import ctypes
import json
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from time import perf_counter
from typing import Any, final

import numpy as np

__all__ = ["LaunchRefused", "Launched", "Launcher"]

OUTCOMES = (
    "the motion was integrated to the end",
    "the state ceased to be finite: the motion escapes or its equations become singular there",
    "the steps became too small to advance the time: the motion nears a singularity",
    "the number of steps allowed was used up before the end",
    "the speeds of this kernel wear out there; go on in others",
    "the integration was stopped where it was asked to stop",
)
"""Sentences for the numbers that a kernel returns, in their order."""
METHODS = ("rk4", "dopri5", "dop853")
_THREADS = 128
"""Motions of one block of threads."""
_TASK = np.dtype(
    [(name, "i4") for name in ("members", "samples", "events", "room", "most")]
    + [("stopping", "u4"), ("step", "f8"), ("tolerance", "f8")]
    + [(name, "u8") for name in ("starts", "parameters", "sizes", "times", "directions")]
    + [(name, "u8") for name in ("states", "reached", "event_times", "outcome", "event_counts", "steps")],
    align=True,
)
"""The structure of that name in the source."""


class LaunchRefused(ValueError):
    """What was asked cannot be launched; the message says what to change."""


@final
@dataclass(frozen=True)
class Launched:
    """Motions of many members.

    Attributes
    ----------
    states
        The states at the times asked for: time, name, member. What a member did not reach is NaN.
    ends
        The last state of each member and when it was reached.
    events
        For each event the times at which a member met it, NaN after the last, and how often it did.
    seconds
        What the kernel itself took, without compilation and copies.
    """

    names: tuple[str, ...]
    times: Any
    states: Any
    ends: Any
    reached: Any
    outcomes: Any
    steps: Any
    events: Mapping[str, tuple[Any, Any]]
    seconds: float

    def __getitem__(self, name: str) -> Any:
        """A coordinate or speed at all times, of all members."""
        if name not in self.names:
            raise LaunchRefused(f"there is no {name!r} in the state; it has {', '.join(self.names)}.")
        return self.states[:, self.names.index(name)]

    def outcome(self, member: int) -> str:
        """How a member ended, in a sentence."""
        code = int(self.outcomes[member])
        return OUTCOMES[code] + (f" (t = {float(self.reached[member]):.6g})" if code else "")


@final
@dataclass(frozen=True)
class Launcher:
    """A kernel that can be called: its source and the names of what goes in and comes out."""

    source: str
    names: Mapping[str, Any] = field(repr=False)

    @classmethod
    def load(cls, folder: str | Path) -> Launcher:
        """The kernel of a bundle."""
        place = Path(folder)
        try:
            return cls((place / "kernel.cu").read_text("utf-8"), json.loads((place / "names.json").read_text("utf-8")))
        except OSError as problem:
            raise LaunchRefused(f"{folder} holds no kernel: {problem.strerror or problem}.") from None
        except ValueError as problem:
            raise LaunchRefused(f"{folder} holds a broken kernel ({problem}); save it again.") from None

    def __call__(
        self,
        starts: Mapping[str, Any],
        times: Sequence[float],
        parameters: Mapping[str, Any] | None = None,
        *,
        method: str = "dop853",
        tolerance: float = 1e-8,
        step: float | None = None,
        precision: str = "double",
        device: str = "cuda",
        stop: str | Sequence[str] = (),
        room: int = 16,
        most: int = 10_000_000,
    ) -> Launched:
        """Integrate all members; ``method`` is ``"rk4"`` with a ``step``, or ``"dopri5"`` or ``"dop853"`` with a ``tolerance``.

        ``stop`` names an event, or several, that end a member. ``room`` is how many times of an event are kept.
        """
        if method not in METHODS or (method == "rk4") != (step is not None):
            raise LaunchRefused(f"method={method!r}: take 'rk4' with a step, or 'dopri5' or 'dop853' without one.")
        if precision not in ("double", "single") or device not in ("cuda", "cpu"):
            raise LaunchRefused("precision is 'double' or 'single', and device 'cuda' or 'cpu'.")
        _check_numbers(tolerance, step, room, most)
        stop = [stop] if isinstance(stop, str) and stop else stop
        if not isinstance(stop, str | list | tuple | set) or any(self._event(name) >= 32 for name in stop):
            raise LaunchRefused(f"stop={stop!r:.60} must be a list of names of events, of the first 32.")
        real = np.dtype(np.float64 if precision == "double" else np.float32)
        table, members = self._table(starts, self.names["state"], {}, "start")
        values, count = self._table(parameters or {}, (), self.names["parameters"], "parameter")
        members = _common(members, count)
        clock = _clock(times)
        fixed = {name: float(value) for name, value in values.items() if not np.ndim(value)}
        varying = tuple(name for name, value in values.items() if np.ndim(value))
        module = _Cuda if device == "cuda" else _Cpu
        code = module.compiled(self._defined(fixed, varying), method, precision)
        task = _Arrays(
            starts=_stacked([table[name] for name in self.names["state"]], members, real),
            parameters=_stacked([values[name] for name in varying], members, real),
            sizes=np.asarray(self.names["sizes"], real),
            times=clock,
            directions=np.asarray(self.names["directions"], np.int32),
            room=room if self.names["events"] else 0,
            members=members,
        )
        if (needed := task.bytes_each(real) * float(members)) > (free := _free_memory()):
            raise LaunchRefused(
                f"{members:,d} members at {clock.size:,d} times are {needed / 1e9:.3g} GB, and {free / 1e9:.3g} GB of memory are "
                "free; ask for fewer times or members at once."
            )
        numbers = {
            "samples": clock.size,
            "events": len(self.names["events"]),
            "room": task.room,
            "most": most,
            "stopping": sum(1 << self._event(name) for name in stop),
            "step": step or 0.0,
            "tolerance": tolerance,
        }
        return self._told(task, *module.launched(code, task, numbers, real))

    def _event(self, name: str) -> int:
        if name not in self.names["events"]:
            raise LaunchRefused(f"there is no event {name!r} in this kernel; it has {list(self.names['events'])}.")
        return list(self.names["events"]).index(name)

    def _table(
        self, given: Mapping[str, Any], wanted: Sequence[str], defaults: Mapping[str, Any], what: str
    ) -> tuple[dict[str, Any], int]:
        """Numbers or arrays by name, and how many members they speak of; 1 where all are numbers."""
        known = [*wanted, *defaults]
        if not isinstance(given, Mapping):
            raise LaunchRefused(f"the {what}s are {given!r:.60}; give a dict from names to numbers or arrays.")
        if unknown := [name for name in given if name not in known]:
            raise LaunchRefused(f"{unknown[0]!r} is no {what} of {self.names['name']}; it has {', '.join(known)}.")
        table = {**defaults, **given}
        if missing := [name for name in known if table.get(name) is None]:
            raise LaunchRefused(f"{what} {missing[0]!r} has no value; give one.")
        found = {name: _numbers(table[name]) for name in known}
        if bad := [n for n, value in found.items() if value.ndim > 1 or not value.size or not np.isfinite(value).all()]:
            raise LaunchRefused(f"{what} {bad[0]!r} is no finite number, and no array of one axis of such.")
        sizes = {value.size for value in found.values() if value.ndim}
        if len(sizes) > 1:
            raise LaunchRefused(f"the arrays have {sorted(sizes)} entries; give one entry a member, or a number.")
        return found, sizes.pop() if sizes else 1

    def _defined(self, fixed: Mapping[str, float], varying: tuple[str, ...]) -> str:
        """The source behind the definitions of its parameters: numbers, or entries of what a member brings."""
        lines = [f"#define VARYING {len(varying)}"]
        for i, name in enumerate(self.names["parameters"]):
            text = f"(p.q[{varying.index(name)}])" if name in varying else f"R({fixed[name]!r})"
            lines.append(f"#define P{i} {text}")
        return "\n".join([*lines, self.source])

    def _told(self, task: _Arrays, found: Mapping[str, Any], seconds: float) -> Launched:
        states, shape = found["states"], (task.times.size + 1, len(self.names["state"]), task.members)
        states = states.reshape(shape)
        late = _late(task.times, found["reached"])
        samples = np.where(late[:, None, :], np.nan, states[:-1])
        kinds = len(self.names["events"])
        times = found["event_times"].reshape(task.room, kinds, task.members)
        counts = found["event_counts"].reshape(kinds, task.members)
        events = {name: (times[:, j], counts[j]) for j, name in enumerate(self.names["events"])}
        return Launched(
            tuple(self.names["state"]),
            task.times,
            samples,
            states[-1],
            found["reached"],
            found["outcome"],
            found["steps"],
            events,
            seconds,
        )


def _free_memory() -> float:
    """Bytes; infinite where the system does not say."""
    try:
        lines = Path("/proc/meminfo").read_text("ascii").splitlines()
        return 1024.0 * next(float(line.split()[1]) for line in lines if line.startswith("MemAvailable"))
    except (OSError, StopIteration):
        return float("inf")


def _numbers(given: Any) -> Any:
    """An array of doubles; NaN for what is none."""
    try:
        return np.asarray(given, float)
    except (TypeError, ValueError):
        return np.asarray(np.nan)


def _check_numbers(tolerance: Any, step: Any, room: Any, most: Any) -> None:
    """Refuse what a kernel would take for a number and step wrongly by."""
    for name, value in (("tolerance", tolerance), ("step", 1.0 if step is None else step)):
        if not (np.ndim(value) == 0 and np.isfinite(number := _numbers(value)) and number > 0):
            raise LaunchRefused(f"{name}={value!r:.40} is no number above zero; give one.")
    for name, value in (("room", room), ("most", most)):
        if not isinstance(value, int | np.integer) or not 0 <= value < 2**31:
            raise LaunchRefused(f"{name}={value!r:.40} is no whole number from 0 to 2^31 - 1; give one.")


def _late(times: Any, reached: Any) -> Any:
    """Which samples lie behind the end of a member."""
    direction = 1.0 if times[-1] >= times[0] else -1.0
    return direction * (times[:, None] - reached[None, :]) > 0.0


def _common(first: int, second: int) -> int:
    if 1 not in (first, second) and first != second:
        raise LaunchRefused(f"starts speak of {first} members and parameters of {second}; give as many.")
    return max(first, second)


def _clock(times: Sequence[float]) -> Any:
    clock = _numbers(times)
    steps = np.diff(clock) if clock.ndim == 1 else np.zeros(1)
    if not (clock.size > 1 and np.isfinite(clock).all() and ((steps > 0).all() or (steps < 0).all())):
        raise LaunchRefused("times must be two or more finite numbers that rise, or fall.")
    return clock


def _stacked(values: Sequence[Any], members: int, real: Any) -> Any:
    rows = [np.broadcast_to(value, (members,)) for value in values]
    return np.ascontiguousarray(rows, real) if rows else np.zeros((1, 1), real)


@final
@dataclass(frozen=True)
class _Arrays:
    """What goes in."""

    starts: Any
    parameters: Any
    sizes: Any
    times: Any
    directions: Any
    room: int
    members: int

    def part(self, members: slice) -> _Arrays:
        cut = self.starts[:, members]
        parameters = self.parameters[:, members] if self.parameters.shape[1] == self.members else self.parameters
        return _Arrays(cut, parameters, self.sizes, self.times, self.directions, self.room, cut.shape[1])

    def results(self, real: Any, xp: Any) -> dict[str, Any]:
        """Room for what comes out."""
        samples, states, events = self.times.size + 1, self.starts.shape[0], len(self.directions)
        return {
            "states": xp.full(samples * states * self.members, np.nan, real),
            "reached": xp.zeros(self.members),
            "event_times": xp.full(max(1, self.room * events * self.members), np.nan)[
                : self.room * events * self.members
            ],
            "outcome": xp.zeros(self.members, np.int32),
            "event_counts": xp.zeros(events * self.members, np.int32),
            "steps": xp.zeros(self.members, np.int32),
        }

    def bytes_each(self, real: Any) -> int:
        """Memory of one member."""
        numbers = (self.times.size + 2) * self.starts.shape[0] + self.parameters.shape[0]
        return int(numbers * real.itemsize + 24 + (8 * self.room + 4) * len(self.directions))


def _task(numbers: Mapping[str, Any], addresses: Mapping[str, int], members: int) -> Any:
    task = np.zeros((), _TASK)
    for name, value in {**numbers, **addresses, "members": members}.items():
        task[name] = value
    return task


def _options(method: str, precision: str) -> tuple[str, ...]:
    """Only the method asked for is compiled: the others would take longer than it runs."""
    return (f"-DREAL={'double' if precision == 'double' else 'float'}", "-DONLY", f"-DONLY_{method}")


@final
class _Cpu:
    """The same source as C++, compiled by the machine's own compiler."""

    @staticmethod
    @lru_cache(maxsize=32)
    def compiled(source: str, method: str, precision: str) -> Any:
        compiler = next((found for name in ("g++", "clang++", "c++") if (found := shutil.which(name))), None)
        if compiler is None:
            raise LaunchRefused("there is no C++ compiler on this machine; install one, or take device='cuda'.")
        with tempfile.TemporaryDirectory() as folder:
            code, library = Path(folder, "kernel.cpp"), Path(folder, "kernel.so")
            code.write_text(source, "utf-8")
            flags = ["-std=c++17", "-O2", "-w", "-fPIC", "-shared", "-fopenmp", *_options(method, precision)]
            done = subprocess.run([compiler, *flags, str(code), "-o", str(library)], capture_output=True, text=True)
            if done.returncode:
                raise LaunchRefused(f"{compiler} refuses the kernel: {done.stderr[:500]}")
            entry = getattr(ctypes.CDLL(str(library)), f"run_{method}")
        entry.argtypes, entry.restype = [ctypes.c_void_p], None
        return entry

    @staticmethod
    def launched(code: Any, arrays: _Arrays, numbers: Mapping[str, Any], real: Any) -> tuple[dict[str, Any], float]:
        results = arrays.results(real, np)
        inputs = {name: np.ascontiguousarray(getattr(arrays, name)) for name in _INPUTS}
        addresses = {name: array.ctypes.data for name, array in {**inputs, **results}.items()}
        task, began = _task(numbers, addresses, arrays.members), perf_counter()
        code(task.ctypes.data)
        return results, perf_counter() - began


_INPUTS = ("starts", "parameters", "sizes", "times", "directions")


@final
class _Cuda:
    """The source compiled for the GPU at hand by NVRTC, through CuPy."""

    @staticmethod
    @lru_cache(maxsize=32)
    def compiled(source: str, method: str, precision: str) -> Any:
        cupy = _cupy()
        module = cupy.RawModule(code=source, options=("--std=c++17", *_options(method, precision)))
        return module.get_function(method)

    @staticmethod
    def launched(code: Any, arrays: _Arrays, numbers: Mapping[str, Any], real: Any) -> tuple[dict[str, Any], float]:
        """In as many launches as the memory of the card asks for."""
        cupy = _cupy()
        free = cupy.cuda.runtime.memGetInfo()[0]
        width = max(_THREADS, int(0.6 * free / arrays.bytes_each(real)))
        cuts = [slice(first, first + width) for first in range(0, arrays.members, width)]
        made = [_Cuda._launched(cupy, code, arrays.part(cut), numbers, real) for cut in cuts]
        parts, seconds = [part for part, _ in made], sum(taken for _, taken in made)
        if len(parts) == 1:
            return parts[0], seconds
        shaped = [{name: value.reshape(-1, part["reached"].size) for name, value in part.items()} for part in parts]
        return {name: np.concatenate([part[name] for part in shaped], axis=1).ravel() for name in shaped[0]}, seconds

    @staticmethod
    def _launched(
        cupy: Any, code: Any, arrays: _Arrays, numbers: Mapping[str, Any], real: Any
    ) -> tuple[dict[str, Any], float]:
        results = arrays.results(real, cupy)
        inputs = {name: cupy.asarray(np.ascontiguousarray(getattr(arrays, name))) for name in _INPUTS}
        addresses = {name: array.data.ptr for name, array in {**inputs, **results}.items()}
        blocks = -(-arrays.members // _THREADS)
        began, ended = cupy.cuda.Event(), cupy.cuda.Event()
        began.record()
        code((blocks,), (_THREADS,), (_task(numbers, addresses, arrays.members),))
        ended.record()
        ended.synchronize()
        seconds = cupy.cuda.get_elapsed_time(began, ended) / 1e3
        return {name: cupy.asnumpy(value) for name, value in results.items()}, seconds


def _cupy() -> Any:
    try:
        import cupy

        cupy.cuda.runtime.getDevice()
    except ImportError:
        raise LaunchRefused("device='cuda' needs CuPy; pip install 'anholonomy[cuda]', or take device='cpu'.") from None
    except Exception as problem:  # CuPy's own, whose class is not known here
        raise LaunchRefused(f"no GPU can be used: {problem}; take device='cpu'.") from None
    return cupy
