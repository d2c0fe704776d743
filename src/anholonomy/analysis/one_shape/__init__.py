"""Motions that close on one function of the configuration, and their linear integrals by differential equations in it."""
