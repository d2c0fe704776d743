"""Connections: each kind by its class, and by the function that makes it from a metric, a frame or coefficients."""

from anholonomy.base import registry as _registry
from anholonomy.geometry.connections import *
from anholonomy.geometry.connections import CONNECTIONS
from anholonomy.geometry.connections.arbitrary import connection
from anholonomy.motion.parallel_transport import parallel_transport as parallel_transport

ALL = CONNECTIONS
"""Every kind of affine connection, in the order of tables."""
from_coefficients = connection

_registry.leave_out(globals(), "CONNECTIONS", "connection")
