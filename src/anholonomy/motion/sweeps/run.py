"""A sweep carried out: blocks in threads or by Dask, into memory or a store; what is there already is not made again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from anholonomy.base.errors import Error, FileError, IntegrationError, quoted
from anholonomy.base.files import path_of
from anholonomy.motion.dataset.many_motions import (
    attributes,
    endings,
    from_file_names,
    member_coordinates,
    model_of,
    with_events,
)
from anholonomy.motion.driver.devices import block_size, refuse_unless_it_fits, samples_on_the_way, workers
from anholonomy.motion.integrators.lanes import Halt
from anholonomy.motion.problem.many_motions import Question
from anholonomy.motion.sweeps.block import Part, Recipe
from anholonomy.motion.sweeps.store import Store, open_store, told
from anholonomy.programs.backends.base import Array
from anholonomy.system.declaration.toml import to_toml

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["carried_out", "stored"]

_LONGEST = 16_384
"""Members of a block at most: a file for each of its arrays takes as long as some thousand small members."""
_RETRIES = 10
"""How often a block is tried by other workers where one dies."""


def words_of(recipe: Recipe) -> dict[str, Any]:
    """What decides the numbers, in words that can be compared; long columns by their digest."""
    question = recipe.question
    columns = {**question.columns.states, **question.columns.parameters}
    return {
        "name": question.model.name,
        "system": to_toml(question.declared),
        "members": question.columns.count,
        "t": question.columns.t,
        **{f"values of {name}": _told(values) for name, values in sorted(columns.items())},
        "times": _told(question.grid),
        "keep": list(recipe.kept.names),
        "reduce": {each.name: [each.kind, each.expression] for each in recipe.made},
        **question.words,
    }


def _told(values: Array) -> str:
    if values.size <= 3:
        return ", ".join(f"{value:.17g}" for value in values)
    digest = hashlib.sha256(np.ascontiguousarray(values).data).hexdigest()[:16]
    return f"{values.size} from {values[0]:.17g} to {values[-1]:.17g} ({digest})"


def carried_out(
    recipe: Recipe,
    path: str | Path | None,
    resume: bool,
    client: Any,
    progress: Callable[[float], None] | None,
    more: dict[str, str],
) -> xr.Dataset:
    """The dataset of a sweep, from memory or from its store."""
    if client is not None and not hasattr(client, "submit"):
        raise IntegrationError(
            f"{recipe.question.model.name}: `client` is {quoted(client)}; give a client of dask.distributed, or leave it out."
        )
    question, count = recipe.question, recipe.question.columns.count
    width = len(question.model.coordinates) + len(question.model.velocities)
    kinds = {name: "bool" if name == "complete" else "float64" for name in recipe.names}
    sizes = {"member": count, "time": question.grid.size}
    shapes = {name: (tuple(sizes[d] for d in dims), kinds[name], dims) for name, dims in recipe.names.items()}
    size = block_size(count, width, samples_on_the_way(question, recipe.grid), longest=_LONGEST)
    if path is None:
        refuse_unless_it_fits(question, len(recipe.kept.names) + 1)
        plan = Store(Path(), count, size, shapes)
        return _in_memory(recipe, plan, _parts(recipe, plan, plan.blocks, client, None, progress, 0)).assign_attrs(more)
    fixed = _fixed(question)
    path = path_of(path) if client is None else path_of(path).absolute()  # workers may be in other folders
    store = open_store(
        path, words_of(recipe), Store(path, count, size, shapes), fixed, attributes(question) | more, resume
    )
    missing = [k for k in store.blocks if store.note(k) is None]
    done = len(store.blocks) - len(missing)
    for _ in _parts(recipe, store, missing, client, store, progress, done):
        pass
    return stored(store.path)


def _fixed(question: Question) -> dict[str, tuple[tuple[str, ...], list[Array]]]:
    """What is known beforehand, with its dimensions, in columns, which need no more room than the starts."""
    columns = question.columns
    found: dict[str, tuple[tuple[str, ...], list[Array]]] = {"time": (("time",), [question.grid])}
    found |= {name: (("member",), [values]) for name, values in columns.parameters.items() if values.size > 1}
    if starts := [values for values in columns.states.values() if values.size > 1]:
        found["start"] = ("member", "start_name"), starts
    return found


def stored(path: Path) -> xr.Dataset:
    """What is in a store, read when it is used; members of blocks that are missing have not been computed."""
    import xarray as xr

    data = from_file_names(xr.open_zarr(path, chunks=None, consolidated=True))
    declared = model_of(data).parameters
    data = data.set_coords([name for name in data.data_vars if data[name].dims == ("member",) and name in declared])
    if "start" in data:
        data = data.assign_coords(start_name=json.loads(data.attrs["start_names"]))
    data.attrs["endings"] = endings(told(path, "said"))
    return with_events(data, told(path, "events"))


def _in_memory(recipe: Recipe, plan: Store, parts: Iterator[tuple[int, Part | None]]) -> xr.Dataset:
    import xarray as xr

    arrays: dict[str, Any] = {
        name: np.full(shape, np.nan) if kind != "bool" else np.zeros(shape, dtype=bool)
        for name, (shape, kind, _) in plan.shapes.items()
    }
    said: dict[int, str] = {}
    events: dict[int, list[tuple[str, float]]] = {}
    for k, part in parts:
        assert part is not None
        begin, end = plan.span(k)
        for name, values in part.arrays.items():
            arrays[name][begin:end] = values
        said |= part.said
        events |= part.events
    coordinates, starts = member_coordinates(recipe.question)
    variables = {name: (dims, arrays[name]) for name, (_, _, dims) in plan.shapes.items()}
    data = xr.Dataset(variables | starts, coords={"time": recipe.question.grid, **coordinates})
    data.attrs = attributes(recipe.question) | {"endings": endings(said)}
    return with_events(data, events)


def _made(recipe: Recipe, store: Store, k: int, into: Store | None, halt: Halt | None = None) -> Part | None:
    """One block, whose recipe it is, written where there is a store."""
    stop = np.zeros(1, dtype=np.int64) if halt is None else halt
    if into is not None and into.note(k) is not None:  # by a worker that died before it could say so
        return None
    part = recipe.part(store.span(k)[0], stop)
    if into is None:
        return part
    if not stop[0]:
        into.write(k, part)
    return None


def _parts(
    recipe: Recipe,
    plan: Store,
    which: Sequence[int],
    client: Any,
    into: Store | None,
    progress: Callable[[float], None] | None,
    done: int,
) -> Iterator[tuple[int, Part | None]]:
    """The blocks as they come; Ctrl-C keeps what is complete."""
    made = _by_dask(recipe, plan, which, client, into) if client is not None else _by_threads(recipe, plan, which, into)
    try:
        for k, part in made:
            done += 1
            yield k, part
            if progress is not None:
                progress(done / len(plan.blocks))
    except KeyboardInterrupt:
        made.close()


def _by_threads(
    recipe: Recipe, plan: Store, which: Sequence[int], into: Store | None
) -> Generator[tuple[int, Part | None], None, None]:
    halt, cores = np.zeros(1, dtype=np.int64), workers()
    pool, pending, coming = ThreadPoolExecutor(cores), dict[Future[Part | None], int](), iter(which)
    try:
        for k in coming:  # compiled once, before others need it
            yield k, _made(recipe.cut(*plan.span(k)), plan, k, into, halt)
            break
        while True:
            for k in coming:
                pending[pool.submit(_made, recipe.cut(*plan.span(k)), plan, k, into, halt)] = k
                if len(pending) >= 2 * cores:
                    break
            if not pending:
                return
            for each in wait(pending, timeout=0.5, return_when=FIRST_COMPLETED).done:
                yield pending.pop(each), each.result()
    finally:
        halt[0] = 1
        pool.shutdown(wait=True, cancel_futures=True)


def _by_dask(
    recipe: Recipe, plan: Store, which: Sequence[int], client: Any, into: Store | None
) -> Generator[tuple[int, Part | None], None, None]:
    as_completed: Any = import_module("distributed").as_completed
    name = recipe.question.model.name
    try:
        futures = {
            client.submit(_told_or_made, recipe.cut(*plan.span(k)), plan, k, into, pure=False, retries=_RETRIES): k
            for k in which
        }
    except Exception as problem:
        raise IntegrationError(
            f"{name}: the client of Dask takes no work ({type(problem).__name__}: {str(problem)[:120]}); give one that is connected."
        ) from None
    try:
        for each in as_completed(list(futures)):
            try:
                made = each.result()
            except Error:
                raise
            except Exception as problem:
                raise IntegrationError(
                    f"{name}: block {futures[each]} was lost with its worker ({type(problem).__name__}: {str(problem)[:120]}); "
                    "resume the sweep with other workers."
                ) from None
            if isinstance(made, Error):
                raise made
            yield futures[each], made
    finally:
        with suppress(Exception):  # a client that has gone has nothing to cancel
            client.cancel(list(futures))


def _told_or_made(recipe: Recipe, plan: Store, k: int, into: Store | None) -> Part | Error | None:
    """A block, or why there is none: that is an answer too, and no other worker would find another."""
    try:
        return _made(recipe, plan, k, into)
    except FileError:  # a disk may have room again
        raise
    except Error as problem:
        return problem
