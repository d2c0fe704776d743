"""Events: where a function of the motion passes through zero.

Events: where a function of the motion passes through zero, and what it may be a function of.
"""
