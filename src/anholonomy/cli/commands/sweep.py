"""``anholonomy sweep``: many motions over values of parameters and starts, kept in a store, reduced and drawn."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from anholonomy.cli.options import Input, Picture, Set, Start, Target, Until

__all__ = ["sweep"]

Over = Annotated[
    list[str],
    typer.Option(
        "--over", metavar="NAME=FROM:TO:COUNT", help="What is varied, evenly; or NAME=VALUE,VALUE,…; repeatable."
    ),
]
Summary = Annotated[
    list[str] | None,
    typer.Option(
        "--summary",
        metavar="NAME=EXPRESSION",
        help='One number of each motion: its last value, or "peak=max of theta" (max, min, mean, time, period), or lyapunov; repeatable.',
    ),
]
Keep = Annotated[
    list[str] | None,
    typer.Option("--keep", metavar="EXPRESSION", help="A quantity to keep at start and end; repeatable."),
]
Samples = Annotated[
    int | None,
    typer.Option("--samples", min=1, metavar="COUNT", help="So many samples of the ranges instead of a grid."),
]
Sampling = Annotated[str, typer.Option("--sampling", metavar="WAY", help="sobol, latin or random.")]
Seed = Annotated[int, typer.Option("--seed", help="The same seed gives the same samples.")]
Tolerance = Annotated[
    str | None, typer.Option("--tolerance", metavar="SIZE", help="Error allowed in a step; default: 1e-9.")
]
StorePath = Annotated[
    Path | None, typer.Option("--store", metavar="FOLDER", help="A Zarr store, written block by block: runs.zarr.")
]
Project = Annotated[bool, typer.Option("--project", help="Move starts that violate the constraints onto them.")]
Hold = Annotated[
    list[str] | None,
    typer.Option("--hold", metavar="NAME=VALUE", help="Where --plot holds an axis beyond the second; repeatable."),
]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with a store that is there.")]
Output = Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="A netCDF file for what was kept.")]


def sweep(
    target: Target,
    over: Over,
    until: Until = None,
    parameters: Set = None,
    start: Start = None,
    signal: Input = None,
    summary: Summary = None,
    keep: Keep = None,
    samples: Samples = None,
    sampling: Sampling = "sobol",
    seed: Seed = 0,
    tolerance: Tolerance = None,
    project: Project = False,
    store: StorePath = None,
    resume: Resume = False,
    plot: Picture = None,
    hold: Hold = None,
    output: Output = None,
) -> None:
    """Integrate many motions over values of parameters and starts, and print how they ended.

    With --store they are written as they are done; killed or interrupted, the same command with --resume goes on.

    \b
    Examples:
      anholonomy sweep chaplygin-sleigh --over a=0.1:0.3:50 --over "theta'=-2:2:50" --until 20 --summary "final speed=u" --plot chart.png
      anholonomy sweep chaplygin-sleigh --over a=0.1:0.3:500 --until 100 --store runs.zarr --resume
      anholonomy sweep my-robot.toml --over m=1:2 --samples 1024 --until 5 --summary "peak=max of theta" -o runs.nc
    """
    from anholonomy.cli.output import check_outputs, leave_picture
    from anholonomy.cli.target import find
    from anholonomy.cli.values import named_texts, number, ranges_of

    study = find(target).with_values(parameters, start)
    check_outputs(numbers=output, picture=plot)
    _refuse_without_store(resume, store)
    varied, made = ranges_of(study.system, over, "--over", counted=samples is None), _reductions(summary or ())
    held = _held(hold or (), plot, varied, samples is not None)
    begin = {name: value for name, value in study.start.items() if name not in varied}
    runs = study.system.sweep(
        varied,
        begin,
        study.until if until is None else number(until, "--until"),
        summaries=made or None,
        keep=keep,
        samples=samples,
        sampling=sampling,
        seed=seed,
        store=store,
        resume=resume,
        inputs=named_texts(signal, "--input") if signal else None,
        project=project,
        tolerance=1e-9 if tolerance is None else number(tolerance, "--tolerance"),
    )
    if output is not None:
        runs.save(output)
    _told(runs, made, store)
    shown = [*made, *(keep or ()), str(study.system.coordinates[0])][0]
    leave_picture(lambda path: runs.chart(shown, **held).plot(path), plot)
    raise typer.Exit(0 if runs.is_complete else 1)


def _reductions(texts: Sequence[str]) -> dict[str, Any]:
    from anholonomy.base.errors import ExpressionError
    from anholonomy.cli.values import named_texts

    made: dict[str, Any] = {}
    for text in texts:
        new = {"lyapunov": "lyapunov"} if text.strip() == "lyapunov" else named_texts([text], "--summary")
        if twice := made.keys() & new.keys():
            raise ExpressionError(f"--summary gives {min(twice)} twice; keep one of them, or give it another name.")
        made |= new
    return made


def _refuse_without_store(resume: bool, store: Path | None) -> None:
    from anholonomy.base.errors import ExpressionError

    if resume and store is None:
        raise ExpressionError("--resume goes on with a store; name it, as in --store runs.zarr.")


def _held(hold: Sequence[str], plot: Path | None, varied: dict[str, list[float]], is_sampled: bool) -> dict[str, Any]:
    """Where axes are held: a chart of a grid has two, and what it cannot be is said before anything is computed."""
    from anholonomy.base.errors import ExpressionError
    from anholonomy.cli.values import assignments

    held = assignments(hold, "--hold")
    if plot is None:
        if held:
            raise ExpressionError("--hold is for the chart of --plot; give both, or leave it out.")
        return held
    if held and is_sampled:
        raise ExpressionError("--hold is for the axes of a grid, and samples have none; leave it out.")
    if unknown := [name for name in held if name not in varied]:
        raise ExpressionError(f"--hold {unknown[0]}: this is not varied; there are {', '.join(varied)}.")
    free = [name for name in varied if name not in held]
    if len(free) > 2 and not is_sampled:
        last = free[-1]
        raise ExpressionError(
            f"--plot draws a chart over two axes, and {', '.join(free)} are varied; hold others, as in --hold {last}={varied[last][0]:g}."
        )
    if not free:
        raise ExpressionError("--hold holds everything that is varied; leave one free for --plot.")
    return held


def _told(runs: Any, made: dict[str, Any], store: Path | None) -> None:
    """How the members ended, and the spread of what was made of them."""
    import numpy as np

    from anholonomy.cli.output import print_table

    rows = [
        ("members", str(len(runs))),
        ("reached the end", str(int(runs.data["complete"].sum()) - runs.stopped_count)),
    ]
    for name in made:
        values = runs[name].values
        finite = values[np.isfinite(values)]
        said = f"{finite.min():.6g} … {finite.max():.6g}" if finite.size else "no values"
        rows.append((name, said + (f" ({values.size - finite.size} without)" if finite.size < values.size else "")))
    print_table(("", ""), rows, title=str(runs.data.attrs["system"]))
    said = runs.outcomes
    for i in np.flatnonzero(~runs.data["complete"].values)[:3]:
        print(f"member {i}: {said[i]}")
    if store is not None and (missing := int(np.isnan(runs.data["stop_time"].values).sum())):
        print(f"{missing} members are missing in {store}; the same command with --resume goes on.")
