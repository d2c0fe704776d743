"""The same system written shorter: seen from space, and with constraints without common factors."""
