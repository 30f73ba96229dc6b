"""Things made on first use: a property computed once, without a lock, and names of a package.

`functools.cached_property` of Python 3.11 holds a lock while it computes. A process forked while another
thread holds that lock waits for ever. Here two threads may compute the same value; the first is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Generic, TypeAlias, TypeVar, overload

T = TypeVar("T")


class lazy_property(Generic[T]):
    def __init__(self, compute: Callable[[Any], T]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> lazy_property[T]: ...

    @overload
    def __get__(self, instance: object, owner: type) -> T: ...

    def __get__(self, instance: object | None, owner: type) -> lazy_property[T] | T:
        if instance is None:
            return self
        known: dict[str, T] = instance.__dict__
        if self._name in known:  # reached through `super()` in a subclass
            return known[self._name]
        return known.setdefault(self._name, self._compute(instance))


LazyNames: TypeAlias = tuple[Callable[[str], Any], Callable[[], list[str]]]


def lazy_names(package: str, homes: Mapping[str, str]) -> LazyNames:
    """`__getattr__` and `__dir__` of a package whose names are imported on first use.

    `homes` says where each name comes from: a module that has the name, `module:other` for what a module
    calls by another name, or the sub-package of this name.
    """

    def __getattr__(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}", name=name)
        module, _, other = homes[name].partition(":")
        found = import_module(module)
        return found if module == f"{package}.{name}" else getattr(found, other or name)

    def __dir__() -> list[str]:
        return sorted({*(name for name in vars(import_module(package)) if name.startswith("__")), *homes})

    return __getattr__, __dir__
