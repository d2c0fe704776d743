"""Classical systems, each one file, declared exactly as a user would. A new one is one new file and one new line here."""

from __future__ import annotations

from anholonomy.catalogue import affine_particle as _affine_particle
from anholonomy.catalogue import appell_hamel as _appell_hamel
from anholonomy.catalogue import appell_machine as _appell_machine
from anholonomy.catalogue import benenti as _benenti
from anholonomy.catalogue import carriage as _carriage
from anholonomy.catalogue import chaplygin_sleigh as _chaplygin_sleigh
from anholonomy.catalogue import constant_speed as _constant_speed
from anholonomy.catalogue import disc_on_circle as _disc_on_circle
from anholonomy.catalogue import free_particle as _free_particle
from anholonomy.catalogue import knife_edge as _knife_edge
from anholonomy.catalogue import leaning_disc as _leaning_disc
from anholonomy.catalogue import n_trailer as _n_trailer
from anholonomy.catalogue import rolling_disk as _rolling_disk
from anholonomy.catalogue import skate as _skate
from anholonomy.catalogue.affine_particle import affine_particle
from anholonomy.catalogue.appell_hamel import appell_hamel
from anholonomy.catalogue.appell_machine import appell_machine
from anholonomy.catalogue.benenti import benenti
from anholonomy.catalogue.carriage import carriage
from anholonomy.catalogue.chaplygin_sleigh import chaplygin_sleigh
from anholonomy.catalogue.constant_speed import constant_speed
from anholonomy.catalogue.disc_on_circle import disc_on_circle
from anholonomy.catalogue.entry import Entry
from anholonomy.catalogue.free_particle import free_particle
from anholonomy.catalogue.knife_edge import knife_edge
from anholonomy.catalogue.leaning_disc import leaning_disc
from anholonomy.catalogue.n_trailer import n_trailer
from anholonomy.catalogue.rolling_disk import rolling_disk
from anholonomy.catalogue.skate import skate

__all__ = [
    "ENTRIES",
    "Entry",
    "affine_particle",
    "appell_hamel",
    "appell_machine",
    "benenti",
    "carriage",
    "chaplygin_sleigh",
    "constant_speed",
    "disc_on_circle",
    "free_particle",
    "knife_edge",
    "leaning_disc",
    "n_trailer",
    "rolling_disk",
    "skate",
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
)

ENTRIES: dict[str, Entry] = {module.ENTRY.key: module.ENTRY for module in _MODULES}
"""Every entry by the name it has at the command line."""
