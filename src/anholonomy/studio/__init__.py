"""The studio: a local page on which systems are picked or typed, dragged and watched; the server never computes, its workers do."""
