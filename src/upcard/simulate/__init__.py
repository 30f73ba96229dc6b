"""Random games in bulk: sums, and traces decision by decision."""
