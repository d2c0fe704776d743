"""Equilibria and circular motions whose stability literature knows, each with its source.

"Printed" are those of which a public page of this project tells the answer; all others are tried here for the first time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import anholonomy as ah

__all__ = ["TABLE", "Equilibrium"]

STABLE, UNSTABLE = "proven", "refuted"


@dataclass(frozen=True)
class Equilibrium:
    """A declaration, its true answer with the source, and whether that is found."""

    key: str
    system: Mapping[str, object]
    true: str
    source: str
    near: Mapping[str, float] = field(default_factory=dict)
    fixed: Mapping[str, float] = field(default_factory=dict)
    found: bool = True
    printed: bool = False

    def steady(self) -> ah.answers.SteadyMotion:
        words = {"fixed": dict(self.fixed)} if self.fixed else {}
        return ah.System(name="system", **self.system).stability.steady_motion(near=dict(self.near), **words)  # type: ignore[arg-type]


def _line(force: str, true: str, source: str, printed: bool = False) -> Equilibrium:
    """A unit mass on a line."""
    system = {"coordinates": ["x"], "lagrangian": "x'^2/2", "forces": {"x": force}}
    return Equilibrium(f"x'' = {force}", system, true, source, {"x": 0, "x'": 0}, printed=printed)


def _potential(potential: str, true: str, source: str, kinetic: str = "", printed: bool = False) -> Equilibrium:
    """A unit mass in a potential of as many coordinates as it mentions."""
    names = [q for q in "xyz" if q in potential.replace("exp", "")]
    kinetic = kinetic or f"({' + '.join(f'{q}' + chr(39) + '^2' for q in names)})/2"
    system = {"coordinates": names, "lagrangian": f"{kinetic} - ({potential})"}
    return Equilibrium(f"V = {potential}", system, true, source, dict.fromkeys(names, 0), printed=printed)


def _plane(key: str, lagrangian: str, true: str, source: str, **forces: str) -> Equilibrium:
    """Two coordinates at rest at the origin."""
    system = {"coordinates": ["x", "y"], "lagrangian": lagrangian, **({"forces": forces} if forces else {})}
    return Equilibrium(key, system, true, source, {"x": 0, "y": 0})


def _planet(power: str, true: str, source: str) -> Equilibrium:
    """The circle of radius 1 in the force -1/r^(power + 1)."""
    system = {
        "coordinates": ["r", "phi"],
        "lagrangian": f"(r'^2 + r^2*phi'^2)/2 + r^(-({power}))/({power})",
    }
    return Equilibrium(f"circle in -r^-({power}) / ({power})", system, true, source, {"phi'": 1}, {"r": 1})


def _hamiltonian(key: str, w1: str, w2: str, more: str, true: str, source: str) -> Equilibrium:
    """H2 = (w1^2 x^2 + x'^2)/2 - (w2^2 y^2 + y'^2)/2: two oscillators, one with a negative energy."""
    system = {"coordinates": ["x", "y"], "lagrangian": f"(x'^2 - ({w1})*x^2)/2 - (y'^2 - ({w2})*y^2)/2 - ({more})"}
    return Equilibrium(key, system, true, source, {"x": 0, "y": 0})


_FLAT = (
    _line("-x'+x^3", UNSTABLE, "Lyapunov 1892, one zero root: Merkin, sec. 4.5", printed=True),
    _line("-x'-x^3", STABLE, "Lyapunov 1892, one zero root: Merkin, sec. 4.5", printed=True),
    _line("-x'+x^2", UNSTABLE, "Lyapunov 1892, one zero root"),
    _line("-2*x'-x^5+x^6", STABLE, "Carr, Applications of Centre Manifold Theory, ch. 1"),
    _line("-x'-x*x'-x^3", STABLE, "Carr, ch. 1: on the centre manifold s' = -s^3"),
    _line("-x'+x*x'+x^3", UNSTABLE, "Carr, ch. 1: s' = s^3"),
    _line("-x'+2*x'^2+x^4", UNSTABLE, "Carr, ch. 1: s' = s^4"),
    _line("-3*x'-sin(x)^3", STABLE, "Carr, ch. 1: 3s' = -s^3"),
    _line("-x'-x^7+100*x^8", STABLE, "Carr, ch. 1: s' = -s^7"),
    _line("-x'-(cosh(x)-1-x^2/2)", UNSTABLE, "Carr, ch. 1: s' = -s^4/24"),
    _line("-x^3", STABLE, "Lagrange and Dirichlet: the energy x'^2/2 + x^4/4", printed=True),
    _line("x^3", UNSTABLE, "Lyapunov 1897", printed=True),
    _line("-x^2", UNSTABLE, "Lyapunov 1897: the potential x^3/3", printed=True),
    _line("-x^3-x^2", UNSTABLE, "Lyapunov 1897: x^3/3 + x^4/4"),
    _line("-x^3-x'", STABLE, "Khalil, Nonlinear Systems, ex. 4.4 and 4.9"),
)

_PAIRS = (
    _line("-x-x'^3", STABLE, "Merkin, sec. 2.4: the energy decreases", printed=True),
    _line("-x+x'^3", UNSTABLE, "Chetaev: the energy grows"),
    _line("-x-x'^5", STABLE, "Khalil, theorem 4.4 (LaSalle)"),
    _line("-x+x'^5", UNSTABLE, "Khalil, theorem 4.3"),
    _line("-x-x^2*x'", STABLE, "LaSalle: van der Pol without its linear term"),
    _line("-x+x^2*x'", UNSTABLE, "van der Pol backward in time"),
    _line("-x-x'^3+x^2*x'", STABLE, "Lyapunov's coefficient: 1/8 - 3/8 < 0"),
    _line("-x+x'^3-x^2*x'", UNSTABLE, "Lyapunov's coefficient: 3/8 - 1/8 > 0"),
    _line("-x+x'^2", STABLE, "reversible: a centre (Andronov, Vitt and Khaikin)"),
    _line("-x-x'^2", STABLE, "reversible: a centre (Andronov, Vitt and Khaikin)"),
    _line("-sin(x)-x'^2/3", STABLE, "reversible: a centre"),
    _line("-x-x*x'", STABLE, "reversible under x -> -x: a centre (Strogatz, sec. 6.6)"),
    _line("-x+x^2+x*x'", UNSTABLE, "Lyapunov's coefficient a*b/8 > 0 (Guckenheimer and Holmes, 3.4.11)"),
    _line("-x+x^2-x*x'", STABLE, "Lyapunov's coefficient a*b/8 < 0 (Guckenheimer and Holmes, 3.4.11)"),
    _line("-4*x-x'*abs(x')", STABLE, "quadratic drag: the energy decreases"),
    _line("-x-x'^3/3+x'^2", STABLE, "Lyapunov's coefficient"),
    _line("-x-2*x^2*x'^2+3*x'^5", UNSTABLE, "beside the centre of the forces even in x': these grow"),
    _line("-x-2*x^2*x'^2-x'^3", STABLE, "beside the centre of the forces even in x': these decay"),
    _line("-x^3-2*x^2*x'^2-x'^5", STABLE, "beside the centre of the forces even in x': these decay"),
    _line("-x-tanh(x')+x'", UNSTABLE, "x'^3/3 pushes"),
    _line("-x+x'-sin(x')", UNSTABLE, "x'^3/6 pushes"),
    _line("-x^3-x'^3", STABLE, "Barbashin and Krasovskii 1952"),
    _line("-x^3+x'^3", UNSTABLE, "Krasovskii: the energy grows"),
    _line("-x^3-x^2*x'", STABLE, "Lienard's equation: the energy decreases"),
    _line("-x^3+x^2*x'", UNSTABLE, "Lienard's equation: the energy grows"),
    _line("-x^3+x'^2", STABLE, "reversible and monodromic: a centre (Andreev 1958)"),
    _line("x^3-x'^3", UNSTABLE, "Chetaev: friction does not hold a maximum"),
    _line("-x^2-x'^3", UNSTABLE, "Andreev 1958: index zero"),
    _line("-x^3-3*x*x'", UNSTABLE, "Andreev 1958: an elliptic sector, 9 > 8"),
    _line("-x^3-x*x'", STABLE, "reversible under x -> -x, 1 < 8: a centre (Andreev 1958)"),
    _line("-x^5-3*x^2*x'", STABLE, "the energy decreases"),
    _line("x^5+x^2*x'", UNSTABLE, "Andreev 1958: a saddle"),
)

_POTENTIALS = (
    _potential("x^2/2+y^4", STABLE, "Lagrange and Dirichlet", printed=True),
    _potential("x^2/2-y^4", UNSTABLE, "Kozlov 1982; Kozlov and Furta, ch. 2", printed=True),
    _potential("(x-y^2)^2/2+y^6", STABLE, "Lagrange and Dirichlet", printed=True),
    _potential("(x-y^2)^2/2-y^6", UNSTABLE, "Taliaferro 1980; Palamodov 1977", printed=True),
    _potential("x^2/2+y^3", UNSTABLE, "Kozlov 1982", printed=True),
    _potential("x^4+y^4", STABLE, "Lagrange and Dirichlet"),
    _potential("x^4-3*x^2*y^2+y^4", UNSTABLE, "Kozlov 1982: the first form has no minimum"),
    _potential("x^4-x^2*y^2+y^4", STABLE, "the first form is definite: 1 < 4"),
    _potential("x^3-3*x*y^2", UNSTABLE, "Chetaev 1952: an odd first form, the monkey saddle"),
    _potential("x^4+y^6", STABLE, "Lagrange and Dirichlet"),
    _potential("x^4-y^6", UNSTABLE, "Taliaferro 1980"),
    _potential("x^4+x^2*y^3+y^6", STABLE, "quasi-homogeneous and definite: 1 < 4"),
    _potential("x^4+3*x^2*y^3+y^6", UNSTABLE, "quasi-homogeneous: 9 > 4; Taliaferro 1980"),
    _potential("(x^2-y^2)^2+x^6", STABLE, "two zero directions of the first form, in both of which it grows"),
    _potential("(x^2-y^2)^2-x^6", UNSTABLE, "Taliaferro 1980"),
    _potential("(x-y^2)*(x-2*y^2)", UNSTABLE, "Peano: a minimum along every line and none in the plane"),
    _potential("x^2/2+y^4+z^4", STABLE, "Lagrange and Dirichlet"),
    _potential("x^2/2+y^4-z^4", UNSTABLE, "Kozlov and Palamodov 1982"),
    _potential("x^2+y^4+z^4-3*y^2*z^2", UNSTABLE, "Kozlov and Palamodov 1982"),
    _potential("x^2+2*x*y*z+y^4+z^4", STABLE, "(x + yz)^2 + a definite form"),
    _potential("x^2+4*x*y*z+y^4+z^4", UNSTABLE, "(x + 2yz)^2 + y^4 - 4y^2z^2 + z^4"),
    _potential("x*y*z", UNSTABLE, "an odd first form"),
    _potential("x^4+y^4+z^4-x^2*y^2", STABLE, "a definite first form"),
    _potential("1-cos(x)+y^4/(1+x^2)", STABLE, "Lagrange and Dirichlet"),
    _potential("1-cos(x^2)", STABLE, "Lagrange and Dirichlet: x^4/2"),
    _potential("cosh(x)-1-x^2/2+y^2", STABLE, "Lagrange and Dirichlet: x^4/24"),
    _potential("y^2-x^4*exp(x)", UNSTABLE, "Kozlov 1982"),
    _potential("x^2*y^2", UNSTABLE, "Laloy and Peiffer 1982: a minimum that is not strict"),
    _potential("x^2*y^2+y^4", UNSTABLE, "Laloy and Peiffer 1982: a minimum that is not strict"),
)

_ELSEWHERE = tuple(
    Equilibrium(
        f"V = {sign}(x - {place})^4 + y^2 - y from beside",
        {"coordinates": ["x", "y"], "lagrangian": f"(x'^2 + y'^2)/2 - ({sign}(x - {place})^4 + y^2 - y)"},
        true,
        source,
        {"x": near, "y": 0.4},
    )
    for place, near in (("1", 1.1), ("1/3", 0.43), ("7/10", 0.8))
    for sign, true, source in (("", STABLE, "Lagrange and Dirichlet"), ("-", UNSTABLE, "Kozlov 1982"))
)

_FRICTION = (
    _plane("a maximum with gyroscopic forces is held", "(x'^2 + y'^2)/2 + 3*(x*y' - y*x') + x^2/2 + y^2/2", STABLE, "Thomson and Tait 1879, sec. 345; Merkin, sec. 6.3"),
    _plane("a maximum with weak gyroscopic forces is not", "(x'^2 + y'^2)/2 + (x*y' - y*x')/2 + x^2/2 + y^2/2", UNSTABLE, "Merkin, sec. 6.3"),
    _plane("damping takes the stability away", "(x'^2 + y'^2)/2 + 3*(x*y' - y*x') + x^2/2 + y^2/2", UNSTABLE, "Thomson, Tait and Chetaev", x="-x'/100", y="-y'/100"),
    _plane("damping of an attractive potential keeps it", "(x'^2 + y'^2)/2 + 3*(x*y' - y*x') - x^2/2 - y^2", STABLE, "Thomson, Tait and Chetaev", x="-x'", y="-y'/5"),
    _plane("a saddle cannot be held by gyroscopic forces", "(x'^2 + y'^2)/2 + 5*(x*y' - y*x') + x^2/2 - y^2/2", UNSTABLE, "Thomson and Tait: an odd number of unstable coordinates"),
    _plane("damping of one coordinate reaches the other", "(x'^2 + y'^2)/2 - x^2/2 - y^2 - x*y/2", STABLE, "pervasive damping: Merkin, sec. 6.6", x="-x'"),
    _plane("damping of one normal mode leaves the other", "(x'^2 + y'^2)/2 - x^2/2 - y^2", STABLE, "the energy does not grow", x="-x'"),
    _plane("cubic friction in both", "(x'^2 + y'^2)/2 - x^2/2 - y^2", STABLE, "Salvadori 1966: the energy decreases", x="-x'^3", y="-y'^3"),
    _plane("cubic friction between two masses", "(x'^2 + y'^2)/2 - x^2/2 - y^2/2", STABLE, "the energy does not grow", x="-(x'-y')^3", y="(x'-y')^3"),
    _plane("negative cubic friction in both", "(x'^2 + y'^2)/2 - x^2/2 - y^2", UNSTABLE, "the energy grows", x="x'^3", y="y'^3"),
    _plane("cubic friction on a held maximum", "(x'^2 + y'^2)/2 + 3*(x*y' - y*x') + x^2/2 + y^2/2", UNSTABLE, "Chetaev; Salvadori 1966", x="-x'^3", y="-y'^3"),
    _plane("friction on a flat maximum", "(x'^2 + y'^2)/2 - x^2/2 + y^4", UNSTABLE, "Chetaev; Salvadori 1966", x="-x'", y="-y'"),
    _plane("friction on a flat minimum", "(x'^2 + y'^2)/2 - x^2/2 - y^4", STABLE, "Lagrange and Dirichlet", x="-x'", y="-y'"),
    _plane("friction and gyroscopic forces on a cubic potential", "(x'^2 + y'^2)/2 + x*y' - y*x' - x^3 - y^2", UNSTABLE, "Salvadori 1966", x="-x'", y="-y'"),
    _plane("friction on a monkey saddle", "(x'^2 + y'^2)/2 - x^3 + 3*x*y^2", UNSTABLE, "Salvadori 1966", x="-x'", y="-y'"),
    _plane("friction on a flat minimum of two coordinates", "(x'^2 + y'^2)/2 - x^4 - y^4", STABLE, "Lagrange and Dirichlet", x="-x'", y="-y'"),
    _plane("circulatory forces", "(x'^2 + y'^2)/2 - x^2 - y^2", UNSTABLE, "Merkin 1956, sec. 6.9: equal frequencies", x="y", y="-x"),
    _plane("circulatory forces with damping", "(x'^2 + y'^2)/2 - x^2 - y^2", STABLE, "Merkin, sec. 6.9: 1 < 2 * 1", x="y-x'", y="-x-y'"),
)  # fmt: skip

_FREQUENCY = "Sokolskii 1981: a frequency that is zero"
_CENTRES = (
    _plane(
        "cubic friction of one coordinate, the other decays",
        "(x'^2 + y'^2)/2 - x^2/2 - y^2",
        STABLE,
        "centre manifold and Lyapunov's coefficient: Carr, ch. 1",
        x="-x'^3 + x*y",
        y="-y' - 5*x'*x",
    ),
    _plane(
        "an oscillator that feeds on a decaying one",
        "(x'^2 + y'^2)/2 - x^2/2 - y^2/2",
        UNSTABLE,
        "centre manifold and Lyapunov's coefficient: Carr, ch. 1",
        x="x'*y",
        y="-2*y' + x^2 + x'^2",
    ),
    _plane(
        "an oscillator that a decaying one brakes",
        "(x'^2 + y'^2)/2 - x^2/2 - y^2/2",
        STABLE,
        "centre manifold and Lyapunov's coefficient: Carr, ch. 1",
        x="-x'*y",
        y="-2*y' + x^2 + x'^2",
    ),
    _plane(
        "a centre manifold that bends, cubic",
        "(x'^2 + y'^2)/2 - y^2/2",
        UNSTABLE,
        "Carr, ch. 1: s' = s^3",
        x="-x' + x*y",
        y="-y' + x^2",
    ),
    _plane(
        "a centre manifold that bends the other way",
        "(x'^2 + y'^2)/2 - y^2/2",
        STABLE,
        "Carr, ch. 1: s' = -s^3",
        x="-x' + x*y",
        y="-y' - x^2",
    ),
)

_ARNOLD = "Arnold 1961, Moser 1968: Arnold, Mathematical Methods, app. 8"
_MARKEEV = "Markeev 1968: Libration Points, ch. 4"
_CABRAL = "Cabral and Meyer 1999: Nonlinearity 12"
_SOKOLSKII = "Sokolskii 1974; Lerman and Markova 2009"
_HAMILTONIANS = (
    _hamiltonian("indefinite without resonance", "2", "1", "x^4", STABLE, _ARNOLD),
    _hamiltonian("indefinite without resonance, coupled", "5", "1", "x^3 + x*y^2 + x^2*y^2", STABLE, _ARNOLD),
    _hamiltonian("indefinite, quartic of both", "3", "1", "x^4 - 2*y^4", STABLE, _ARNOLD),
    _hamiltonian("Cherry's oscillators, 1:2", "4", "1", "x*y^2", UNSTABLE, "Cherry 1925; " + _MARKEEV),
    _hamiltonian("1:2 with y'", "4", "1", "x*y*y' + x^4", UNSTABLE, _MARKEEV),
    _hamiltonian("1:2 without its cubic term", "4", "1", "x^4", STABLE, _MARKEEV),
    _hamiltonian("1:3 with a strong resonant term", "9", "1", "x*y^3", UNSTABLE, _MARKEEV),
    _hamiltonian("1:3 with a weak resonant term", "9", "1", "x^4 + y^4 + x*y^3/100", STABLE, _MARKEEV),
    _hamiltonian("1:1 with two directions, held", "1", "1", "x^4/2 + 2*y^4 - x*y^3", STABLE, _CABRAL),
    _hamiltonian("1:1 with two directions, not held", "1", "1", "x^4 - y^4 - x^2*y^2/2 + x^2*y", UNSTABLE, _CABRAL),
    _hamiltonian("1:1 with two directions and a cubic term", "1", "1", "x*y^3 - y^4 + x^2*y/2", STABLE, _CABRAL),
    _plane("a saddle held by a magnetic field", "(x'^2 + y'^2)/2 + 2*(x*y' - y*x') + x^2/2 + y^2/4 + x^4*y + x^3*y^2 + x^4", STABLE, _ARNOLD),
    _plane("the threshold of gyroscopic stabilisation, held", "(x'^2 + y'^2)/2 + (x*y' - y*x') + x^2/2 + y^2/2 - (x^2 + y^2)^2", STABLE, _SOKOLSKII),
    _plane("the threshold of gyroscopic stabilisation, not held", "(x'^2 + y'^2)/2 + (x*y' - y*x') + x^2/2 + y^2/2 + (x^2 + y^2)^2", UNSTABLE, _SOKOLSKII),
    _plane("the threshold with a quartic of one coordinate", "(x'^2 + y'^2)/2 + (x*y' - y*x') + x^2/2 + y^2/2 - x^4", STABLE, _SOKOLSKII),
    _plane("the threshold with a cubic term and a strong quartic", "(x'^2 + y'^2)/2 + (x*y' - y*x') + x^2/2 + y^2/2 + x^3 + 4*x^4", UNSTABLE, _SOKOLSKII),
    _plane("the threshold with a cubic term", "(x'^2 + y'^2)/2 + (x*y' - y*x') + x^2/2 + y^2/2 + x^3", STABLE, _SOKOLSKII),
    _plane("a saddle that loses a frequency, held", "(x'^2 + y'^2)/2 + x*y' - y*x' + x^2 + y^4", STABLE, _FREQUENCY),
    _plane("a saddle that loses a frequency, not held", "(x'^2 + y'^2)/2 + x*y' - y*x' + x^2 - y^4", UNSTABLE, _FREQUENCY),
    _plane("a saddle that loses a frequency, cubic", "(x'^2 + y'^2)/2 + x*y' - y*x' + x^2 + y^3", UNSTABLE, _FREQUENCY),
    *(
        Equilibrium(
            f"the triangular libration point, mass ratio {mu}",
            {
                "coordinates": ["x", "y"],
                "lagrangian": "(x'^2 + y'^2)/2 + x*y' - y*x' + (x^2 + y^2)/2 + (1-mu)/sqrt((x+mu)^2 + y^2)"
                " + mu/sqrt((x-1+mu)^2 + y^2)",
                "parameters": {"mu": mu},
            },
            true,
            source,
            {"x": 0.5 - mu, "y": 0.866},
        )
        for mu, true, source in (
            (0.001, STABLE, "Leontovich 1962, Deprit and Deprit-Bartholome 1967"),
            (0.02, STABLE, "Deprit and Deprit-Bartholome 1967"),
            (0.0385, STABLE, "Deprit and Deprit-Bartholome 1967: below Routh's value 0.0385209"),
            (0.0386, UNSTABLE, "Routh 1875: above 0.0385209"),
        )
    ),
)  # fmt: skip

_CIRCLES = (
    _planet("1", STABLE, "Kepler; Bertrand 1873"),
    _planet("1/2", STABLE, "Bertrand 1873: less than 2"),
    _planet("3/2", STABLE, "Bertrand 1873: less than 2"),
    _planet("19/10", STABLE, "Bertrand 1873: less than 2"),
    _planet("2", UNSTABLE, "Newton, Principia I, prop. 9: spirals in the inverse cube"),
    _planet("21/10", UNSTABLE, "Bertrand 1873: more than 2"),
    _planet("3", UNSTABLE, "Bertrand 1873: more than 2"),
    _planet("-2", STABLE, "Hooke's spring"),
    _planet("-1", STABLE, "a constant force"),
)

_AMENDED = (
    Equilibrium(
        "a bead in a bowl of the fourth degree that circles",
        {"coordinates": ["r", "phi"], "lagrangian": "(r'^2 + r^2*phi'^2)/2 - r^4/4"},
        STABLE,
        "Routh 1877: the amended potential has a minimum",
        {"phi'": 1},
        {"r": 1},
    ),
    Equilibrium(
        "an amended potential with a flat minimum",
        {"coordinates": ["r", "phi"], "lagrangian": "(r'^2 + (1 + r^2)*phi'^2)/2 - r^2/2 - r^4"},
        STABLE,
        "Routh 1877: on the level of phi' = 1 it is 1/(1 + r^2) + r^2/2 + ... with the first term r^4",
        {"phi'": 1, "r": 0},
        {"phi'": 1},
    ),
    Equilibrium(
        "an amended potential with a flat maximum",
        {"coordinates": ["r", "phi"], "lagrangian": "(r'^2 + (1 + r^2)*phi'^2)/2 - r^2/2 + r^4"},
        UNSTABLE,
        "Routh 1877: as before, with a negative term r^4",
        {"phi'": 1, "r": 0},
        {"phi'": 1},
    ),
)

_PENDULUMS = (
    Equilibrium(
        "the double pendulum hangs",
        {"coordinates": ["a", "b"], "lagrangian": "a'^2 + b'^2/2 + cos(a-b)*a'*b' + 2*cos(a) + cos(b)"},
        STABLE,
        "Lagrange and Dirichlet",
    ),
    Equilibrium(
        "the double pendulum stands",
        {"coordinates": ["a", "b"], "lagrangian": "a'^2 + b'^2/2 + cos(a-b)*a'*b' - 2*cos(a) - cos(b)"},
        UNSTABLE,
        "Lyapunov 1897",
    ),
    *(
        Equilibrium(
            f"a bead at the bottom of a hoop with Omega^2 = {square}",
            {"coordinates": ["a"], "lagrangian": f"a'^2/2 + {square}*sin(a)^2/2 + cos(a)"},
            true,
            "Marsden and Ratiu, sec. 2.10",
        )
        for square, true in (("1/2", STABLE), ("1", STABLE), ("2", UNSTABLE))
    ),
    Equilibrium(
        "Follower load of Ziegler's column, strong",
        {
            "coordinates": ["a", "b"],
            "lagrangian": "3*a'^2/2 + b'^2/2 + cos(a-b)*a'*b' - a^2/2 - (b-a)^2/2",
            "forces": {"a": "3*sin(a-b)"},
        },
        UNSTABLE,
        "Ziegler 1952; above the critical load 2.086",
    ),
)

TABLE = (
    *_FLAT,
    *_PAIRS,
    *_CENTRES,
    *_POTENTIALS,
    *_ELSEWHERE,
    *_FRICTION,
    *_HAMILTONIANS,
    *_CIRCLES,
    *_AMENDED,
    *_PENDULUMS,
)
