"""What is asked of a plan, read from a user's words: what is controlled, the cost, the limits, the two ends."""
