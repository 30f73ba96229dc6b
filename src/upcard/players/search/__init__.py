"""Search players: Monte Carlo search over determinizations, flat and as a tree."""
