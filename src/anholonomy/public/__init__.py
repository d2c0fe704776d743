"""The classes with methods: `System`, `Equations`, `Motion`, `Ensemble`, and the accessors of a system."""
