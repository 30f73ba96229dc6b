"""Parallel work over ranges of deals, in order, with the same result for any number of processes."""
