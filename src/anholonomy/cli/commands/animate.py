"""``anholonomy animate``: a motion as a page, or as a moving picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anholonomy.cli.options import Set, Source, Start, Until

if TYPE_CHECKING:
    from anholonomy.public.motion import Motion

__all__ = ["animate"]

Output = Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The film: .html, .gif or .mp4.")]
Playback = Annotated[
    str | None, typer.Option("--playback", metavar="RATE", help="How much of the motion's time passes in a second.")
]
Frames = Annotated[int | None, typer.Option("--frames", metavar="N", help="How many frames, evenly spaced in time.")]
Follow = Annotated[bool | None, typer.Option("--follow/--still", help="Whether the camera goes along with the body.")]


def animate(
    target: Source,
    output: Output,
    until: Until = None,
    parameters: Set = None,
    start: Start = None,
    playback: Playback = None,
    frames: Frames = None,
    follow: Follow = None,
) -> None:
    """Integrate a motion, or take a saved one, and write it as a film.

    A page (.html) opens offline in any browser: drag to turn the view, drag time, zoom with the wheel.

    \b
    Examples:
      anholonomy animate chaplygin-sleigh --output sleigh.html
      anholonomy animate n-trailer:4 --until 20 -o train.gif
      anholonomy animate run.nc -o run.html
    """
    from anholonomy.base.files import place_for
    from anholonomy.cli.motion import exit_code
    from anholonomy.cli.values import number
    from anholonomy.show.animation.animate import check_kind

    place_for(check_kind(output))
    motion = _motion(target, until, parameters, start)
    rate = None if playback is None else number(playback, "--playback")
    film = motion.animate(frames=frames, follow=follow, playback=rate)
    count = film.save(output)
    print(f"{film.film.title}: {count} frames written to {output}")
    raise typer.Exit(exit_code(motion))


def _motion(target: str, until: str | None, parameters: list[str] | None, start: list[str] | None) -> Motion:
    from anholonomy.base.errors import IntegrationError
    from anholonomy.cli.motion import run, saved_motion
    from anholonomy.cli.target import find

    if Path(target).suffix.lower() != ".nc":
        return run(find(target).with_values(parameters, start), until)
    if until is not None or parameters or start:
        raise IntegrationError(
            f"{target} holds a motion that is computed already; leave out --until, --set and --start."
        )
    return saved_motion(target)
