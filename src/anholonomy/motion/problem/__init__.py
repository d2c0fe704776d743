"""Initial-value problems on the constraints, checked before anything is computed."""
