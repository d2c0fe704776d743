"""Classical systems, each one file, declared exactly as a user would. A new one is one new file and one new line here."""

from __future__ import annotations

from anholonomy.catalogue import affine_particle as _affine_particle
from anholonomy.catalogue import appell_hamel as _appell_hamel
from anholonomy.catalogue import appell_machine as _appell_machine
from anholonomy.catalogue import ball_in_cylinder as _ball_in_cylinder
from anholonomy.catalogue import ball_on_inclined_turntable as _ball_on_inclined_turntable
from anholonomy.catalogue import ball_on_turntable as _ball_on_turntable
from anholonomy.catalogue import benenti as _benenti
from anholonomy.catalogue import bilimovic as _bilimovic
from anholonomy.catalogue import carriage as _carriage
from anholonomy.catalogue import chaplygin_ball as _chaplygin_ball
from anholonomy.catalogue import chaplygin_sleigh as _chaplygin_sleigh
from anholonomy.catalogue import constant_speed as _constant_speed
from anholonomy.catalogue import contact_particle as _contact_particle
from anholonomy.catalogue import disc_on_circle as _disc_on_circle
from anholonomy.catalogue import engel as _engel
from anholonomy.catalogue import free_particle as _free_particle
from anholonomy.catalogue import generalized_heisenberg as _generalized_heisenberg
from anholonomy.catalogue import heisenberg as _heisenberg
from anholonomy.catalogue import knife_edge as _knife_edge
from anholonomy.catalogue import leaning_disc as _leaning_disc
from anholonomy.catalogue import leaning_disc_quaternion as _leaning_disc_quaternion
from anholonomy.catalogue import martinet as _martinet
from anholonomy.catalogue import n_trailer as _n_trailer
from anholonomy.catalogue import nonholonomic_oscillator as _nonholonomic_oscillator
from anholonomy.catalogue import off_axle_trailer as _off_axle_trailer
from anholonomy.catalogue import rattleback as _rattleback
from anholonomy.catalogue import roller_racer as _roller_racer
from anholonomy.catalogue import rolling_ball as _rolling_ball
from anholonomy.catalogue import rolling_disk as _rolling_disk
from anholonomy.catalogue import routh_sphere as _routh_sphere
from anholonomy.catalogue import rubber_ball as _rubber_ball
from anholonomy.catalogue import skate as _skate
from anholonomy.catalogue import snakeboard as _snakeboard
from anholonomy.catalogue import suslov as _suslov
from anholonomy.catalogue import unicycle as _unicycle
from anholonomy.catalogue import veselova as _veselova
from anholonomy.catalogue import whipple_bicycle as _whipple_bicycle
from anholonomy.catalogue.affine_particle import affine_particle
from anholonomy.catalogue.appell_hamel import appell_hamel
from anholonomy.catalogue.appell_machine import appell_machine
from anholonomy.catalogue.ball_in_cylinder import ball_in_cylinder
from anholonomy.catalogue.ball_on_inclined_turntable import ball_on_inclined_turntable
from anholonomy.catalogue.ball_on_turntable import ball_on_turntable
from anholonomy.catalogue.benenti import benenti
from anholonomy.catalogue.bilimovic import bilimovic
from anholonomy.catalogue.carriage import carriage
from anholonomy.catalogue.chaplygin_ball import chaplygin_ball
from anholonomy.catalogue.chaplygin_sleigh import chaplygin_sleigh
from anholonomy.catalogue.constant_speed import constant_speed
from anholonomy.catalogue.contact_particle import contact_particle
from anholonomy.catalogue.disc_on_circle import disc_on_circle
from anholonomy.catalogue.engel import engel
from anholonomy.catalogue.entry import Entry
from anholonomy.catalogue.free_particle import free_particle
from anholonomy.catalogue.generalized_heisenberg import generalized_heisenberg
from anholonomy.catalogue.heisenberg import heisenberg
from anholonomy.catalogue.knife_edge import knife_edge
from anholonomy.catalogue.leaning_disc import leaning_disc
from anholonomy.catalogue.leaning_disc_quaternion import leaning_disc_quaternion
from anholonomy.catalogue.martinet import martinet
from anholonomy.catalogue.n_trailer import n_trailer
from anholonomy.catalogue.nonholonomic_oscillator import nonholonomic_oscillator
from anholonomy.catalogue.off_axle_trailer import off_axle_trailer
from anholonomy.catalogue.rattleback import rattleback
from anholonomy.catalogue.roller_racer import roller_racer
from anholonomy.catalogue.rolling_ball import rolling_ball
from anholonomy.catalogue.rolling_disk import rolling_disk
from anholonomy.catalogue.routh_sphere import routh_sphere
from anholonomy.catalogue.rubber_ball import rubber_ball
from anholonomy.catalogue.skate import skate
from anholonomy.catalogue.snakeboard import snakeboard
from anholonomy.catalogue.suslov import suslov
from anholonomy.catalogue.unicycle import unicycle
from anholonomy.catalogue.veselova import veselova
from anholonomy.catalogue.whipple_bicycle import whipple_bicycle

__all__ = [
    "ENTRIES",
    "Entry",
    "affine_particle",
    "appell_hamel",
    "appell_machine",
    "ball_in_cylinder",
    "ball_on_inclined_turntable",
    "ball_on_turntable",
    "benenti",
    "bilimovic",
    "carriage",
    "chaplygin_ball",
    "chaplygin_sleigh",
    "constant_speed",
    "contact_particle",
    "disc_on_circle",
    "engel",
    "free_particle",
    "generalized_heisenberg",
    "heisenberg",
    "knife_edge",
    "leaning_disc",
    "leaning_disc_quaternion",
    "martinet",
    "n_trailer",
    "nonholonomic_oscillator",
    "off_axle_trailer",
    "rattleback",
    "roller_racer",
    "rolling_ball",
    "rolling_disk",
    "routh_sphere",
    "rubber_ball",
    "skate",
    "snakeboard",
    "suslov",
    "unicycle",
    "veselova",
    "whipple_bicycle",
]

_MODULES = (
    _rolling_disk,
    _free_particle,
    _knife_edge,
    _skate,
    _chaplygin_sleigh,
    _leaning_disc,
    _n_trailer,
    _disc_on_circle,
    _affine_particle,
    _carriage,
    _appell_machine,
    _appell_hamel,
    _constant_speed,
    _benenti,
    _unicycle,
    _snakeboard,
    _roller_racer,
    _off_axle_trailer,
    _heisenberg,
    _generalized_heisenberg,
    _martinet,
    _engel,
    _contact_particle,
    _nonholonomic_oscillator,
    _bilimovic,
    _rolling_ball,
    _ball_on_turntable,
    _ball_on_inclined_turntable,
    _ball_in_cylinder,
    _chaplygin_ball,
    _rubber_ball,
    _routh_sphere,
    _suslov,
    _veselova,
    _rattleback,
    _leaning_disc_quaternion,
    _whipple_bicycle,
)

ENTRIES: dict[str, Entry] = {module.ENTRY.key: module.ENTRY for module in _MODULES}
"""Every entry by the name it has at the command line."""
