"""Many motions at once: starts in arrays, integration side by side on every core, sweeps that survive being killed, and their charts."""
