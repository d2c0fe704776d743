"""Integrators. A new one is one new file and one new line here."""

from __future__ import annotations

from anholonomy.simulate.integrators.taylor import *
from anholonomy.simulate.integrators.runge_kutta import *
from anholonomy.simulate.integrators.scipy import *

from anholonomy.plurals import listed, publish
from anholonomy.simulate.integrators.base import AbstractIntegrator

INTEGRATORS: dict[str, type[AbstractIntegrator]] = {kind.name: kind for kind in listed(globals(), AbstractIntegrator)}
"""Every integrator by the name that a user gives."""

publish(globals())
