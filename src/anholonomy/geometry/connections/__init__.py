r"""Affine connections, one a file: how a vector is carried from a point to the next, $\nabla_{e_b}e_c = \Gamma^a{}_{bc}e_a$."""

from __future__ import annotations

from anholonomy.geometry.connections.arbitrary import ArbitraryConnection
from anholonomy.geometry.connections.base import AbstractConnection
from anholonomy.geometry.connections.coefficients import Coefficients
from anholonomy.geometry.connections.coordinate import CoordinateConnection
from anholonomy.geometry.connections.declare import (
    connection,
    coordinate_connection,
    energy_preserving_connection,
    levi_civita,
    lewis_connection,
    nonholonomic_connection,
    weitzenbock,
)
from anholonomy.geometry.connections.geodesics import Geodesics
from anholonomy.geometry.connections.levi_civita import LeviCivita
from anholonomy.geometry.connections.nonholonomic import NonholonomicConnection
from anholonomy.geometry.connections.principal import PrincipalConnection
from anholonomy.geometry.connections.projected import EnergyPreservingConnection, LewisConnection
from anholonomy.geometry.connections.weitzenbock import Weitzenbock

__all__ = [
    "AbstractConnection",
    "ArbitraryConnection",
    "LeviCivita",
    "Weitzenbock",
    "CoordinateConnection",
    "NonholonomicConnection",
    "LewisConnection",
    "EnergyPreservingConnection",
    "PrincipalConnection",
    "connection",
    "levi_civita",
    "weitzenbock",
    "coordinate_connection",
    "nonholonomic_connection",
    "lewis_connection",
    "energy_preserving_connection",
    "Coefficients",
    "Geodesics",
]
