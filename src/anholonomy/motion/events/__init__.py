"""Events: the times at which a function of the motion passes through zero."""
