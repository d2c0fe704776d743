"""Rigid bodies that turn about a fixed point. A new one is one new file and one new line here."""

from anholonomy.catalogue.tops.suslov import *
from anholonomy.catalogue.tops.veselova import *
from anholonomy.catalogue.tops.bilimovic import *
