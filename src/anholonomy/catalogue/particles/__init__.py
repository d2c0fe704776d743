"""Particles, some in spaces of any dimension, whose velocities are tied. A new one is one new file and one new line here."""

from anholonomy.catalogue.particles.free_particle import *
from anholonomy.catalogue.particles.affine_particle import *
from anholonomy.catalogue.particles.heisenberg import *
from anholonomy.catalogue.particles.generalized_heisenberg import *
from anholonomy.catalogue.particles.martinet import *
from anholonomy.catalogue.particles.engel import *
from anholonomy.catalogue.particles.contact_particle import *
from anholonomy.catalogue.particles.nonholonomic_oscillator import *
from anholonomy.catalogue.particles.appell_hamel import *
from anholonomy.catalogue.particles.constant_speed import *
from anholonomy.catalogue.particles.benenti import *
