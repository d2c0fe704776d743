"""The matrices and speeds printed for the benchmark bicycle, Proc. R. Soc. A 463 (2007) 1955-1982."""

from __future__ import annotations

import numpy as np

M = np.array([[80.81722, 2.31941332208709], [2.31941332208709, 0.29784188199686]])
K0 = np.array([[-80.95, -2.59951685249872], [-2.59951685249872, -0.80329488458618]])
K2 = np.array([[0, 76.59734589573222], [0, 2.65431523794604]])
C1 = np.array([[0, 33.86641391492494], [-0.85035641456978, 1.68540397397560]])
WEAVE_SPEED, CAPSIZE_SPEED = 4.29238253634111, 6.02426201538837
