"""Connections: each kind by its class, and by the function that makes it from a metric, a frame or coefficients."""

from anholonomy.geometry.connections import *
from anholonomy.motion.parallel_transport import parallel_transport as parallel_transport
