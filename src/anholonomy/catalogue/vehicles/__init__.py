"""Blades and wheels over the plane: skates, sleighs, boards, trains and the bicycle. A new one is one new file and one new line here."""

from anholonomy.catalogue.vehicles.skate import *
from anholonomy.catalogue.vehicles.knife_edge import *
from anholonomy.catalogue.vehicles.chaplygin_sleigh import *
from anholonomy.catalogue.vehicles.carriage import *
from anholonomy.catalogue.vehicles.unicycle import *
from anholonomy.catalogue.vehicles.snakeboard import *
from anholonomy.catalogue.vehicles.roller_racer import *
from anholonomy.catalogue.vehicles.n_trailer import *
from anholonomy.catalogue.vehicles.off_axle_trailer import *
from anholonomy.catalogue.vehicles.whipple_bicycle import *
