"""Discs and wheels that roll upright, lean, or are driven. A new one is one new file and one new line here."""

from anholonomy.catalogue.discs.rolling_disk import *
from anholonomy.catalogue.discs.leaning_disc import *
from anholonomy.catalogue.discs.leaning_disc_quaternion import *
from anholonomy.catalogue.discs.disc_on_circle import *
from anholonomy.catalogue.discs.appell_machine import *
