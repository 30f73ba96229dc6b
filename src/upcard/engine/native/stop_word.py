"""The word of a workspace that asks machine code to come back: kernels and games both look at it."""

STOP = 37
"""Its index; `lower.runtime.WORK_WORDS` has it there."""
