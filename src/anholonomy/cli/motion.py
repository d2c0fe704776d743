"""The motion that a command is about: simulated from its start, or continued from where a file ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from anholonomy.base.errors import IntegrationError
from anholonomy.cli.target import Study
from anholonomy.cli.values import named_texts, number, numbers, speeds_of

if TYPE_CHECKING:
    from anholonomy.public.motion import Motion

__all__ = ["exit_code", "go_on", "run"]


def run(
    study: Study,
    until: str | None,
    times: str | None = None,
    *,
    by: str | None = None,
    speed: Sequence[str] | None = None,
    tolerance: str | None = None,
    integrator: str | None = None,
    project: bool = False,
    events: Sequence[str] | None = None,
    stop: Sequence[str] | None = None,
    max_step: str | None = None,
    breaks: str | None = None,
    inputs: Sequence[str] | None = None,
) -> Motion:
    """Integrate; an interrupted motion comes back as far as it went."""
    from anholonomy.motion.problem.one_motion import MACHINE

    study.refuse_without_start()
    if until is not None and times is not None:
        raise IntegrationError("--until and --times both say when the motion ends; give one of them.")
    grid = numbers(times, "--times") if times is not None else None
    end = grid[-1] if grid else number(until, "--until") if until is not None else study.until
    if end is None:
        raise IntegrationError(f"{study.system.name}: give --until or --times, to say how long the motion lasts.")
    system, speeds = study.system, speeds_of(speed)
    simulate = partial(system.simulate, by=by) if speeds is None else system.derive(by, speeds=speeds).simulate
    return simulate(
        study.start,
        None if grid else end,
        grid,
        tolerance=MACHINE if tolerance is None else number(tolerance, "--tolerance"),
        integrator=integrator,
        project=project,
        events=named_texts(events or (), "--event"),
        stop=tuple(stop or ()),
        max_step=None if max_step is None else number(max_step, "--max-step"),
        breaks=() if breaks is None else numbers(breaks, "--breaks"),
        inputs=named_texts(inputs, "--input") if inputs else None,
    )


def saved_motion(file: str) -> Motion:
    """The motion in a file."""
    from anholonomy.base.errors import FileError
    from anholonomy.public.files import load
    from anholonomy.public.motion import Motion

    found = load(file)
    if not isinstance(found, Motion):
        raise FileError(f"{file} holds no motion; give a file that a motion was saved to.")
    return found


def go_on(
    file: str,
    until: str | None,
    events: Sequence[str] | None,
    stop: Sequence[str] | None,
    others: Mapping[str, object],
) -> Motion:
    """Continue the motion in a file; it goes on as it began, so that ``others`` than these options are refused."""
    if given := [f"--{option.replace('_', '-')}" for option, value in others.items() if value]:
        raise IntegrationError(f"{file} holds a motion, which goes on as it began; leave out {', '.join(given)}.")
    if until is None:
        raise IntegrationError(f"{file} holds a motion; give --until, to say how far it goes on.")
    return saved_motion(file).continue_to(
        number(until, "--until"),
        events=named_texts(events, "--event") if events else None,
        stop=tuple(stop) if stop else None,
    )


def exit_code(motion: Motion) -> int:
    """0 for a complete motion, 130 for an interrupted one, 1 for one that ended early by itself."""
    from anholonomy.motion.integrators.base import Outcome

    if motion.is_complete:
        return 0
    return 130 if motion.outcome.startswith(Outcome.INTERRUPTED.value) else 1
