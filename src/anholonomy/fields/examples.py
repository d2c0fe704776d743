"""Classical fields, declared as a user would."""

from __future__ import annotations

from anholonomy.fields.field import Field

__all__ = ["damped_string", "director", "rolling_discs", "rolling_rod", "sine_gordon", "windy_membrane"]


def damped_string(rho: float = 1.0, T: float = 1.0, c: float = 0.1) -> Field:
    r"""A string in a viscous medium, $\rho u_{tt} = T u_{ss} - c u_t$: it has no Lagrangian of first order in $u$ alone."""
    return Field(
        name="damped string",
        parameters=["t", "s"],
        fields=["u"],
        momenta={"t": "rho*u_t", "s": "-T*u_s"},
        forces={"u": "-c*u_t"},
        constants={"rho": rho, "T": T, "c": c},
    )


def windy_membrane(rho: float = 1.0, T: float = 1.0, k: float = 0.5) -> Field:
    r"""A membrane whose load follows its slope, $\rho u_{tt} = T(u_{xx} + u_{yy}) - k u_x$, as wind does: no potential has it."""
    return Field(
        name="membrane in the wind",
        parameters=["t", "x", "y"],
        fields=["u"],
        momenta={"t": "rho*u_t", "x": "-T*u_x", "y": "-T*u_y"},
        forces={"u": "-k*u_x"},
        constants={"rho": rho, "T": T, "k": k},
    )


def sine_gordon() -> Field:
    r"""$u_{tt} - u_{ss} + \sin u = 0$, with the kink $4\arctan e^{\gamma(s - vt)}$ of energy $8\gamma$."""
    return Field(name="sine-Gordon", parameters=["t", "s"], fields=["u"], lagrangian="u_t^2/2 - u_s^2/2 - (1 - cos(u))")


def rolling_discs(
    m: float = 1.0, I: float = 0.5, J: float = 0.25, R: float = 1.0, k: float = 1.0, h: float = 1.0
) -> Field:
    r"""Upright discs side by side, as many as points of a line, that roll on the plane; neighbours twist and wind springs.

    ``phi`` is the heading, ``theta`` the turn about the axle; both obey wave equations, $J\phi_{tt} = h\phi_{ss}$ and
    $(I + mR^2)\theta_{tt} = k\theta_{ss}$, and the plane follows by rolling.
    """
    return Field(
        name="rolling discs",
        parameters=["t", "s"],
        fields=["x", "y", "phi", "theta"],
        lagrangian="m*(x_t^2 + y_t^2)/2 + I*theta_t^2/2 + J*phi_t^2/2 - k*theta_s^2/2 - h*phi_s^2/2",
        constraints=["x_t = R*cos(phi)*theta_t", "y_t = R*sin(phi)*theta_t"],
        constants={"m": m, "I": I, "J": J, "R": R, "k": k, "h": h},
    )


def rolling_rod(rho: float = 1.0, J: float = 0.5, r: float = 1.0, T: float = 2.0, G: float = 1.0) -> Field:
    r"""An elastic rod that rolls on a plane across its length without slipping, $u_t = r\theta_t$: the constraint has leaves.

    On a leaf $(\rho r^2 + J)\,\theta_{tt} = (T r^2 + G)\,\theta_{ss}$.
    """
    return Field(
        name="rolling rod",
        parameters=["t", "s"],
        fields=["u", "theta"],
        lagrangian="rho*u_t^2/2 + J*theta_t^2/2 - T*u_s^2/2 - G*theta_s^2/2",
        constraints=["u_t = r*theta_t"],
        constants={"rho": rho, "J": J, "r": r, "T": T, "G": G},
    )


def director() -> Field:
    r"""A surface's director: the plane is mapped to places $(a, b)$ with a director $\alpha$ across which it may not extend."""
    return Field(
        name="director field",
        parameters=["x", "y"],
        fields=["a", "b", "alpha"],
        lagrangian="(a_x^2 + a_y^2 + b_x^2 + b_y^2 + alpha_x^2 + alpha_y^2)/2",
        constraints=["sin(alpha)*da = cos(alpha)*db"],
    )
