"""Sliders that compute the motion again: a widget that asks, and what answers it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from anholonomy.language.mistakes.nearest import did_you_mean
from anholonomy.refusals import IllPosedSystem, Refusal, UnknownName
from anholonomy.reports.page import plots_module
from anholonomy.show.animation.page import page_data
from anholonomy.widgets.curves import curves_of
from anholonomy.widgets.needed import anywidget_for
from anholonomy.widgets.player import front_end, style_of
from anholonomy.widgets.ranges import Control, controls_of

__all__ = ["explorer_module", "explorer_widget"]


def explorer_widget(
    system: Any,
    start: Mapping[str, Any] | None,
    until: float | None,
    ranges: Mapping[str, Any] | Sequence[str] | None,
    height: int,
    **options: Any,
) -> Any:
    """A widget with sliders for parameters and starts, a player where the motion has a picture, and linked plots.

    ``widget.run`` is the motion that is shown.
    """
    anywidget = anywidget_for("explore")
    begin = dict(system.start) if start is None else dict(start)
    if not begin:
        raise IllPosedSystem(f"{system.name} has no start; give one, or declare it with `start=…`.")
    controls = controls_of(system, begin, ranges)
    run = _motion(system, begin, until, controls, {}, options)
    kind = _class(anywidget, lambda values: _motion(system, begin, until, controls, values, options))
    widget = kind(
        title=system.name,
        controls=[each.to_dict() for each in controls],
        values={each.name: each.value for each in controls},
        height=height,
        **_shown(run),
    )
    widget.run = run
    return widget


def explorer_module() -> str:
    """The player, the plots and the sliders as the text of one ES module."""
    return f"{plots_module()}\n{front_end('explorer')}"


def _shown(run: Any) -> dict[str, Any]:
    """The traits that a motion fills: a film, or why there is none, and curves."""
    try:
        film, note = page_data(run.animate().film), ""
    except Refusal as why:
        film, note = {}, str(why)
    return {"film": film, "note": note, "curves": curves_of(run)}


def _class(anywidget: Any, moved: Callable[[Mapping[str, float]], Any]) -> Any:
    import traitlets

    class Explorer(anywidget.AnyWidget):  # type: ignore[misc]
        """``question`` comes from the sliders; ``film``, ``curves``, ``message`` and ``answered`` go back to them."""

        _esm = explorer_module()
        _css = style_of("explorer")
        title = traitlets.Unicode().tag(sync=True)
        controls: Any = traitlets.List().tag(sync=True)
        values = traitlets.Dict().tag(sync=True)
        film = traitlets.Dict().tag(sync=True)
        curves = traitlets.Dict().tag(sync=True)
        note = traitlets.Unicode("").tag(sync=True)
        message = traitlets.Unicode("").tag(sync=True)
        question = traitlets.Dict().tag(sync=True)
        answered = traitlets.Int(0).tag(sync=True)
        height = traitlets.Int(420).tag(sync=True)
        run: Any = None

        @traitlets.observe("question")
        def _ask(self, change: Any) -> None:
            self.values = {**self.values, **change["new"].get("values", {})}
            self.answered = int(change["new"].get("number", self.answered + 1))

        @traitlets.validate("values")
        def _known(self, proposal: Any) -> Any:
            names = [each["name"] for each in self.controls]
            for name in proposal["value"]:
                if names and name not in names:
                    raise UnknownName(
                        f"there is no slider {name!r:.60}; {did_you_mean(str(name), names)}there are {', '.join(names)}."
                    )
            return proposal["value"]

        @traitlets.observe("values")
        def _move(self, change: Any) -> None:
            if self.run is None:
                return  # it is being made
            try:
                run = moved(self.values)
                with self.hold_sync():  # a film and its curves come together
                    for name, value in _shown(run).items():
                        setattr(self, name, value)
                self.run, self.message = run, "" if run.is_complete else str(run.outcome)
            except Refusal as why:
                self.message = str(why)  # the last motion stays

    return Explorer


def _motion(
    system: Any,
    start: Mapping[str, Any],
    until: float | None,
    controls: Sequence[Control],
    values: Mapping[str, float],
    options: Mapping[str, Any],
) -> Any:
    """The motion for values of the controls; those that are not told are as they were."""
    chosen: dict[str, dict[str, float]] = {"parameter": {}, "start": {}}
    for each in controls:
        if each.name in values:
            chosen[each.kind][each.name] = float(values[each.name])
    end = 10.0 if until is None else until
    return system.simulate({**start, **chosen["start"]}, until=end, parameters=chosen["parameter"] or None, **options)
