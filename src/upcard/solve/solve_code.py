"""The compiled kernels that solve; one module for all games."""

from __future__ import annotations

import ctypes

from upcard.engine.native.backends.select import Backend, check_reach, once_per_backend
from upcard.engine.native.kernels import random_numbers
from upcard.engine.native.kernels.loaded_kernels import load_kernels
from upcard.solve import regret_update, sampled_walk

INT, PTR, FLOAT = ctypes.c_int64, ctypes.c_void_p, ctypes.c_double


class SolveCode:
    """Functions with the names and arguments of the kernels."""

    def __init__(self, backend: Backend) -> None:
        check_reach(backend)
        kernels = (random_numbers.next_word, *regret_update.KERNELS, *sampled_walk.KERNELS)
        self._loaded = load_kernels("solve", kernels, backend=backend)
        function = self._loaded.function
        self.iterate = function("iterate", INT, PTR, INT)
        self.sample = function("sample", INT, PTR, INT)
        self.set_average = function("set_average", INT, PTR)
        self.set_mean = function("set_mean", INT, PTR)
        self.expected_payoff = function("expected_payoff", FLOAT, PTR, INT)
        self.best_response = function("best_response", FLOAT, PTR, INT)


solve_code = once_per_backend(SolveCode)


class KernelsInPython:
    """The same kernels under CPython: slow, and what tests compare machine code with."""

    iterate = staticmethod(regret_update.iterate)
    sample = staticmethod(sampled_walk.sample)
    set_average = staticmethod(regret_update.set_average)
    set_mean = staticmethod(regret_update.set_mean)
    expected_payoff = staticmethod(regret_update.expected_payoff)
    best_response = staticmethod(regret_update.best_response)
