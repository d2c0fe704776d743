"""What a canvas shows, to be compared as eyes would do it."""

from __future__ import annotations

import base64
import io
from typing import Any

import numpy as np
from PIL import Image

#: The mean difference of two pictures, of 255, up to which they are the same: smooth edges that Chromium paints twice differ by 0.01
#: now and then (it chooses how a canvas is filled), a cursor's line makes 0.1.
ALIKE = 0.03


class Picture:
    """The colours of a canvas; two are equal that look alike.

    >>> square = np.zeros((40, 40, 4), int)
    >>> line = square.copy()
    >>> line[:, 7] = 255
    >>> Picture(square) == Picture(square), Picture(square) == Picture(line), Picture(square) == Picture(square[:20])
    (True, False, False)
    """

    def __init__(self, colours: np.ndarray) -> None:
        self.colours = colours

    def __eq__(self, other: object) -> bool:
        assert isinstance(other, Picture)
        same_size = self.colours.shape == other.colours.shape
        return same_size and bool(np.abs(self.colours - other.colours).mean() < ALIKE)

    __hash__ = None  # type: ignore[assignment]  # what is alike has no digest in common

    def __repr__(self) -> str:
        return f"a picture of {self.colours.shape[1]} by {self.colours.shape[0]}, mean {self.colours.mean():.4f}"


def picture_of(canvas: Any) -> Picture:
    """What the canvas of a locator shows."""
    address = canvas.evaluate("each => each.toDataURL()")
    with Image.open(io.BytesIO(base64.b64decode(address.partition(",")[2]))) as image:
        return Picture(np.asarray(image.convert("RGBA")).astype(int))
