"""Widgets for notebooks: the player, and sliders that compute the motion again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import isfinite, pi
from numbers import Real
from typing import Any, Literal, final

import numpy as np

from anholonomy.base.errors import ArgumentError, Error, NotSupportedError, UnknownNameError, quoted
from anholonomy.language.arguments import expression
from anholonomy.language.suggestions import did_you_mean
from anholonomy.reports.html import plots_module, web_file
from anholonomy.show.animation.film import Film
from anholonomy.show.animation.page import page_data, player_module, player_style
from anholonomy.show.labels import declared_kinds, unit_in, with_unit
from anholonomy.show.panels import page_panels
from anholonomy.system.model import Model
from anholonomy.system.units.to_si import in_si

__all__ = [
    "Control",
    "controls_of",
    "curves_of",
    "explorer_module",
    "explorer_widget",
    "front_end",
    "player_widget",
    "style_of",
]


# The player as a widget of Jupyter, VS Code and marimo.


def player_widget(film: Film, height: int = 420) -> Any:
    """A widget with the traits ``film`` (data of a film, which may be replaced), ``time``, ``playing`` and ``height``."""
    base: Any = _anywidget_for("a player that can be steered").AnyWidget
    import traitlets

    @final
    class Player(base):  # type: ignore[misc]
        """A film that plays; set ``film`` to ``page_data`` of another, ``time`` to go there."""

        _esm = front_end("widget")
        _css = player_style()
        film = traitlets.Dict().tag(sync=True)
        time = traitlets.Float(0.0).tag(sync=True)
        playing = traitlets.Bool(True).tag(sync=True)
        height = traitlets.Int(420).tag(sync=True)

    return Player(film=page_data(film), time=float(film.times[0]), height=height)


def front_end(name: str) -> str:
    """The module of a widget: the player, and what connects it with a model."""
    return f"{player_module()}\n{web_file(f'{name}.js')}"


def style_of(name: str) -> str:
    """The styles of a widget and of its player."""
    return player_style() + web_file(f"{name}.css")


def _anywidget_for(what: str) -> Any:
    """The module, or a sentence that says how to get it."""
    try:
        import anywidget
    except ImportError:
        raise NotSupportedError(
            f"{what} needs anywidget, which is not installed; `pip install anywidget` (the extra `notebook`) brings it, and "
            "`run.animate()` shows a film without it."
        ) from None
    return anywidget


# Sliders that compute the motion again: a widget that asks, and what answers it.


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
    anywidget = _anywidget_for("explore")
    begin = dict(system.start) if start is None else dict(start)
    if not begin:
        raise ArgumentError(f"{system.name} has no start; give one, or declare it with `start=…`.")
    controls = controls_of(system.model, begin, ranges)
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
    except Error as why:
        film, note = {}, str(why)
    return {"film": film, "note": note, "curves": curves_of(run)}


def _class(anywidget: Any, moved: Callable[[Mapping[str, float]], Any]) -> Any:
    import traitlets

    @final
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
                    raise UnknownNameError(
                        f"there is no slider {quoted(name)}; {did_you_mean(str(name), names)}there are {', '.join(names)}."
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
            except Error as why:
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


# What one may drag, and how far: parameters and starts, with ranges found from their values or given.


_WIDER = 3.0
"""How many times its value a quantity may become."""


@final
@dataclass(frozen=True)
class Control:
    """A quantity that can be dragged between two values."""

    name: str
    kind: Literal["parameter", "start"]
    value: float
    low: float
    high: float

    def to_dict(self) -> dict[str, Any]:
        """Plain data, for a page."""
        return asdict(self)


def controls_of(
    model: Model, start: Mapping[str, Any], wanted: Mapping[str, Any] | Sequence[str] | None
) -> list[Control]:
    """The controls that are wanted, by default one for each parameter with a value and for each value of the start.

    >>> from anholonomy.catalogue import skate
    >>> [(c.name, c.low, c.high) for c in controls_of(skate().model, {"theta": 0, "x'": 2}, {"x'": None, "m": (1, 4)})]
    [("x'", -6.0, 6.0), ('m', 1.0, 4.0)]
    """
    found = {name: value for name, value in model.parameters.items() if value is not None}
    first = {name: _number(model, name, value) for name, value in start.items()}
    names = dict.fromkeys([*found, *first])
    if wanted is not None:
        if isinstance(wanted, str) or not isinstance(wanted, Mapping | Sequence):
            raise ArgumentError(
                f"{model.name}: {quoted(wanted)} says nothing to drag; give a list of names, or ranges by name."
            )
        for name in wanted:
            if name not in names:
                raise UnknownNameError(
                    f"{model.name} has nothing called {name!r} to drag: it is no parameter with a value, and the start does not give it; "
                    f"{did_you_mean(name, list(names))}there are {', '.join(names) or 'none'}."
                )
        names = dict.fromkeys(wanted)
    given = in_si(model, wanted) if isinstance(wanted, Mapping) else {}
    return [_control(model, name, found, first, given.get(name)) for name in names]


def _control(model: Model, name: str, found: Mapping[str, float], first: Mapping[str, float], given: Any) -> Control:
    kind: Literal["parameter", "start"] = "start" if name in first else "parameter"
    value = first[name] if name in first else found[name]
    low, high = _usual(model, name, kind, value) if given is None else _range(model, name, given)
    return Control(name, kind, value, min(low, value), max(high, value))


def _usual(model: Model, name: str, kind: str, value: float) -> tuple[float, float]:
    """Angles go around once; what has a sign keeps it if it is a parameter; what is zero goes from -1 to 1."""
    if declared_kinds(model).get(name) == "angle":
        return value - pi, value + pi
    if value == 0:
        return (-1.0, 1.0)
    if kind == "parameter":
        return (value / _WIDER, value * _WIDER) if value > 0 else (value * _WIDER, value / _WIDER)
    return -_WIDER * abs(value), _WIDER * abs(value)


def _range(model: Model, name: str, given: Any) -> tuple[float, float]:
    ends = list(given) if isinstance(given, Sequence) and not isinstance(given, str) else []
    ends = [_number(model, name, each) if isinstance(each, str) else each for each in ends]
    if len(ends) != 2 or not all(isinstance(each, Real) and isfinite(each) for each in ends) or not ends[0] < ends[1]:
        raise ArgumentError(
            f"{model.name}: the range of {name} is {quoted(given)}; give two numbers, the lower one first."
        )
    return float(ends[0]), float(ends[1])


def _number(model: Model, name: str, value: Any) -> float:
    try:
        return float(expression(value, f"{model.name}: the start of {name}"))
    except (TypeError, RuntimeError):
        raise ArgumentError(
            f"{model.name}: the start of {name} is {quoted(value)}, which is no number; give one."
        ) from None


# The curves of a motion as a page draws them: few enough samples to be sent again at every touch of a slider.


_SAMPLES = 401
"""Times of a curve; a plot of a cell is some 600 pixels wide."""


def curves_of(run: Any) -> dict[str, Any]:
    """Times, and the coordinates and velocities over them, with gaps where a value is not finite.

    >>> from anholonomy.catalogue import skate
    >>> run = skate().simulate({"x": 0, "y": 0, "theta": 0, "x'": 2, "theta'": 1}, until=1)
    >>> [(panel["title"], list(panel["curves"])) for panel in curves_of(run)["panels"]]
    [('lengths', ['x', 'y']), ('angles', ['theta']), ('velocities', ["x'", "y'"]), ('angular velocities', ["theta'"])]
    """
    system, size = run.model, run.time.size
    taken = np.unique(np.rint(np.linspace(0, size - 1, min(size, _SAMPLES))).astype(int))  # the last is among them
    panels = [
        {"title": title, "curves": {name: _drawn(run[name].values[taken]) for name in names}, "units": names}
        for title, names in page_panels(system, reactions=False)
    ]
    return {"times": _drawn(run.time.values[taken]), "time": with_unit("t", unit_in(system, "t")), "panels": panels}


def _drawn(values: Any) -> list[float | None]:
    return [float(f"{value:.7g}") if isfinite(value) else None for value in values.tolist()]
