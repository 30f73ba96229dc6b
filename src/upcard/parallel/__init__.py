"""Parallel work over ranges of deals, in order, with the same result for any number of processes.

Modules:
    child_signals  Signals of child processes: programs start with default actions, whatever this process
                   ignores.
    cores          Number of cores that this process may use.
    pool           Process pool: splits a range into pieces and yields their results in order.
    slices         Thread pool: cuts a range into slices that take about equally long and yields their
                   results in order.
"""
