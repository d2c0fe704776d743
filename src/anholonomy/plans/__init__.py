"""Plans: the cheapest admissible motion between two states, by collocation, with bounds and obstacles, verified by integration."""
