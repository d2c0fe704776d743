"""Balls, and other round bodies, that roll on planes, turntables and walls. A new one is one new file and one new line here."""

from anholonomy.catalogue.balls.rolling_ball import *
from anholonomy.catalogue.balls.ball_on_turntable import *
from anholonomy.catalogue.balls.ball_on_inclined_turntable import *
from anholonomy.catalogue.balls.ball_in_cylinder import *
from anholonomy.catalogue.balls.chaplygin_ball import *
from anholonomy.catalogue.balls.rubber_ball import *
from anholonomy.catalogue.balls.routh_sphere import *
from anholonomy.catalogue.balls.rattleback import *
