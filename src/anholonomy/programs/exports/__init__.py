"""Exports of equations of motion: compiled functions, C99 and Modelica text."""
