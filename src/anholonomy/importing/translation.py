r"""Translate SymPy's names, expressions and vectors: coordinates lose their ``(t)``, generalized speeds stay names.

SymPy's users write LaTeX in names, and give one name to several symbols:

.. math:: \texttt{I\_\{B\_bo\}} \to \texttt{I\_B\_bo}, \quad \texttt{\textbackslash mu} \to \texttt{mu}, \quad
    \texttt{q\_\{1,2\}} \to \texttt{q\_1\_2}

Backslashes and braces are left out, what is neither letter nor digit becomes an underscore, and a reserved word gets
``_1``. Every other name stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, final

from anholonomy.algebra.expressions import Expr, Vector
from anholonomy.base.errors import DeclarationError, NotSupportedError
from anholonomy.language.arguments import expression, name_of
from anholonomy.language.names import LETTER, NAME, RESERVED, TIME

__all__ = ["Entrance", "called", "parts", "refuse_clashes"]


@final
@dataclass
class Entrance:
    """Translates; ``frame`` is the inertial one.

    Functions of time that occur in loads and are no coordinates become parameters, the ``inputs``.
    """

    coordinates: frozenset[str]
    speeds: frozenset[str]
    frame: Any
    deadline: float
    inputs: set[str] = field(default_factory=set)
    _frames: dict[Any, list[Vector]] = field(default_factory=dict)

    @property
    def names(self) -> frozenset[str]:
        return self.coordinates | self.speeds

    def expression(self, value: Any, what: str, load: bool = False) -> Expr:
        """A SymPy expression as ours, in coordinates, velocities and generalized speeds."""
        import sympy

        self.hurry(what)
        found = self._spelled(spelled(value), what, load) if isinstance(value, sympy.Basic) else expression(value, what)
        if load:
            self._refuse_accelerations(found, what)
        return found

    def _spelled(self, value: Any, what: str, load: bool) -> Expr:
        import sympy
        from sympy.core.function import AppliedUndef

        free = {f for f in value.atoms(AppliedUndef) if _of_time(f) and name_of(f, what) not in self.names}
        moving = {d.expr for d in value.atoms(sympy.Derivative)} & free
        if free and (moving or not load):
            culprit = min(moving or free, key=str)
            raise DeclarationError(
                f"{what} has {culprit}, a prescribed motion and no coordinate; write it out as a function of t, or add it to "
                "the coordinates."
            )
        if twice := sorted({s.name for s in value.free_symbols} & self.names):
            raise DeclarationError(
                f"{what} has the constant {twice[0]} beside the function of time {twice[0]}(t); rename one of them."
            )
        self.inputs |= {name_of(f, what) for f in free}
        plain = value.xreplace({f: sympy.Symbol(name_of(f, what)) for f in free})
        return expression(plain, what, coordinates=self.names)

    def hurry(self, what: str) -> None:
        """Give up when the time is over: a model of many bodies may ask for proofs that take hours."""
        if perf_counter() > self.deadline:
            raise NotSupportedError(
                f"the import was given up for want of time, at {what}; give more `patience`, fewer bodies, or declare the system "
                "with a Lagrangian."
            )

    def _refuse_accelerations(self, value: Expr, what: str) -> None:
        rates = {f"{q}''" for q in self.coordinates} | {f"{u}'" for u in self.speeds}
        if second := sorted({s.name for s in value.free_symbols} & rates):
            raise DeclarationError(
                f"{what} has {second[0]}, and loads may not contain accelerations; write it with positions and speeds, or "
                "as the inertia of a body."
            )

    def velocity(self, point: Any, what: str) -> Any:
        """The velocity of a point in the inertial frame, as SymPy's vector."""
        try:
            return point.vel(self.frame)
        except ValueError:
            raise DeclarationError(
                f"{what} needs the velocity of the point {point} in {self.frame}, which is not defined; set it with "
                f"`{point}.set_vel({self.frame}, …)`, or by `v2pt_theory`."
            ) from None

    def turning(self, frame: Any, what: str) -> Any:
        """The angular velocity of a frame in the inertial one, as SymPy's vector."""
        try:
            return frame.ang_vel_in(self.frame)
        except ValueError:
            raise DeclarationError(
                f"{what} needs the angular velocity of the frame {frame} in {self.frame}, which is not defined; orient the "
                f"frame, or set it with `{frame}.set_ang_vel({self.frame}, …)`."
            ) from None

    def components(self, vector: Any, frame: Any, what: str, load: bool = False) -> Vector:
        """A SymPy vector along the axes of a frame."""
        total = [self.expression(0, what)] * 3
        for part, own in parts(vector):
            turned = self.rotation(frame, own, what)
            values = [self.expression(value, what, load) for value in part]
            for i, row in enumerate(turned):
                for r, value in zip(row, values, strict=True):
                    total[i] += r * value
        return tuple(total)

    def rotation(self, frame: Any, other: Any, what: str) -> list[Vector]:
        """The cosines between the axes of two frames."""
        if (frame, other) not in self._frames:
            try:
                cosines = frame.dcm(other)
            except ValueError:
                raise DeclarationError(
                    f"{what} uses the frame {other}, which is not oriented to {frame}; orient it."
                ) from None
            self._frames[frame, other] = [
                tuple(self.expression(cosines[i, j], what) for j in range(3)) for i in range(3)
            ]
        return self._frames[frame, other]

    def paired(self, velocity: Any, vector: Any, what: str) -> list[tuple[Expr, Expr]]:
        """Components of a velocity and of a load along the same axes, whichever the velocity is written in."""
        pairs = []
        for part, own in parts(velocity):
            for value, force in zip(part, self.components(vector, own, what, load=True), strict=True):
                if force != 0:
                    pairs.append((self.expression(value, what), force))
        return pairs

    def product(self, left: Any, right: Any, what: str) -> Expr:
        """The scalar product of two SymPy vectors, in whichever axes SymPy finds short."""
        return self.expression(left.dot(right), what)


def _of_time(called: Any) -> bool:
    return [str(argument) for argument in called.args] == ["t"]


def parts(vector: Any) -> Iterable[tuple[Any, Any]]:
    """The pairs of components and frames that a SymPy vector is made of; none for zero."""
    return [] if vector == 0 else list(vector.args)


def called(thing: object, what: str) -> str:
    """The plain name of a symbol, a function of time or its derivative."""
    name = name_of(thing, what)
    primes = "'" * len(thing.variables) if getattr(thing, "is_Derivative", False) else ""  # type: ignore[attr-defined]
    return plain(name.removesuffix(primes)) + primes


def plain(name: str) -> str:
    r"""The name in the letters of the language.

    >>> [plain(name) for name in (r"I_{B_bo}", r"q_{1,2}", r"\mu", "sin", "q1", "2a")]
    ['I_B_bo', 'q_1_2', 'mu', 'sin_1', 'q1', '_2a']
    """
    if not NAME.fullmatch(name):
        name = re.sub(rf"[^{LETTER}0-9]+", "_", re.sub(r"[\\{}]", "", name)).strip("_")
        name = name if NAME.match(name) else f"_{name}"
    return f"{name}_1" if name in RESERVED - {TIME} else name


def spelled(value: Any) -> Any:
    """A SymPy expression with plain names in it."""
    import sympy
    from sympy.core.function import AppliedUndef

    odd: dict[Any, Any] = {s: sympy.Symbol(plain(s.name)) for s in value.free_symbols if plain(s.name) != s.name}
    for f in value.atoms(AppliedUndef):
        if plain(f.func.__name__) != f.func.__name__:
            odd[f] = sympy.Function(plain(f.func.__name__))(*f.args)
    return value.xreplace(odd) if odd else value


def refuse_clashes(name: str, things: Iterable[Any]) -> None:
    """Two names that are spelled alike would become one symbol."""
    first: dict[str, str] = {}
    for own in sorted({name_of(thing, "a symbol") for thing in things}):
        if first.setdefault(plain(own), own) != own:
            raise DeclarationError(
                f"{name}: {first[plain(own)]!r} and {own!r} would both be called {plain(own)}; rename one of them."
            )
