"""Functions of redundant coordinates: what a group reaches from its identity, and linear algebra there."""
