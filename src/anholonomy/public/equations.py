"""`Equations`: equations of motion that can be read, simulated and exported."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn, Unpack, final

from anholonomy.algebra.expressions import Symbol
from anholonomy.base.former_names import refuse_attribute
from anholonomy.base.notebook import Typeset
from anholonomy.equations.derivation import Derivation
from anholonomy.equations.equations_of_motion import EquationsOfMotion
from anholonomy.equations.evaluation import Evaluation
from anholonomy.equations.verification import known_by
from anholonomy.public.motion import Motion, motion_of
from anholonomy.public.options import EnsembleOptions, SimulationOptions
from anholonomy.system.units.to_si import in_si

if TYPE_CHECKING:
    from sympy import Expr, Matrix
    from sympy import Symbol as SympySymbol

    from anholonomy.motion.gpu.kernel import Kernel
    from anholonomy.programs.exports.functions import Export, ExportedFunction, Jacobian
    from anholonomy.public.ensemble import Ensemble
    from anholonomy.public.system import System

__all__ = ["Equations"]


@final
@dataclass(frozen=True, repr=False)
class Equations(Typeset):
    r"""Equations of motion, $K(\dot u, \lambda) = r$, as ``system.derive()`` returns them: read, simulated and exported.

    Exported functions take time, an array ``x`` and the parameters ``p`` in the order of ``system.parameters``, then the system's
    inputs in the order of ``system.inputs``. What
    ``x`` holds depends on the quantity asked for: ``"rates"`` and ``"velocities"`` are functions of the state, which is
    coordinates and the principle's own speeds; ``"state"``, ``"accelerations"``, ``"reactions"``, ``"multipliers"`` and
    ``"energy"`` are functions of coordinates and velocities (and of costates, where a principle has any).

    Attributes
    ----------
    system
        The system whose equations these are.
    data
        The equations as plain data: matrices, definitions, frame.

    >>> from anholonomy.catalogue import chaplygin_sleigh, skate
    >>> equations = skate().derive("kane", speeds={"v": "x'*cos(theta) + y'*sin(theta)", "w": "theta'"})
    >>> run = equations.simulate({"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}, until=12)
    >>> bool(abs(run["v"] - 1).max() < 1e-14), run.system is equations.system
    (True, True)
    >>> rates = chaplygin_sleigh().derive("hamel").function()
    >>> rates.inputs, rates.outputs
    (('x', 'y', 'theta', 'u', 'omega'), ("x'", "y'", "theta'", "u'", "omega'"))
    >>> rates(0.0, [0, 0, 0, 1.0, 2.0]).round(6)
    array([ 1.      ,  0.      ,  2.      ,  0.8     , -1.176471])
    """

    system: System
    data: EquationsOfMotion
    _derivation: Derivation = field(compare=False)

    if not TYPE_CHECKING:  # which would let every name pass

        def __getattr__(self, name: str) -> NoReturn:
            refuse_attribute(self, name)

    @property
    def principle(self) -> str:
        """The name of the principle."""
        return self.data.principle

    @property
    def speeds(self) -> tuple[Symbol, ...]:
        """The speeds $u$ of the principle."""
        return self.data.speeds

    @property
    def multipliers(self) -> tuple[Symbol, ...]:
        r"""The symbols of the multipliers $\lambda$ that the principle determines."""
        return self.data.multipliers

    @property
    def state(self) -> tuple[Symbol, ...]:
        """Coordinates, then speeds: what is integrated."""
        return self.data.state

    @property
    def rates(self) -> tuple[Symbol, ...]:
        r"""The unknowns $\dot u$, one for each speed."""
        return self.data.rates

    def text(self, whole: bool = False) -> str:
        """The equations, one line each; sides longer than a paragraph are counted unless ``whole``."""
        return self.data.text(whole)

    def latex(self) -> str:
        """The equations as LaTeX, one aligned line each."""
        return self.data.latex()

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        unknowns = len(self.speeds) + len(self.multipliers)
        return f"Equations({self.system.name!r} by {self.principle!r}, {unknowns} unknown rates and multipliers)"

    @property
    def simplified(self) -> Equations:
        """The same equations with every entry in its shortest form."""
        return Equations(self.system, self.data.tidied, self._derivation)

    def sympy(self) -> tuple[Matrix, Matrix, tuple[SympySymbol, ...]]:
        """``K``, ``r`` and the unknowns as SymPy objects, definitions written out, and short if they are not long."""
        return self.data.sympy()

    def sympy_velocities(self) -> dict[SympySymbol, Expr]:
        """The rates of the coordinates in coordinates, speeds and time: with `sympy`, the whole system."""
        return self.data.sympy_velocities()

    # In numbers.

    def at(self, state: Mapping[str, object], digits: int = 16) -> Evaluation:
        """Accelerations, reactions, multipliers and energy at an admissible state, as balls of ``digits`` digits.

        If cancellation leaves fewer, they are computed again with more. If that does not help either, as for the sign
        of what no arithmetic can tell from zero, the balls stay wide.
        """
        return self.data.at(in_si(self.system.model, state), digits)

    def accelerations(self, state: Mapping[str, object]) -> dict[str, float]:
        """The accelerations at a state: a dict of coordinates, velocities and, if needed, ``t`` and parameters.

        Velocities that the constraints determine may be left out. A number that is not known is refused.
        """
        return self.data.accelerations(in_si(self.system.model, state), self._advice)

    def reactions(self, state: Mapping[str, object]) -> dict[str, float]:
        r"""The reaction forces $R_a = E_a - Q_a$ at a state, keyed by the velocity they pair with."""
        return self.data.reactions(in_si(self.system.model, state), self._advice)

    def _advice(self, state: Mapping[str, object], kind: str) -> str:
        """The end of the sentence that a number is not known: the principle that knows it."""
        name = "" if self.data.costates else known_by(self.system.model, state, kind)
        return f"{name!r} knows it" if name else "no other principle knows it either, so ask at another state"

    # Motions.

    def simulate(
        self,
        start: Mapping[str, object] | None = None,
        until: float | None = None,
        times: Sequence[float] | None = None,
        **options: Unpack[SimulationOptions],
    ) -> Motion:
        """The motion by these equations and in their speeds, which `Motion` then has by name; options as for `System.simulate`.

        If the speeds fail, the motion goes on by the same principle in a frame that the software chooses on the spot.
        """
        return motion_of(self.system, self._derivation, start, until, times, options)

    def ensemble(
        self,
        starts: Any = None,
        until: float | None = None,
        times: Sequence[float] | None = None,
        **options: Unpack[EnsembleOptions],
    ) -> Ensemble:
        """Many motions by these equations and in their speeds; options as for `System.ensemble`.

        >>> from anholonomy.catalogue import skate
        >>> equations = skate().derive("kane", speeds={"v": "x'*cos(theta) + y'*sin(theta)", "w": "theta'"})
        >>> equations.ensemble({"x": 0, "y": 0, "theta": 0, "x'": [1, 2], "theta'": 1}, until=1)["v"].values[:, -1].round(12).tolist()
        [1.0, 2.0]
        """
        from anholonomy.public.ensemble import ensemble_of

        return ensemble_of(self.system, self._derivation, None, starts, until, times, options)

    # For other programs.

    @property
    def _export(self) -> Export:
        from anholonomy.programs.exports.functions import Export

        return Export(self.data)

    def function(self, backend: str = "llvm", of: str = "rates") -> ExportedFunction:
        """A function of ``(t, x, p)`` on NumPy arrays, by the backend ``"numpy"``, ``"llvm"``, ``"casadi"`` or ``"jax"``.

        Without ``p`` the declared values count. A second axis of ``x`` is a batch.
        """
        return self._export.function(backend, of)

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
        from anholonomy.programs.exports.functions import jacobian_of

        return jacobian_of(self._export, by, of, backend)

    def c_source(self, name: str | None = None, of: Sequence[str] | None = None) -> str:
        """One C99 text with a function ``NAME_rates(t, x, p, dx)`` and one for each other quantity, or for those in ``of``.

        It includes math.h alone, allocates nothing and has no globals. The comment at its head lists what the arrays
        hold, by the user's names, and the declared values of the parameters.
        """
        from anholonomy.programs.exports.c_source import c_source

        return c_source(self._export, name, of)

    def casadi(self, of: str = "rates", name: str | None = None) -> Any:
        """A ``casadi.Function``, called ``of`` unless named, with inputs ``t``, ``x``, ``p``; rates come out as ``dx``."""
        from anholonomy.programs.exports.c_source import identifier

        return self._export.casadi(of, identifier(name, str(of)))

    def jax(self, of: str = "rates") -> Callable[..., Any]:
        """A pure function ``f(t, x, p)`` for ``jax.jit``, ``jax.vmap`` and ``jax.grad``, in double precision.

        JAX must be set to doubles (``jax.config.update("jax_enable_x64", True)``); otherwise a call is refused.
        """
        return self._export.jax(of)

    def modelica(self, name: str | None = None) -> str:
        """A Modelica model of the state's rates; linear systems are left to the Modelica tool."""
        from anholonomy.programs.exports.modelica import modelica_source

        return modelica_source(self._export, name)

    def kernel(
        self,
        language: str = "cuda",
        at: Mapping[str, object] | None = None,
        events: Mapping[str, Any] | None = None,
    ) -> Kernel:
        """The motion as one text of CUDA (or, the same text, C++) that integrates a motion a thread; `Kernel.save` makes a bundle of it.

        Its speeds are those of the equations if they were chosen; otherwise they are good at the state ``at``, by default a generic one.
        A member at which they wear out ends there and says so. ``events`` are functions of the state whose zeros are noted, as in `simulate`.

        >>> from anholonomy.catalogue import chaplygin_sleigh
        >>> chaplygin_sleigh().derive("kane").kernel()
        Kernel('Chaplygin sleigh' by 'kane': x, y, theta, u, omega)
        """
        from anholonomy.motion.gpu.kernel import kernel_for

        model = self.system.model
        return kernel_for(model, self._derivation, language, in_si(model, at), events)
