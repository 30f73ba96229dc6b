"""Fast paths: cheaper lowerings that give the same results as the general ones."""
