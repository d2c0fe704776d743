"""An oscillator of adjustable frequency, compiled."""

from __future__ import annotations

import numpy as np

from anholonomy.algebra.expressions import symbol
from anholonomy.motion.integrators.base import Flow
from anholonomy.programs.program import lower

x, v, k = (symbol(name) for name in "xvk")
OSCILLATOR = Flow(lower([x, v], [k], [], [v, -(k**2) * x]), np.array([1.0]))
