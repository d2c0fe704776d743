"""Charts: equations in one frame, ready to run where that is regular."""
