"""Durable files: atomic replacement, append-only JSON lines with checksums, one writer at a time.

Modules:
    arrow_table   Arrow tables: columns with declared types, metadata that says what they hold, and
                  parquet files of them.
    atomic_write  Replaces files atomically: a full disk, a crash or Ctrl-C leaves the old contents or the
                  new.
    jsonl         Append-only JSON lines with checksums: records that survive crashes and detect damage.
    lock          Advisory file locks: one writer among all processes.
    os_faults     Tells errors of the machine (full disk, no memory) from errors of the user.
"""
