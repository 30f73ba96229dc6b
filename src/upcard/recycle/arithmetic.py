"""64-bit signed arithmetic of the language; leaving the range is an error.

One file for the checker, which folds constants, and for the engines.
"""

from __future__ import annotations

from upcard.recycle import failures

LEAST, GREATEST = -(2**63), 2**63 - 1


class NumberError(Exception):
    """A result that the language does not have."""


def checked(value: int) -> int:
    if LEAST <= value <= GREATEST:
        return value
    raise NumberError(failures.TOO_WIDE)


def combine(operator: str, a: int, b: int) -> int:
    """One step of a fold."""
    if operator == "+":
        return checked(a + b)
    if operator == "-":
        return checked(a - b)
    if operator == "*":
        return checked(a * b)
    if operator == "^":
        return _power(a, b)
    if b == 0:
        raise NumberError(failures.DIVIDED_BY_ZERO)
    # Python rounds down, the language toward zero
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return checked(quotient) if operator == "//" else a - b * quotient


def fold(operator: str, numbers: tuple[int, ...]) -> int:
    """Two or more numbers, combined from the left."""
    result = numbers[0]
    for number in numbers[1:]:
        result = combine(operator, result, number)
    return result


def _power(a: int, b: int) -> int:
    if b < 0:
        raise NumberError(failures.NEGATIVE_EXPONENT)
    if a in (0, 1, -1):
        return 1 if b == 0 else (a if a >= 0 or b % 2 else 1)
    if b > 63:
        raise NumberError(failures.TOO_WIDE)
    return checked(int(a**b))


def triangle(n: int) -> int:
    if n < 0:
        raise NumberError(failures.NEGATIVE_TRI)
    return checked(n * (n + 1) // 2)


def fibonacci(n: int) -> int:
    if n < 0:
        raise NumberError(failures.NEGATIVE_FIB)
    if n > 92:
        raise NumberError(failures.TOO_WIDE)
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a
