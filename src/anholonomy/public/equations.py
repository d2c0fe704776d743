"""`Equations`: equations of motion that can be read, simulated and exported.

Equations of motion given to other programs: as a function, as C, for CasADi, JAX and Modelica.

`Equations` has these verbs, beside the one that moves; they stand above the rooms, so that the principles need not know what can be
done with their results.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from anholonomy.equations.equations_of_motion import EquationsOfMotion
from anholonomy.equations.principles.base import AbstractFormulation
from anholonomy.equations.verification import known_by
from anholonomy.system.model import Model

if TYPE_CHECKING:
    from anholonomy.motion.ensemble import Ensemble
    from anholonomy.motion.gpu.kernel import Kernel
    from anholonomy.programs.exports.functions import ExportedFunction, Jacobian

__all__ = ["KernelQuestions", "Exports"]


# What one may ask of a system for a GPU: its kernel.


class KernelQuestions(Model):
    """A model that can be made a kernel."""

    def kernel(
        self,
        by: str | AbstractFormulation | None = None,
        language: str = "cuda",
        at: Mapping[str, object] | None = None,
        events: Mapping[str, Any] | None = None,
    ) -> Kernel:
        """The motion as one text of CUDA (or, the same text, C++) that integrates a motion a thread; `Kernel.save` makes a bundle of it.

        Its speeds are chosen for the state ``at``, by default a generic one; a member at which they wear out ends there and says so.
        ``events`` are functions of the state whose zeros are noted, as in `simulate`.

        >>> from anholonomy.catalogue import chaplygin_sleigh
        >>> chaplygin_sleigh().kernel(by="kane")
        Kernel('Chaplygin sleigh' by 'kane': x, y, theta, u, omega)
        """
        from anholonomy.motion.gpu.kernel import kernel_for

        return kernel_for(self, by, language, at, events)


# Equations of motion given to other programs: as a function, as C, for CasADi, JAX and Modelica.


@dataclass(frozen=True, kw_only=True, repr=False)
class Exports(EquationsOfMotion):
    r"""Linear equations $K(\dot u, \lambda) = r$ and their way out.

    Exported functions take time, an array ``x`` and the parameters ``p`` in the order of ``system.parameters``, then the system's
    inputs in the order of ``system.inputs``. What
    ``x`` holds depends on the quantity asked for: ``"rates"`` and ``"velocities"`` are functions of the state, which is
    coordinates and the principle's own speeds; ``"state"``, ``"accelerations"``, ``"reactions"``, ``"multipliers"`` and
    ``"energy"`` are functions of coordinates and velocities (and of costates, where a principle has any).

    >>> from anholonomy.catalogue import chaplygin_sleigh
    >>> equations = chaplygin_sleigh().derive("hamel")
    >>> rates = equations.function()
    >>> rates.inputs, rates.outputs
    (('x', 'y', 'theta', 'u', 'omega'), ("x'", "y'", "theta'", "u'", "omega'"))
    >>> rates(0.0, [0, 0, 0, 1.0, 2.0]).round(6)
    array([ 1.      ,  0.      ,  2.      ,  0.8     , -1.176471])
    """

    def ensemble(
        self, starts: Any = None, until: float | None = None, times: Sequence[float] | None = None, **options: Any
    ) -> Ensemble:
        """Many motions by these equations and in their speeds; options as for `System.ensemble`.

        >>> from anholonomy.catalogue import skate
        >>> equations = skate().derive("kane", speeds={"v": "x'*cos(theta) + y'*sin(theta)", "w": "theta'"})
        >>> equations.ensemble({"x": 0, "y": 0, "theta": 0, "x'": [1, 2], "theta'": 1}, until=1)["v"].values[:, -1].round(12).tolist()
        [1.0, 2.0]
        """
        from anholonomy.motion.simulate_many import ensemble

        derivation = getattr(self, "derivation", None)
        return ensemble(self.model, starts, until, times, derivation=derivation, **options)

    def __repr__(self) -> str:
        unknowns = len(self.speeds) + len(self.multipliers)
        return f"Equations({self.model.name!r} by {self.principle!r}, {unknowns} unknown rates and multipliers)"

    def _instead(self, state: Mapping[str, object], kind: str) -> str:
        name = "" if self.costates else known_by(self.model, state, kind)
        return f"{name!r} knows it" if name else "no other principle knows it either, so ask at another state"

    def function(self, backend: str = "llvm", of: str = "rates") -> ExportedFunction:
        """A function of ``(t, x, p)`` on NumPy arrays, by the backend ``"numpy"``, ``"llvm"``, ``"casadi"`` or ``"jax"``.

        Without ``p`` the declared values count. A second axis of ``x`` is a batch.
        """
        from anholonomy.programs.exports.functions import Export

        return Export(self).function(backend, of)

    def jacobian(self, by: Any = "state", of: str = "rates", backend: str = "llvm") -> Jacobian:
        r"""The derivatives of a quantity as a function of ``(t, x, p)`` whose result is a matrix: a row for each output.

        ``by`` is ``"state"`` for the entries of ``x``, ``"parameters"``, ``"inputs"``, or a list of names from both, and ``"t"``. Other quantities
        than the rates are functions of coordinates and velocities, as in `function`. Where something jumps or kinks, the derivative
        is that on the side of the state.

        >>> from anholonomy.catalogue import chaplygin_sleigh
        >>> slopes = chaplygin_sleigh().derive("hamel").jacobian(by=["u", "omega", "m"])
        >>> slopes.rows, slopes.columns
        (("x'", "y'", "theta'", "u'", "omega'"), ('u', 'omega', 'm'))
        >>> slopes(0.0, [0, 0, 0, 1.0, 2.0])[3:].round(6)
        array([[ 0.      ,  0.8     ,  0.      ],
               [-1.176471, -0.588235, -1.038062]])
        """
        from anholonomy.programs.exports.functions import Export, jacobian_of

        return jacobian_of(Export(self), by, of, backend)

    def c_source(self, name: str | None = None, of: Sequence[str] | None = None) -> str:
        """One C99 text with a function ``NAME_rates(t, x, p, dx)`` and one for each other quantity, or for those in ``of``.

        It includes math.h alone, allocates nothing and has no globals. The comment at its head lists what the arrays
        hold, by the user's names, and the declared values of the parameters.
        """
        from anholonomy.programs.exports.c_source import c_source
        from anholonomy.programs.exports.functions import Export

        return c_source(Export(self), name, of)

    def casadi(self, of: str = "rates", name: str | None = None) -> Any:
        """A ``casadi.Function``, called ``of`` unless named, with inputs ``t``, ``x``, ``p``; rates come out as ``dx``."""
        from anholonomy.programs.exports.c_source import identifier
        from anholonomy.programs.exports.functions import Export

        return Export(self).casadi(of, identifier(name, str(of)))

    def jax(self, of: str = "rates") -> Callable[..., Any]:
        """A pure function ``f(t, x, p)`` for ``jax.jit``, ``jax.vmap`` and ``jax.grad``, in double precision.

        JAX must be set to doubles (``jax.config.update("jax_enable_x64", True)``); otherwise a call is refused.
        """
        from anholonomy.programs.exports.functions import Export

        return Export(self).jax(of)

    def modelica(self, name: str | None = None) -> str:
        """A Modelica model of the state's rates; linear systems are left to the Modelica tool."""
        from anholonomy.programs.exports.functions import Export
        from anholonomy.programs.exports.modelica import modelica_source

        return modelica_source(Export(self), name)
