r"""Affine connections, one a file: how a vector is carried from a point to the next, $\nabla_{e_b}e_c = \Gamma^a{}_{bc}e_a$.

A new one is one new file and one new line here. Connections in a bundle stand beside them.
"""

from __future__ import annotations

from anholonomy.geometry.connections.arbitrary import *
from anholonomy.geometry.connections.levi_civita import *
from anholonomy.geometry.connections.weitzenbock import *
from anholonomy.geometry.connections.coordinate import *
from anholonomy.geometry.connections.nonholonomic import *
from anholonomy.geometry.connections.lewis import *
from anholonomy.geometry.connections.energy_preserving import *

from anholonomy.geometry.connections.base import AbstractConnection as AbstractConnection
from anholonomy.geometry.connections.ehresmann import EhresmannConnection as EhresmannConnection
from anholonomy.geometry.connections.principal import PrincipalConnection as PrincipalConnection
from anholonomy.base.registry import listed, publish

CONNECTIONS: tuple[type[AbstractConnection], ...] = listed(globals(), AbstractConnection)
"""Every kind of affine connection, in the order of tables."""

publish(globals())
