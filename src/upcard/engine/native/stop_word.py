"""The word of a workspace that asks machine code to return; kernels and games check it."""

STOP = 37
"""Its index; `lower.runtime.WORK_WORDS` has it there."""
