"""Systems reduced by directions that nothing depends on, and by symmetries: bundles, reduced systems, momentum maps."""
