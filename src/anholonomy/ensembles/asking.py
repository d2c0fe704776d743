"""From what a user types to an ensemble."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anholonomy.ensembles.ensemble import Ensemble
from anholonomy.ensembles.inputs import again, driven_by, joined, span, written_out
from anholonomy.ensembles.members.observing import Observables, observables
from anholonomy.ensembles.members.on_card import DEVICES
from anholonomy.ensembles.question import Question, asked
from anholonomy.ensembles.running import gathered, on_card, refuse_unless_it_fits
from anholonomy.ensembles.schema import dataset
from anholonomy.formulations.equations.derivation import Derivation
from anholonomy.refusals import IntegrationProblem, NotCovered, UnknownName
from anholonomy.show.progress import watching
from anholonomy.simulate.pieces.smallest import derivation_for
from anholonomy.system.model import Model

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["ensemble", "kept_functions"]


def kept_functions(question: Question, keep: Sequence[str] | str | None) -> Observables:
    """What is kept: coordinates and velocities unless it is said."""
    model = question.model
    usual = [s.name for s in (*model.coordinates, *model.velocities)]
    if not (keep is None or isinstance(keep, str | Sequence)):
        raise IntegrationProblem(f"{model.name}: `keep` is {keep!r:.60}; give names in a list, such as [{usual[0]!r}].")
    chosen = usual if keep is None else [keep] if isinstance(keep, str) else list(keep)
    if not chosen:
        raise IntegrationProblem(f"{model.name}: `keep` is empty; name what is to be kept, such as {usual[0]!r}.")
    if twice := sorted({str(name) for name in chosen if chosen.count(name) > 1}):
        raise IntegrationProblem(f"{model.name}: `keep` has {twice[0]} twice; name it once.")
    return observables(model, question.derivation, chosen)


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
) -> Ensemble:
    """The motions from all starts."""
    if device not in ("cpu", *DEVICES):
        raise UnknownName(
            f"{system.name}: there is no device {device!r:.40}; say 'cpu', {' or '.join(map(repr, DEVICES))}."
        )
    if device == "cpu" and precision != "double":
        raise NotCovered(f"{system.name}: on the CPU numbers are doubles; leave precision={precision!r:.40} out.")
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
        return Ensemble(_streamed(question, kept, store, client, progress), system)
    refuse_unless_it_fits(question, len(kept.names))
    with watching(progress, f"{question.columns.count:,d} members", question.columns.count) as report:
        found = gathered(question, kept, report) if device == "cpu" else on_card(question, kept, device, precision)
    return Ensemble(dataset(question, kept.names, found, {"alone": found.alone}), system)


def _streamed(question: Question, kept: Observables, store: Any, client: Any, progress: Any) -> xr.Dataset:
    """Block by block into a store, as a sweep is."""
    from anholonomy.ensembles.sweep.recipe import Recipe
    from anholonomy.ensembles.sweep.sweeping import carried_out

    recipe = Recipe(question, kept, (), Observables(question.model, question.derivation, (), ()))
    with watching(progress, f"{question.columns.count:,d} members", question.columns.count) as report:
        return carried_out(recipe, store, True, client, report, {"alone": "-1"})
