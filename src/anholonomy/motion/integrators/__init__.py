"""The list of integrators. A new one is one new file and one new line here."""

from __future__ import annotations

from anholonomy.motion.integrators.taylor import *
from anholonomy.motion.integrators.runge_kutta import *
from anholonomy.motion.integrators.scipy import *

from anholonomy.base.registry import listed, publish
from anholonomy.motion.integrators.base import AbstractIntegrator

INTEGRATORS: dict[str, type[AbstractIntegrator]] = {kind.name: kind for kind in listed(globals(), AbstractIntegrator)}
"""Every integrator by the name that a user gives."""

publish(globals())
