"""Widgets of notebooks: the player, and sliders that compute the motion again."""
