"""Environments for programs that learn: many games stepped by one call of machine code.

Modules:
    slice_kernels  Kernels that step a slice of a vector environment: carry out, go on, deal again, write
                   what is seen.
    thread_team    A team of threads that call machine code at the same time, each its own part, again and
                   again.
    turn_code      Per-game functions of a vector environment: one decision to the next, without listing
                   anything twice.
    vector         Vector environments: many games of one kind, stepped by one call of machine code.
    vector_code    A game's code for vector environments, compiled once and shared by all environments of
                   the game.
"""

from upcard.rl.vector import EnvironmentMisuse, Step, VectorEnvironment, vector

__all__ = ["EnvironmentMisuse", "Step", "VectorEnvironment", "vector"]
