"""What literature says of the systems of the catalogue: integrals, invariant measures and multipliers, with its source.

Expressions are texts in the names of the system, ``R31`` and the like being entries of a rotation matrix; a density belongs to the volume that is named.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import final

__all__ = ["LITERATURE", "Claims"]


@final
@dataclass(frozen=True)
class Claims:
    """What is claimed of one system.

    Attributes
    ----------
    integrals
        Functions that are constant along every motion; the energy is the text ``"energy"``.
    measure
        The density of an invariant measure and its volume, or ``"none"``.
    multiplier
        The multiplier up to a constant factor, or ``"none"``.
    beyond
        Integrals of the literature that are no polynomials of degree one or two in the speeds.
    source
        Where this is found.
    """

    source: str
    integrals: tuple[str, ...] = ("energy",)
    measure: tuple[str, str] | str | None = None
    multiplier: str | None = None
    beyond: tuple[str, ...] = field(default=())


AKN = "Arnold, Kozlov and Neishtadt, Mathematical Aspects of Classical and Celestial Mechanics, ch. 1"
BLOCH = "Bloch, Nonholonomic Mechanics and Control"
NF = "Neimark and Fufaev, Dynamics of Nonholonomic Systems, 1972"
FB = "Fernandez and Bloch, J. Math. Phys. 52 (2011)"
JR = "Jóźwikowski and Respondek, A comparison of vakonomic and nonholonomic variational problems"
JOV = "Jovanović, Classical relativistic nonholonomic mechanics"
KOZLOV = "Kozlov, On the existence of an integral invariant of a smooth dynamic system, PMM 51 (1987)"
BM = "Borisov and Mamaev, Regular and Chaotic Dynamics 13 (2008)"
BM2 = "Borisov and Mamaev, Regular and Chaotic Dynamics 7 (2002)"
MONTGOMERY = "Montgomery, A Tour of Subriemannian Geometries, 2002"

_BALL = "dg(q0, q1, q2, q3) dx dy dw1 dw2 dw3"
_SPIN = "R31*w1 + R32*w2 + R33*w3"
_K = "(I/(I + m*r^2))"


def _in_space(row: int, entries: tuple[str, str, str]) -> str:
    """A component in space of a vector given in the body."""
    return " + ".join(f"R{row}{k}*({entry})" for k, entry in enumerate(entries, start=1))


def _about_contact(row: int) -> str:
    r"""$I\omega + D\,\gamma\times(\omega\times\gamma)$ in space, $D = mr^2$."""
    own = tuple(f"I{k}*w{k} + m*r^2*(w{k} - R3{k}*({_SPIN}))" for k in (1, 2, 3))
    return _in_space(row, own)  # type: ignore[arg-type]


_RUBBER = "R31^2/(I1 + m*r^2) + R32^2/(I2 + m*r^2) + R33^2/(I3 + m*r^2)"
_ROUTH = "I1*I3 + m*(I1*(r^2*(R31^2 + R32^2)) + I3*(r*R33 + a)^2)"

LITERATURE: dict[str, Claims] = {
    "skate": Claims(AKN, ("theta'", "x'*cos(theta) + y'*sin(theta)"), ("1", "dx dy dtheta du domega")),
    "knife-edge": Claims(
        f"{FB}, sec. 5.3",
        ("energy", "phi'", "(x'*cos(phi) + y'*sin(phi))*phi' - g*sin(alpha)*sin(phi)"),
        ("1", "dx dy dphi du domega"),
        "cos(phi)",
    ),
    "chaplygin-sleigh": Claims(f"{BLOCH}, sec. 1.7 and 8.6; {KOZLOV}", measure="none", multiplier="none"),
    "carriage": Claims(f"{JR}, Example 4.3", ("theta1'", "theta2'", "phi - R*theta2/w")),
    "unicycle": Claims(f"{JR}, Example 4.2"),
    "snakeboard": Claims(
        "Bloch, Krishnaprasad, Marsden and Murray, Arch. Rational Mech. Anal. 136 (1996)",
        ("phi'", "theta' + psi'", "(m*r^2*cos(phi)^2 + (J + 2*Jw)*sin(phi)^2)*theta'^2/sin(phi)^2"),
    ),
    "roller-racer": Claims("Bizyaev, Regul. Chaotic Dyn. 22 (2017)", measure="none", multiplier="none"),
    "n-trailer": Claims("Laumond, IEEE Trans. Robotics Autom. 9 (1993)"),
    "off-axle-trailer": Claims("Altafini, Int. J. Control 74 (2001)"),
    "whipple-bicycle": Claims("Meijaard, Papadopoulos, Ruina and Schwab, Proc. R. Soc. A 463 (2007)"),
    "rolling-disk": Claims(
        f"{BLOCH}, ch. 1; {FB}, sec. 5.1", ("theta'", "phi'"), ("1", "dx dy dtheta dphi dOmega domega"), "1"
    ),
    "leaning-disc": Claims(f"Routh, Advanced Part, 1884; {NF}", beyond=("two integrals by Legendre functions of sin(theta)",)),
    "leaning-disc-quaternion": Claims(
        f"Appell 1900, Korteweg 1899; {BM2}", ("energy",), ("1", _BALL), beyond=("two integrals by Legendre functions",)
    ),
    "disc-on-circle": Claims(
        f"{JOV}, Theorem 6.2", (), None, "(R0 + r + A*sin(w*t))^(-I/(m*r^2 + I))"
    ),
    "appell-machine": Claims(
        f"Hamel, Theoretische Mechanik, 1949; {NF}",
        ("energy", "z + b*theta", "phi'*exp(m*a*rho*theta/(J + m*rho^2))"),
    ),
    "rolling-ball": Claims(NF, ("x'", "y'", _SPIN), ("1", _BALL)),
    "ball-on-turntable": Claims(
        f"Routh, Advanced Part; {NF}; {JOV}, sec. 3",
        (
            _SPIN, f"x - y'/({_K}*Omega)", f"y + x'/({_K}*Omega)",
            "(m*(x'^2 + y'^2) + I*(w1^2 + w2^2 + w3^2))/2 - Omega*m*(x*y' - y*x')",
        ),
        ("1", _BALL),
    ),
    "ball-on-inclined-turntable": Claims(
        f"{NF}; {BLOCH}", (_SPIN, f"y' - {_K}*Omega*x", f"(x'^2 + y'^2)/2 - (1 - {_K})*g*sin(alpha)*x")
    ),
    "ball-in-cylinder": Claims(
        f"Routh, Advanced Part; {NF}",
        (
            "energy", "phi'",
            "r*(cos(phi)*(R11*w1 + R12*w2 + R13*w3) + sin(phi)*(R21*w1 + R22*w2 + R23*w3)) - phi'*z",
        ),
    ),
    "chaplygin-ball": Claims(
        f"Chaplygin, On a ball's rolling on a horizontal plane, 1903; {BM}",
        ("energy", *(map(_about_contact, (1, 2, 3)))),
        ("sqrt(1 - m*r^2*(" + _RUBBER + "))", _BALL),
        "1/sqrt(1 - m*r^2*(" + _RUBBER + "))",
    ),
    "rubber-ball": Claims(
        f"Ehlers, Koiller, Montgomery and Rios, 2005; {BM}",
        ("energy", _about_contact(1), _about_contact(2)),
        (f"sqrt({_RUBBER})/R32", "dg(q0, q1, q2, q3) dx dy dw1 dw3"),
        f"1/sqrt({_RUBBER})",
    ),
    "routh-sphere": Claims(
        f"Routh, Advanced Part; Chaplygin, 1897; {BM2}",
        ("energy", "I1*(R31*w1 + R32*w2)*r + I3*w3*(r*R33 + a)", f"w3*sqrt({_ROUTH})"),
        (f"(I1 + m*(r^2*(R31^2 + R32^2) + (r*R33 + a)^2))*sqrt({_ROUTH})", _BALL),
    ),
    "rattleback": Claims(
        "Garcia and Hubbard, Proc. R. Soc. A 418 (1988); Borisov and Mamaev, Physics-Uspekhi 46 (2003)", measure="none"
    ),
    "suslov": Claims(f"Suslov, Theoretical Mechanics, 1946; {KOZLOV}", measure="none"),
    "veselova": Claims(
        "Veselov and Veselova, Funct. Anal. Appl. 20 (1986); Fedorov and Jovanović, J. Nonlinear Sci. 14 (2004)",
        ("energy", _in_space(1, ("I1*w1", "I2*w2", "I3*w3")), _in_space(2, ("I1*w1", "I2*w2", "I3*w3"))),
        ("sqrt(R31^2/I1 + R32^2/I2 + R33^2/I3)/R32", "dg(q0, q1, q2, q3) dw1 dw3"),
        "1/sqrt(R31^2/I1 + R32^2/I2 + R33^2/I3)",
    ),
    "bilimovic": Claims("Bilimovitch, C. R. Acad. Sci. Paris 156 (1913)"),
    "free-particle": Claims(
        f"Rosenberg, Analytical Dynamics, 1977; {FB}, sec. 5.2", ("x'", "sqrt(1 + x^2)*y'"),
        ("sqrt(1 + x^2)", "dx dy dz du dv"), "1/sqrt(1 + x^2)",
    ),
    "affine-particle": Claims(f"{JOV}, Example 2.1", ("sqrt(1 + k^2*t^2)*y'",)),
    "heisenberg": Claims(f"{JR}, Example 4.4", ("x'", "y'", "x*y' - y*x'"), None, "1"),
    "generalized-heisenberg": Claims(f"{JR}, Example 4.7", multiplier="1"),
    "martinet": Claims(MONTGOMERY, ("y'", "sqrt(1 + y^4/4)*x'")),
    "engel": Claims(MONTGOMERY, ("y'", "sqrt(1 + y^2 + z^2)*x'")),
    "contact-particle": Claims(
        f"{BLOCH}, ch. 5",
        (
            "energy", "y1'", "y2'", "sqrt(1 + y1^2 + y2^2)*(y1'*x1' + y2'*x2')",
            "y1'*(x2' + y2*z') - y2'*(x1' + y1*z')",
        ),
    ),
    "nonholonomic-oscillator": Claims(
        "Bates and Cushman, Rep. Math. Phys. 44 (1999); Modin and Verdier, Discrete Contin. Dyn. Syst. 34 (2014)",
        ("m*y'^2 + ky*y^2", "m*(1 + y^2)*x'^2 + kx*x^2"), None, "1/sqrt(1 + y^2)",
    ),
    "appell-hamel": Claims("Appell, Rend. Circ. Mat. Palermo 32 (1911); Hamel, 1949", beyond=("x'/y'",)),
    "constant-speed": Claims("Swaczyna and Volný, Rep. Math. Phys. 73 (2014)", (), beyond=("x'/y'",)),
    "benenti": Claims(
        "Benenti, SIGMA 3 (2007), 036",
        ("m1*(x1'^2 + y1'^2)/2 + m1*g*y1", "m2*(x2'^2 + y2'^2)/2 + m2*g*y2", "m1*x1'^2 + m2*x2'^2"),
        beyond=("sqrt(x1'^2 + y1'^2) - sqrt(x2'^2 + y2'^2)",),
    ),
}  # fmt: skip
