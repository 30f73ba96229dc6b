"""Parallel work over ranges of deals, in order, with the same result for any number of processes.

Modules:
    cores  Number of cores that this process may use.
    pool   Process pool: splits work into ranges and yields their results in order.
"""
