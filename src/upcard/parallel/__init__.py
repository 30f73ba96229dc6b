"""Parallel work over ranges of deals, in order, with the same result for any number of processes.

Modules:
    child_signals  Signals of child processes: programs start with default actions, whatever this process
                   ignores.
    cores          Number of cores that this process may use.
    pool           Process pool: splits work into ranges and yields their results in order.
"""
