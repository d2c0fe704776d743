"""Colours by role, on light and on dark; Okabe and Ito's, which stay apart for every common kind of colour vision."""

from __future__ import annotations

__all__ = ["DARK", "LIGHT", "colour_of"]

LIGHT = {
    "body": "#2f7fb8",
    "second": "#1f9e78",
    "wheel": "#7d8793",
    "blade": "#d55e00",
    "accent": "#d55e00",
    "muted": "#8a93a0",
    "ground": "#eef1f4",
    "grid": "#cfd6dd",
    "paper": "#ffffff",
    "ink": "#22282e",
    "trail": "#0072b2",
}
DARK = LIGHT | {
    "body": "#56a9e0",
    "second": "#3cc39a",
    "wheel": "#9aa5b1",
    "ground": "#1d2228",
    "grid": "#37404a",
    "paper": "#14181c",
    "ink": "#e4e9ee",
    "trail": "#7cc4f5",
}


def colour_of(role: str) -> str:
    """A role's colour on light, or the colour itself.

    >>> colour_of("body"), colour_of("#123456")
    ('#2f7fb8', '#123456')
    """
    return LIGHT.get(role, role)
