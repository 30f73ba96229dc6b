"""A property computed once, without a lock.

`functools.cached_property` of Python 3.11 holds a lock while it computes. A process forked while another
thread holds that lock waits for ever. Here two threads may compute the same value; the first is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

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
