"""What is drawn where nothing is declared: coordinates are read as places by their names, and never guessed."""

from __future__ import annotations

import pytest

import anholonomy as ah
from anholonomy.catalogue import ENTRIES
from anholonomy.show.animation.default_scene import usual_scene
from anholonomy.system.declaration.declare import declare
from tests.wording import blames


def drawn(
    *names: tuple[str, ...], kinds: dict[str, str] | None = None, constraints: tuple[str, ...] = ()
) -> list[tuple[str, ...]]:
    """The kinds of the shapes with their places and the axes of their turns."""
    energy = " + ".join(f"{name}'^2" for name in (*names, *(kinds or ())))
    model = declare(name="it", coordinates=kinds or list(names), lagrangian=energy, constraints=constraints)
    return [
        (s.kind, *(str(c) for c in s.position), *map(str, s.rotation.entries), *s.rotation.axes)
        for s in usual_scene(model)
        if s.kind != "plane"
    ]


def test_numbered_coordinates_are_several_points() -> None:
    assert drawn("x1", "y1", "x2", "y2") == [("point", "x1", "y1", "0"), ("point", "x2", "y2", "0")]
    assert drawn("x_1", "x_2", "z_2", "y_1", "y_2") == [("point", "x_1", "y_1", "0"), ("point", "x_2", "y_2", "z_2")]
    two = usual_scene(ENTRIES["benenti"].make().model.replaced(scene=()))
    assert [shape.kind for shape in two] == ["plane", "point", "point"]


def test_every_body_has_its_own_heading() -> None:
    assert drawn("x1", "y1", "theta1", "x2", "y2", "theta2") == [
        ("point", "x1", "y1", "0"),
        ("arrow", "x1", "y1", "0", "theta1", "z"),
        ("point", "x2", "y2", "0"),
        ("arrow", "x2", "y2", "0", "theta2", "z"),
    ]


def test_a_vertical_plane_stands_upright() -> None:
    assert drawn("x", "z", "theta") == [("point", "x", "0", "z"), ("arrow", "x", "0", "z", "-theta", "y")]
    assert drawn("y", "z") == [("point", "0", "y", "z")]
    assert drawn("X", "Y") == [("point", "X", "Y", "0")]


@pytest.mark.parametrize(
    ("names", "culprits"),
    [
        (("x1", "x2", "y1", "y2", "z"), ("z", "x")),
        (("x1", "x2"), ("x1", "y1")),
        (("x", "theta"), ("x", "y")),
        (("a", "b"), ("x", "y")),
        (("phi_x", "phi_y"), ("x", "y")),
    ],
)
def test_what_cannot_be_read_as_places_is_refused(names, culprits) -> None:
    with blames(ah.errors.NotSupportedError, *culprits, "scene"):
        drawn(*names)


def test_lengths_without_names_are_no_place_and_angles_with_names_neither() -> None:
    with blames(ah.errors.NotSupportedError, "scene"):
        drawn(kinds={"r": "length", "s": "length"})
    with blames(ah.errors.NotSupportedError, "scene"):
        drawn(kinds={"x": "angle", "y": "angle"})


@pytest.mark.parametrize("key", ENTRIES)
def test_every_entry_without_its_scene_is_drawn_or_refused_in_a_sentence(key) -> None:
    try:
        assert usual_scene(ENTRIES[key].make().model.replaced(scene=()))
    except ah.errors.NotSupportedError as refusal:
        assert "declare a `scene`" in str(refusal)  # noqa: PT017
