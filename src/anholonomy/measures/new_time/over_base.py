r"""Route and answer: the system over a base is Lagrangian in a new time, or the equation that fails.

.. math:: d\tau = f\,dt, \qquad l^* = \tfrac12 f^2\,G_{ij}\,w'^iw'^j - V, \qquad \mu = f^{\,n-1}\,dr\,d\pi

The last is the invariant measure on the base of dimension $n$, with the momenta $\pi_i = G_{ij}w^j$ of the old time: in the new
time $dr\,dp = f^n\,dr\,d\pi$ is invariant, and $dt = d\tau/f$.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, final

import numpy as np
import symengine

from anholonomy.algebra.expressions import Expr, Symbol, Vector, identity, time, unused
from anholonomy.algebra.simplification.sums import oriented
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import Error, IntegrationError, NotSupportedError, TimeLimitError
from anholonomy.base.tolerances import GATHERED, NOTHING
from anholonomy.findings import CarriesFinding, Finding, Scope, vanishing
from anholonomy.findings.special_values import either, special_values
from anholonomy.geometry.forms import Form
from anholonomy.language.answers import Part, Readable, below, equations
from anholonomy.laws.evaluation import NODES, distance, expect_motion, fine_times, gauss, value_at, within
from anholonomy.laws.primitives import primitive
from anholonomy.measures.new_time.along_motion import (
    CLOCK,
    LINE,
    LOGARITHM,
    integrated_along,
    jumps_on,
    new_times,
    old_times,
    refuse_turning_back,
)
from anholonomy.measures.new_time.chaplygin_multiplier import ChaplyginMultiplierEquations, almost_symplectic
from anholonomy.measures.new_time.orthonormal_frame import OrthonormalMultiplier, orthonormal_multiplier
from anholonomy.measures.new_time.rescaled_system import Rescaled
from anholonomy.motion.dataset.one_motion import asked_of
from anholonomy.show.figures.two_times import plot_two_times
from anholonomy.system.model import Model

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["Hamiltonization", "hamiltonized"]


_PIECES = 16
"""Parts of an interval on each of which a function is integrated by one quadrature."""


def hamiltonized(model: Model, base: Model, make: Callable[[Model], Any]) -> Hamiltonization:
    """The decision for a system over its base, which has no constraints; unknown where the time of the question is over."""
    equations, claim = ChaplyginMultiplierEquations(base), _claim(model, base)
    rescaled = None
    try:
        finding = _decided(claim, equations)
        if finding:
            rescaled = Rescaled(equations, _logarithm(equations))
    except (TimeLimitError, KeyboardInterrupt) as trouble:
        finding = Finding.unknown(claim, trouble)
    return Hamiltonization(finding, model, base, equations, rescaled, make)


def _claim(model: Model, base: Model) -> str:
    where = f", over its base ({', '.join(q.name for q in base.coordinates)})" if model.constraints else ""
    return f"{model.name} is Lagrangian in a new time, dtau = f dt, with f^2 times its kinetic energy{where}"


def _decided(claim: str, equations: ChaplyginMultiplierEquations) -> Finding:
    """Every equation for d(ln f) after its trace has solved them, then that it is closed."""
    on = equations.on
    surplus = vanishing(claim, "the surplus of every equation for d(ln f)", equations.surplus(), on)
    if surplus.is_refuted:
        return _with_condition(surplus, equations)
    curls = vanishing(claim, "d(d ln f)", equations.curls(), on, r"d(d\ln f)")
    if curls.is_refuted or not surplus:
        return _with_condition(curls if curls.is_refuted else surplus, equations)
    scope = Scope.of(_functions(equations), on)
    return Finding(claim, curls.verdict, (*surplus.evidence, *curls.evidence), scope)


def _logarithm(equations: ChaplyginMultiplierEquations) -> Expr | None:
    """The logarithm of the multiplier, of the configuration or of time."""
    frame = equations.base.frame_at_values
    if not equations.time_enters:
        return primitive(frame, identity(frame.size), equations.psi_i)
    found = primitive(LINE.where(equations.base.values), identity(1), [equations.psi_t.xreplace({time: CLOCK})])
    return None if found is None else found.xreplace({CLOCK: time})


def _functions(equations: ChaplyginMultiplierEquations) -> Vector:
    return tuple(each.value for each in (*equations.surplus(), *equations.curls()))


def _with_condition(finding: Finding, equations: ChaplyginMultiplierEquations) -> Finding:
    """A refutation with the values of free parameters for which alone all equations hold."""
    if not finding.is_refuted:
        return finding
    moving = {*equations.base.coordinates, *equations.base.velocities, time}
    special = special_values(_functions(equations), moving, equations.on)
    if equations.time_enters:
        # Where parameters take time out of the equations, those are gone that time alone asks for.
        plain = [each.value for each in (*equations.surplus(moving=False), *equations.curls())]
        special = either(special, special_values([*equations.time_parts, *plain], moving, equations.on))
    return replace(finding, scope=replace(finding.scope, special=special))


@final
@dataclass(frozen=True, repr=False)
class Hamiltonization(CarriesFinding, Readable):
    r"""The Lagrangian of a system in a new time, with its own kinetic energy times $f^2$; true in an ``if`` when one is proven to exist.

    A refutation says nothing about Lagrangians with another kinetic energy.

    Attributes
    ----------
    finding
        The claim, its verdict and its evidence: an identity, or the equation that fails and where.
    model, base
        The system that was asked about, and the one that is decided on: what a reduction leaves, or the same where nothing is
        constrained.
    equations
        The equations for the multiplier.
    rescaled
        The system in the new time; None unless that is proven to exist.

    Examples
    --------
    >>> from anholonomy.catalogue import knife_edge
    >>> print(knife_edge().hamiltonize())
    knife edge on an inclined plane is Lagrangian in a new time, dtau = f dt, with f^2 times its kinetic energy,
    over its base (x, phi): proven, the surplus of every equation for d(ln f) = 0; d(d ln f) = 0
      f = cos(phi)
      L = (I*cos(phi)^2*phi'^2 + m*(x'^2 + 2*g*x*sin(alpha)))/2
      H = (p1^2*cos(phi)^2/m + p2^2/I)/(2*cos(phi)^2) - g*m*x*sin(alpha)
      p1 = m*x'/cos(phi)
      p2 = I*cos(phi)*phi'
      density = cos(phi)
    """

    finding: Finding
    model: Model
    base: Model
    equations: ChaplyginMultiplierEquations = field(compare=False)
    rescaled: Rescaled | None = field(compare=False)
    make: Callable[[Model], Any] = field(compare=False)

    @property
    def multiplier(self) -> Expr | None:
        r"""$f$ with $d\tau = f\,dt$; None where there is none, or none in closed form."""
        return self.rescaled and self.rescaled.multiplier

    @property
    def slopes(self) -> dict[str, Expr]:
        r"""$E_i(\ln f)$ by direction, and $\partial_t\ln f$ as ``t``: what the equations for the multiplier give."""
        return dict(zip(self.base.directions, self.equations.psi_i, strict=True)) | {"t": self.equations.psi_t}

    @property
    def conditionally_variational(self) -> bool:
        """True if the multiplier is constant: the base is Lagrangian in its own time."""
        return self.rescaled is not None and self.rescaled.has_constant_multiplier

    @property
    def lagrangian(self) -> Expr | None:
        r"""$l^*$, with the velocities $w' = w/f$ under the names of $w$; in ``tau`` where time enters and $t(\tau)$ is known."""
        return self.rescaled and self.rescaled.lagrangian

    @property
    def gyroscopic(self) -> dict[str, Expr]:
        r"""The magnetic force in the new time, by velocity; empty where the Lagrangian has it all."""
        return self.rescaled.gyroscopic if self.rescaled else {}

    @property
    def momenta(self) -> dict[str, Expr]:
        r"""$p_i = f\,G_{ij}w^j$ by name, in the velocities of the old time."""
        if self.rescaled is None:
            return {}
        return dict(zip((p.name for p in self.rescaled.momenta), self.rescaled.momentum_values, strict=False))

    @property
    def momenta_in_tau(self) -> dict[str, Expr]:
        r"""$p_i = \partial l^*/\partial w'^i = f^2G_{ij}w'^j$ by name, with the velocities $w' = w/f$ under the names of $w$."""
        if self.rescaled is None:
            return {}
        return dict(zip((p.name for p in self.rescaled.momenta), self.rescaled.momenta_in_tau, strict=False))

    @cached_property
    def form(self) -> Form | None:
        r"""The almost-symplectic form $\Omega$ of the base, with the momenta $\pi_i = G_{ij}w^j$ of the old time: $i_X\Omega = dh$ and $d(f\,\Omega) = 0$.

        The multiplier is its conformal factor. None where time enters or no multiplier is proven.

        >>> from anholonomy.catalogue import free_particle
        >>> h = free_particle().hamiltonize()
        >>> print(h.form)
        pi2*x/(x^2 + 1) dx∧dy + dx∧dpi1 + dy∧dpi2
        >>> bool(h.form.is_closed()), bool((h.multiplier * h.form).is_closed())
        (False, True)
        """
        return None if self.rescaled is None or self.equations.time_enters else almost_symplectic(self.equations)

    @property
    def hamiltonian(self) -> Expr | None:
        r"""$H(r, p)$, in ``tau`` as the Lagrangian."""
        return self.rescaled and self.rescaled.hamiltonian

    @property
    def laws(self) -> dict[str, Expr]:
        """The momenta that are constant because the new Lagrangian does not depend on their coordinate."""
        return self.rescaled.laws if self.rescaled else {}

    @cached_property
    def orthonormal(self) -> OrthonormalMultiplier:
        """The same question in an orthonormal frame of the base, whose answer gives other conservation laws."""
        return orthonormal_multiplier(self.equations)

    @property
    def density(self) -> Expr | None:
        r"""$f^{n-1}$: the density of the invariant measure on the base, with respect to $dr\,d\pi$, $\pi_i = G_{ij}w^j$."""
        return self.rescaled and self.rescaled.density

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """Warnings that the multiplier is not a function on the base, because it has several values on a circle."""
        if self.rescaled is None:
            return ()
        return tuple(self._periods() if self.multiplier is None else self.rescaled.warnings())

    def _periods(self) -> Iterator[str]:
        """Warn of a multiplier known by its differential for each angle round which it grows."""
        kinds = zip(self.base.coordinates, self.base.coordinate_kinds, strict=True)
        angles = [q for q, kind in kinds if kind == "angle"]
        for q in angles if self.base.frame.is_chart and not self.equations.time_enters else ():
            once = dict.fromkeys((s.name for s in self.base.coordinates), 0) | {q.name: 2 * math.pi}
            try:
                if abs(math.log(self(once))) > NOTHING:
                    yield f"f has another value when {q.name} has turned once: it is a function on a cover only"
            except Error:
                yield f"whether f has one value when {q.name} has turned once is not decided: it is not finite on the way"

    @property
    def time_maps(self) -> tuple[Expr | None, Expr | None]:
        r"""$\tau(t)$, 0 at t = 0, and $t(\tau)$ in ``tau``: where the multiplier depends on time alone and they were found."""
        return self.rescaled.time_maps if self.rescaled else (None, None)

    @cached_property
    def system(self) -> Any:
        """The system in the new time, which derives and simulates like any other; its ``t`` is the new time.

        Where the multiplier is known by its differential alone, its logarithm is a coordinate, ``lnf``; where time enters and its
        inverse is not known, the old time is one, ``clock``.
        """
        return self.make(self._proven("the system in the new time").model())

    def __call__(self, state: Mapping[str, object]) -> float:
        """$|f|$ at a state, the rate of the new time, which grows: names with numbers; what it does not depend on may be left out.

        Without a closed form it is integrated on a straight line from the origin, where it is 1.
        """
        f = self._proven("the multiplier").multiplier
        if f is not None:
            return abs(value_at(self.model, f, state, "the multiplier"))
        return _exponential_of_line_integral(self.model, self.base, self._form, state)

    @property
    def _form(self) -> dict[Symbol, Expr]:
        """The differential of ln f by coordinate, where the base has coordinates that are free; refused on a group."""
        if not self.base.frame.is_chart:
            raise NotSupportedError(
                f"{self.model.name}: the multiplier is known by its differential, not in closed form; ask `time(run)`, which "
                "integrates it along a motion."
            )
        psi = dict(zip(self.base.coordinates, self.equations.psi_i, strict=True))
        return {time: self.equations.psi_t} if self.equations.time_enters else psi

    def time(self, run: Any) -> xr.DataArray:
        r"""$\tau$ along a motion, 0 at its start, by Gauss's quadrature between its samples."""
        rescaled = self._proven("the new time")
        expect_motion(run, self.base)
        return new_times(run, rescaled.multiplier, rescaled.rate)

    def old_time(self, run: Any, tau: Any) -> xr.DataArray:
        r"""$t$ along a motion at given values of $\tau$, which is 0 at its start: the inverse of `time`.

        >>> from anholonomy.catalogue import free_particle
        >>> particle = free_particle()
        >>> run = particle.simulate({"x": 0, "y": 0, "z": 0, "x'": 1, "y'": 1}, until=3)
        >>> bool(abs(particle.hamiltonize().old_time(run, [1.0]) - math.sinh(1)).max() < 1e-12)
        True
        """
        rescaled = self._proven("the old time")
        expect_motion(run, self.base)
        return old_times(run, rescaled.multiplier, rescaled.rate, tau)

    def plot(self, run: Any, ax: Any = None) -> Any:
        r"""Draw a motion on the base against $t$ and against $\tau$, with $\tau(t)$ and its inverse below; the array of axes.

        A path of a file keeps the figure, such as ``"both.png"``.
        """
        return plot_two_times(run, self.time(run), [q.name for q in self.base.coordinates], ax)

    def check(self, run: Any) -> Finding:
        """Compare the motion of the system in the new time, from the same start, with a motion."""
        rescaled = self._proven("the new time")
        expect_motion(run, self.base)
        tau, f = integrated_along(run, rescaled.multiplier, rescaled.rate)
        refuse_turning_back(tau)
        jumps = jumps_on(run, rescaled.multiplier, rescaled.rate)
        system = self.make(Rescaled(self.equations, None).model()) if jumps else self.system
        names, extra = (
            [q.name for q in self.base.coordinates],
            {CLOCK.name: float(run.time[0]), LOGARITHM.name: math.log(f)},
        )
        start = {q.name: extra[q.name] for q in system.coordinates if q.name not in names}
        begins = 0.0 if start else self._start_of_tau(float(run.time[0]))
        start |= {name: float(run[name][0]) for name in names} | {"t": begins}
        start |= {w.name: float(run[w.name][0]) / f for w in self.base.velocities}
        chosen = asked_of(run.data).get("integrator")
        again = system.simulate(start, times=(tau + begins).tolist(), integrator=chosen)
        if len(again.time) < len(tau):
            raise IntegrationError(
                f"{self.model.name}: in the new time the motion ends at tau = {float(again.time[-1]):.6g}, before it is compared to the end: "
                f"{again.data.attrs['outcome']}."
            )
        apart = distance(run, {name: again[name].values for name in names})
        return within("the motion is one of the system in the new time", "the largest distance", apart, GATHERED)

    def _start_of_tau(self, t: float) -> float:
        tau = self.time_maps[0]
        return 0.0 if t == 0 or tau is None else value_at(self.base, tau, {"t": t}, "the new time")

    def _proven(self, what: str) -> Rescaled:
        if self.rescaled is None:
            raise NotSupportedError(f"{what} is asked for, but {self.finding}.")
        return self.rescaled

    def as_rows(self) -> Iterable[Part]:
        yield self.finding
        if self.rescaled is None:
            return
        yield from equations({name: oriented(value) for name, value in self._shown()})
        if self.multiplier is None:
            yield from equations({f"d(ln f) along {q}": value for q, value in self.slopes.items() if value != 0})
        if self.equations.time_enters and self.multiplier is not None and self.time_maps[0] is None:
            inverse = "`time(run)` and `old_time(run, tau)` are it and its inverse in numbers"
            yield from below(f"tau = the integral of f over t from 0; {inverse}")
        yield from below(*(f"{name} is constant" for name in self.laws), *self.warnings)

    def _shown(self) -> Iterator[tuple[str, Expr]]:
        forces = {f"force of {name}": F for name, F in self.gyroscopic.items()}
        tau, t = self.time_maps
        rows = {"f": self.multiplier, "tau": tau, "t": t, "L": self.lagrangian, **forces, "H": self.hamiltonian}
        rows |= {**self.momenta, "density": self.density}
        yield from ((name, value) for name, value in rows.items() if value is not None)

    def _data(self) -> dict[str, Any]:
        return self.finding.to_dict() | {
            "base": self.base.coordinates,
            "found": {} if self.rescaled is None else dict(self._shown()),
            "laws": list(self.laws),
            "warnings": self.warnings,
            "text": self.text(),
        }


def _exponential_of_line_integral(
    model: Model, base: Model, form: Mapping[Symbol, Expr], state: Mapping[str, object]
) -> float:
    """The exponential of a form integrated from the origin to a state, on a straight line."""
    way = unused("s", base.names.__contains__)
    place = {q: value_at(model, q, state, "the multiplier") for q in form}
    line = {q: way * symengine.RealDouble(end) for q, end in place.items()}
    rate = symengine.Add(*(entry.xreplace(line) * symengine.RealDouble(place[q]) for q, entry in form.items()))
    nodes, weights, _ = gauss(NODES)
    _, steps, at = fine_times(np.array([0.0, 1.0]), _PIECES, nodes)
    rates = [[value_at(model, rate, {way.name: float(s)}, "the multiplier") for s in piece] for piece in at]
    return float(np.exp(steps @ (np.array(rates) @ weights)))
