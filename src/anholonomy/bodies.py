"""Parts of machines: rigid bodies, joints, contacts with supports, and loads."""

from anholonomy.system.bodies import *
