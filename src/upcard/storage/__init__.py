"""Durable files: atomic replacement, append-only JSON lines with checksums, one writer at a time."""
