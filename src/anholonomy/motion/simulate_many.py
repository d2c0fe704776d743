"""The verbs for many motions: an ensemble of starts, and a sweep over what is varied.

Varied is a grid of values, samples that fill a box (Sobol, Latin hypercube), or a list.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

import numpy as np

from anholonomy.base.errors import ArgumentError, IntegrationError, NotSupportedError, UnknownNameError, quoted
from anholonomy.equations.derivation import Derivation
from anholonomy.language.arguments import expect_whole
from anholonomy.motion.dataset.many_motions import dataset
from anholonomy.motion.driver.devices import DEVICES, gathered, on_card, refuse_unless_it_fits
from anholonomy.motion.memory import refuse_unless_free
from anholonomy.motion.observables.many_motions import Observables, observables
from anholonomy.motion.problem.many_motions import Question, asked
from anholonomy.motion.problem.one_motion import derivation_for
from anholonomy.motion.signals.many_motions import again, driven_by, joined, span, written_out
from anholonomy.motion.starts.many_motions import table
from anholonomy.motion.sweeps.block import Recipe
from anholonomy.motion.sweeps.reductions import LYAPUNOV, Reduction, reductions
from anholonomy.motion.sweeps.run import carried_out
from anholonomy.programs.backends.base import Array
from anholonomy.show.progress import watching
from anholonomy.system.model import Model

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["ensemble", "sweep"]


def ensemble(
    system: Model,
    starts: Any,
    until: float | None,
    times: Any,
    *,
    derivation: Derivation | None = None,
    by: Any = None,
    keep: Sequence[str] | str | None = None,
    device: str = "cpu",
    precision: str = "double",
    store: str | Path | None = None,
    client: Any = None,
    progress: Callable[[float], None] | None = None,
    inputs: Any = None,
    parameters: Any = None,
    **options: Any,
) -> tuple[xr.Dataset, Model]:
    """The motions from all starts, and the model whose they are: inputs that are numbers are its parameters."""
    if device not in ("cpu", *DEVICES):
        raise UnknownNameError(
            f"{system.name}: there is no device {quoted(device)}; say 'cpu', {' or '.join(map(repr, DEVICES))}."
        )
    if device == "cpu" and precision != "double":
        raise NotSupportedError(
            f"{system.name}: on the CPU numbers are doubles; leave precision={quoted(precision)} out."
        )
    speeds = None if derivation is None else derivation.asked_speeds
    given = written_out(system, inputs, speeds if isinstance(speeds, dict) else None)
    system, driven = given.system, driven_by(given.system, given.data, *span(system, starts, until, times))
    chosen = derivation_for(driven.model(system), by) if derivation is None else again(derivation, driven.model(system))
    question = asked(
        *(system, chosen, starts, until, times),
        parameters=joined(system, parameters, given.parameters),
        usual=derivation is None and by is None,
        driven=driven,
        **options,
    )
    kept = kept_functions(question, keep)
    if store is not None or client is not None:
        return _streamed(question, kept, store, client, progress), system
    refuse_unless_it_fits(question, len(kept.names))
    with watching(progress, f"{question.columns.count:,d} members", question.columns.count) as report:
        found = gathered(question, kept, report) if device == "cpu" else on_card(question, kept, device, precision)
    return dataset(question, kept.names, found, {"alone": found.alone}), system


def _streamed(question: Question, kept: Observables, store: Any, client: Any, progress: Any) -> xr.Dataset:
    """Block by block into a store, as a sweep is."""
    recipe = Recipe(question, kept, (), Observables(question.model, question.derivation, (), ()))
    with watching(progress, f"{question.columns.count:,d} members", question.columns.count) as report:
        return carried_out(recipe, store, True, client, report, {"alone": "-1"})


def kept_functions(question: Question, keep: Sequence[str] | str | None) -> Observables:
    """What is kept: coordinates and velocities unless it is said."""
    model = question.model
    usual = [s.name for s in (*model.coordinates, *model.velocities)]
    if not (keep is None or isinstance(keep, str | Sequence)):
        raise IntegrationError(f"{model.name}: `keep` is {quoted(keep)}; give names in a list, such as [{usual[0]!r}].")
    chosen = usual if keep is None else [keep] if isinstance(keep, str) else list(keep)
    if not chosen:
        raise IntegrationError(f"{model.name}: `keep` is empty; name what is to be kept, such as {usual[0]!r}.")
    if twice := sorted({str(name) for name in chosen if chosen.count(name) > 1}):
        raise IntegrationError(f"{model.name}: `keep` has {twice[0]} twice; name it once.")
    return observables(model, question.derivation, chosen)


def sweep(
    system: Model,
    over: Any,
    start: Mapping[str, Any] | None,
    until: float | None,
    times: Any,
    *,
    by: Any = None,
    parameters: Mapping[str, float] | None = None,
    keep: Sequence[str] | str | None = None,
    summaries: Any = None,
    samples: int | None = None,
    sampling: str = "sobol",
    seed: int = 0,
    store: str | Path | None = None,
    resume: bool = True,
    client: Any = None,
    progress: Callable[[float], None] | None = None,
    inputs: Any = None,
    **options: Any,
) -> tuple[xr.Dataset, Model]:
    """The motions over everything that is varied, and the model whose they are."""
    design = designed(system, over, samples, sampling, seed)
    varied = {u: 0.0 for u in design.columns if u in system.inputs}
    if both := [u for u in varied if isinstance(inputs, Mapping) and u in inputs]:
        raise IntegrationError(f"{system.name}: {both[0]} is varied and given a signal; leave one out.")
    given = written_out(system, {**(inputs or {}), **varied} if varied and not callable(inputs) else inputs)
    system = given.system
    parameters = joined(system, parameters, {u: value for u, value in given.parameters.items() if u not in varied})
    starts, values = _columns(system, design, start, parameters)
    driven = driven_by(system, given.data, *span(system, starts, until, times))
    chosen = derivation_for(driven.model(system), by)
    question = asked(
        system, chosen, starts, until, times, parameters=values, usual=by is None, driven=driven, **options
    )
    made = reductions(system.name, summaries)
    kept = (
        Observables(question.model, question.derivation, (), ())
        if keep is None and made
        else kept_functions(question, keep)
    )
    _refuse_names(system, made, kept.names, design)
    if driven and any(each.kind == LYAPUNOV for each in made):
        raise NotSupportedError(
            f"{system.name}: exponents are not found while data drives an input; give a number or a text."
        )
    functions = observables(
        question.model, question.derivation, [each.expression for each in made if each.kind != LYAPUNOV]
    )
    recipe = Recipe(question, kept, made, functions)
    with watching(progress, f"{question.columns.count:,d} members", question.columns.count) as report:
        data = carried_out(recipe, store, resume, client, report, _attributes(design, made))
    return data, system


def _attributes(design: Design, made: Sequence[Reduction]) -> dict[str, str]:
    """What was varied and made, as it is kept."""
    ways = {each.name: [each.kind, each.expression] for each in made}
    axes = {name: values.tolist() for name, values in design.axes.items()}
    return {"varied": json.dumps(list(design.columns)), "axes": json.dumps(axes), "made": json.dumps(ways)}


def _columns(
    system: Model, design: Design, start: Mapping[str, Any] | None, parameters: Mapping[str, float] | None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Starts and parameters of the members."""
    given = dict(system.start or {}) if start is None else start
    if not isinstance(given, Mapping):
        raise IntegrationError(f"{system.name}: `start` is {quoted(start)}; give a dict from names to numbers.")
    states = {name: values for name, values in design.columns.items() if name not in system.parameters}
    if both := [name for name in design.columns if (start is not None and name in given) or name in (parameters or {})]:
        raise IntegrationError(f"{system.name}: {both[0]} is varied and given a value; leave one out.")
    values = {name: column for name, column in design.columns.items() if name in system.parameters}
    return {**given, **states}, {**(parameters or {}), **values}


def _refuse_names(system: Model, made: Sequence[Reduction], kept: Sequence[str], design: Design) -> None:
    names = [each.name for each in made]
    taken = {*kept, *design.columns, *system.parameters, "complete", "stop_time", "start", "time", "member"}
    if clash := [
        name for name in names if name in taken or names.count(name) > 1 or not name.strip() or name.startswith(".")
    ]:
        raise UnknownNameError(
            f"{system.name}: `summaries` calls something {quoted(clash[0])}, which has another meaning here; choose another name."
        )
    if any(each.kind == LYAPUNOV for each in made) and system.momenta_a is not None:
        raise NotSupportedError(f"{system.name} has no Lagrangian; exponents are found for systems with one.")


_WAYS = ("sobol", "latin", "random")


@final
@dataclass(frozen=True, eq=False)
class Design:
    """The varied names with their values, a column each; ``axes`` are those of a grid, in the order of its members."""

    columns: dict[str, Array]
    axes: dict[str, Array]

    @property
    def count(self) -> int:
        return next(iter(self.columns.values())).size


def designed(model: Model, over: Any, samples: int | None, sampling: str, seed: int) -> Design:
    """The members of a sweep.

    >>> from anholonomy.catalogue import skate
    >>> designed(skate(), {"m": [1, 2], "theta'": [0, 1, 2]}, None, "sobol", 0).columns["theta'"].tolist()
    [0.0, 1.0, 2.0, 0.0, 1.0, 2.0]
    >>> designed(skate(), {"m": (1, 2), "theta'": (0, 1)}, 4, "sobol", 0).count
    4
    """
    if not isinstance(over, Mapping) or hasattr(over, "data_vars"):
        if over is None or not (
            hasattr(over, "columns") or hasattr(over, "data_vars") or isinstance(over, list | tuple)
        ):
            raise IntegrationError(
                f"{model.name}: `over` is {quoted(over)}; give a dict from names to values, such as {{'a': np.linspace(0, 1, 100)}}, a list "
                "of dicts or a table."
            )
        listed = {str(name): _numbers(model, str(name), values) for name, values in table(model, over).items()}
        return Design(_of_one_length(model, listed), {})
    if not over:
        raise IntegrationError(
            f"{model.name}: `over` is empty; name what is varied, such as {{'a': np.linspace(0, 1, 100)}}."
        )
    values = {str(name): _numbers(model, str(name), given) for name, given in over.items()}
    if samples is not None:
        return Design(_sampled(model, values, samples, sampling, seed), {})
    _refuse_too_many(model, math.prod(each.size for each in values.values()), len(values))
    mesh = np.meshgrid(*values.values(), indexing="ij")
    return Design({name: part.ravel() for name, part in zip(values, mesh, strict=True)}, values)


def _numbers(model: Model, name: str, given: Any) -> Array:
    try:
        values = np.atleast_1d(np.asarray(getattr(given, "values", given), dtype=float))
    except (TypeError, ValueError):
        values = np.array([np.nan])
    if values.ndim != 1 or not values.size or not np.isfinite(values).all():
        raise IntegrationError(
            f"{model.name}: {name} in `over` is no list of finite numbers; give one, such as np.linspace(0, 1, 100)."
        )
    return values


def _refuse_too_many(model: Model, count: int, names: int) -> None:
    """Members whose varied values alone are no more than memory holds, twice while they are put in order."""
    refuse_unless_free(
        16.0 * count * names, f"{model.name}: {count:,d} members with {names} names in `over`", "give fewer values"
    )


def _of_one_length(model: Model, columns: dict[str, Array]) -> dict[str, Array]:
    count = max(values.size for values in columns.values())
    if wrong := [name for name, values in columns.items() if values.size not in (1, count)]:
        raise IntegrationError(
            f"{model.name}: {wrong[0]} has {columns[wrong[0]].size} values and others {count}; give as many of each."
        )
    return {name: np.broadcast_to(values, (count,)).copy() for name, values in columns.items()}


def _sampled(model: Model, ranges: dict[str, Array], samples: int, sampling: str, seed: int) -> dict[str, Array]:
    """Points of a box, always the same for the same seed."""
    from scipy.stats import qmc

    samples = expect_whole(samples, f"{model.name}: `samples`", 1, refusal=ArgumentError)
    _refuse_too_many(model, samples, len(ranges))
    seed = expect_whole(seed, f"{model.name}: `seed`", 0, refusal=ArgumentError)
    if sampling not in _WAYS:
        raise UnknownNameError(f"there is no sampling {quoted(sampling)}; there are {', '.join(_WAYS)}.")
    if wrong := [name for name, pair in ranges.items() if pair.size != 2]:
        raise IntegrationError(
            f"{model.name}: with samples= give {wrong[0]} in `over` two numbers, the least and the largest."
        )
    size = len(ranges)
    if sampling == "sobol":
        # A power of two is balanced; what is more is left out.
        unit = qmc.Sobol(size, rng=seed).random_base2(int(np.ceil(np.log2(samples))))[:samples]
    elif sampling == "latin":
        unit = qmc.LatinHypercube(size, rng=seed).random(samples)
    else:
        unit = np.random.default_rng(seed).random((samples, size))
    return {name: low + (high - low) * unit[:, k] for k, (name, (low, high)) in enumerate(ranges.items())}
