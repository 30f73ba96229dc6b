"""Modules of kernels as machine code, compiled once for all games.

The key in the object cache is that of the sources and of the kernels' bytecode, not of the text they are
compiled to: a process that finds the object neither parses the kernels nor writes their text. Bytecode tells
apart kernels that a test puts in the place of others.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from typing import Any

from upcard.engine.native import cache
from upcard.engine.native.backends.select import Backend, Loaded, choose_backend

OWN = ("engine", "recycle")
"""Packages that every kernel may take constants and structs from."""


def load_kernels(
    name: str,
    functions: Iterable[Callable[..., Any]],
    exported: Iterable[Callable[..., Any]] | None = None,
    apart: Collection[Callable[..., Any]] = (),
    backend: Backend | None = None,
) -> Loaded:
    """Kernels that may call each other; all are exported unless `exported` says which.

    `apart` are those whose pointers never lead to the same memory, so that a compiler may copy as it likes.
    """
    kernels, used = tuple(functions), backend or choose_backend()
    homes = [kernel.__module__.split(".") for kernel in kernels]
    packages = {home[1] for home in homes if home[0] == "upcard"}
    sources = cache.code_digest(*sorted(packages.union(OWN)))
    key = cache.key_of("kernels", name, sources, *map(_bytecode, kernels), *used.identity)
    return used.load(cache.get_or_compile(key, lambda: _compiled(name, kernels, exported, apart, used)))


def _bytecode(kernel: Callable[..., Any]) -> str:
    code = kernel.__code__
    return f"{kernel.__qualname__} {code.co_code.hex()} {code.co_consts} {code.co_names}"


def _compiled(
    name: str,
    functions: Iterable[Callable[..., Any]],
    exported: Iterable[Callable[..., Any]] | None,
    apart: Collection[Callable[..., Any]],
    backend: Backend,
) -> bytes:
    from upcard.engine.native.kernels.compiler import compile_kernels

    module = compile_kernels(name, functions, exported=exported)
    for kernel in apart:
        module.functions[kernel.__name__] = replace(module.functions[kernel.__name__], apart=True)
    return backend.compile(backend.text(module))
