"""What stays constant along motions: momenta, conserved quantities, moving energies, closed forms."""
