"""Mutated files: every format that Upcard reads, changed in values, structure and bytes, read as commands do.

`python -m tests.mutation` is the long run by hand.
"""
