"""Endgame solver: optimal play when all cards are known.

Modules:
    alpha_beta           Solver kernels: alpha-beta for two sides, max-n for more.
    endgame              Solves fully known endgames: the value of every alternative under optimal play.
    exact                Players that solve the endgame in every sampled world where that is feasible.
    transposition_table  Transposition table and move ordering of the solver, as kernels.
"""
