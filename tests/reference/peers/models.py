"""The peers' models by name: SymPy's own tests and docstrings, models of PyDy's and SymBRiM's, and what is to be said of each.

PyDy and SymBRiM are no dependencies; their models run where they are installed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from tests.reference.peers.harvest import of_a_docstring, of_a_test


@dataclass(frozen=True)
class Peer:
    """A model, what its import is expected to say, and whether it takes long.

    ``refused`` or ``warned`` is a pattern of the right reason; with neither, the import agrees with the peer.
    """

    name: str
    make: Callable[[], Any]
    refused: str = ""
    warned: str = ""
    needs: str = "sympy"
    slow: bool = False


TESTS = {
    "test_jointsmethod:test_jointsmethod": 1,
    "test_jointsmethod:test_rigid_body_particle_compatibility": 1,
    "test_jointsmethod:test_complete_simple_double_pendulum": 1,
    "test_jointsmethod:test_two_dof_joints": 1,
    "test_jointsmethod:test_simple_pedulum": 1,
    "test_jointsmethod:test_chaos_pendulum": 1,
    "test_jointsmethod:test_four_bar_linkage_with_manual_constraints": 1,
    "test_kane:test_one_dof": 1,
    "test_kane:test_two_dof": 1,
    "test_kane:test_pend": 1,
    "test_kane:test_rolling_disc": 1,
    "test_kane:test_aux": 2,
    "test_kane:test_parallel_axis": 1,
    "test_kane:test_input_format": 3,
    "test_kane:test_implicit_kinematics": 1,
    "test_kane:test_issue_24887": 1,
    "test_kane2:test_aux_dep": 1,
    "test_kane2:test_non_central_inertia": 1,
    "test_kane2:test_sub_qdot": 1,
    "test_kane2:test_sub_qdot2": 2,
    "test_kane3:test_bicycle": 1,
    "test_kane4:test_replace_qdots_in_force": 6,
    "test_kane5:test_kane_rolling_disc_lu": 1,
    "test_lagrange:test_disc_on_an_incline_plane": 1,
    "test_lagrange:test_simp_pen": 1,
    "test_lagrange:test_nonminimal_pendulum": 1,
    "test_lagrange:test_dub_pen": 1,
    "test_lagrange:test_rolling_disc": 1,
    "test_lagrange2:test_lagrange_2forces": 1,
    "test_linearize:test_linearize_rolling_disc_kane": 1,
    "test_linearize:test_linearize_pendulum_kane_minimal": 1,
    "test_linearize:test_linearize_pendulum_kane_nonminimal": 1,
    "test_linearize:test_linearize_pendulum_lagrange_minimal": 1,
    "test_linearize:test_linearize_pendulum_lagrange_nonminimal": 1,
    "test_linearize:test_linearize_rolling_disc_lagrange": 1,
    "test_models:test_multi_mass_spring_damper_inputs": 4,
    "test_models:test_multi_mass_spring_damper_higher_order": 1,
    "test_models:test_n_link_pendulum_on_cart_inputs": 4,
    "test_models:test_n_link_pendulum_on_cart_higher_order": 1,
    "test_system_class:TestSystemExamples:test_cart_pendulum_kanes": 1,
    "test_system_class:TestSystemExamples:test_cart_pendulum_lagrange": 1,
    "test_system_class:TestSystemExamples:test_box_on_ground": 1,
}
"""SymPy's tests in ``sympy.physics.mechanics.tests``, and how many models each forms."""

REFUSED = {
    "test_kane:test_issue_24887": "the admissible velocity q3'=1 has no inertia",  # a point does not spin
    "test_kane2:test_sub_qdot2": "has no bodies",  # generalized active forces are all it is about
}
WARNED = {"test_kane:test_aux": "the acceleration set for the point Dmc in N is not the derivative of its velocity"}
SLOW = {"test_kane3:test_bicycle", "test_kane:test_issue_24887"}

DOCSTRINGS = {"mechanics.kane:KanesMethod": 1, "mechanics.lagrange:LagrangesMethod": 1, "mechanics.system:System": 1}
"""Docstrings of SymPy's that form equations, and how many models each forms."""


def _of_sympy(path: str, count: int, k: int) -> Peer:
    return Peer(
        f"sympy {path}" + (f" [{k}]" if count > 1 else ""),
        lambda: of_a_test(f"mechanics.tests.{path}", count)[k],
        REFUSED.get(path, ""),
        WARNED.get(path, ""),
        slow=path in SLOW,
    )


def _of_pydy(function: str, **words: Any) -> Peer:
    def make() -> Any:
        from pydy import models

        return getattr(models, function)(**words)

    said = ", ".join(f"{word}={value}" for word, value in words.items())
    return Peer(f"pydy {function}({said})", make, needs="pydy")


def _whipple(wheel: str) -> Any:
    import symbrim as sb
    from sympy import Symbol

    bicycle = sb.WhippleBicycle("bicycle")
    bicycle.ground = sb.FlatGround("ground")
    bicycle.rear_frame, bicycle.front_frame = sb.RigidRearFrame("rear_frame"), sb.RigidFrontFrame("front_frame")
    for end in ("rear", "front"):
        setattr(bicycle, f"{end}_wheel", getattr(sb, wheel)(f"{end}_wheel"))
        setattr(bicycle, f"{end}_tire", sb.NonHolonomicTire(f"{end}_tire"))
    bicycle.define_all()
    system = bicycle.to_system()
    system.apply_uniform_gravity(-Symbol("g") * bicycle.ground.get_normal(bicycle.ground.origin))
    q, u = list(bicycle.q), list(bicycle.u)
    system.q_ind, system.q_dep = [*q[:4], *q[5:]], [q[4]]
    system.u_ind, system.u_dep = [u[3], u[5], u[6]], [*u[:3], u[4], u[7]]
    system.form_eoms()
    return system


def _disc(wheel: str) -> Any:
    import symbrim as sb
    from symbrim.other.rolling_disc import RollingDisc
    from sympy import Symbol

    disc = RollingDisc("disc")
    disc.ground, disc.disc, disc.tire = (
        sb.FlatGround("ground"),
        getattr(sb, wheel)("wheel"),
        sb.NonHolonomicTire("tire"),
    )
    disc.define_all()
    system = disc.to_system()
    system.apply_uniform_gravity(-Symbol("g") * disc.ground.get_normal(disc.ground.origin))
    system.u_ind, system.u_dep = disc.u[2:], disc.u[:2]
    system.form_eoms()
    return system


PEERS = [
    *(_of_sympy(path, count, k) for path, count in TESTS.items() for k in range(count)),
    *(
        Peer(f"sympy docstring {path}", lambda path=path, count=count, k=k: of_a_docstring(path, count)[k])
        for path, count in DOCSTRINGS.items()
        for k in range(count)
    ),
    *(_of_pydy("multi_mass_spring_damper", n=n, apply_gravity=g) for n in (1, 2, 4) for g in (False, True)),
    *(_of_pydy("n_link_pendulum_on_cart", n=n, joint_torques=j) for n in (1, 2, 3) for j in (False, True)),
    *(
        Peer(f"symbrim rolling disc, {wheel}", partial(_disc, wheel), needs="symbrim", slow=True)
        for wheel in ("KnifeEdgeWheel", "ToroidalWheel")
    ),
    Peer("symbrim Whipple bicycle, KnifeEdgeWheel", partial(_whipple, "KnifeEdgeWheel"), needs="symbrim", slow=True),
]
