"""Special values of parameters: where the equations for integrals lose rank, and which laws hold there alone."""
