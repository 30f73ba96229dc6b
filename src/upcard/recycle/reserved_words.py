"""The reserved words of RECYCLE."""

from __future__ import annotations

CLASSES = frozenset({"vloc", "iloc", "hloc", "oloc", "mem"})
"""Visibility classes of card locations (the language's section on visibility says who sees what)."""

ARITHMETIC = frozenset({"+", "-", "*", "//", "%", "^"})
COMPARISONS = frozenset({"<", ">", "<=", ">="})
EQUALITIES = frozenset({"==", "!="})
OPERATORS = ARITHMETIC | COMPARISONS | EQUALITIES

HEADS = frozenset(
    """game declare setup scoring min max stage end choice do any all let create set inc dec cycle move
    remember forget shuffle faro turn repeat top bottom actual owner other range filter union intersect
    disjunction sort run runs tuples partition subsets and or not sum score size tri fib random cardatt
    swap pid indexed scoremax scoremin deck""".split()
)
"""Words that open a form. `all`, `max`, `min`, `top`, `bottom`, `game` and `deck` also stand elsewhere."""

ONLY_HEADS = HEADS - {"all", "max", "min", "top", "bottom", "game", "deck", "player", "team"}

OTHERS = frozenset(
    """player team players teams next current previous pass points using vloc iloc hloc oloc mem new
    largest sto str""".split()
)

RESERVED = HEADS | OTHERS

ACTIONS = frozenset(
    """do any all let create set inc dec cycle move remember forget shuffle faro turn repeat swap""".split()
)
"""Words that open something to be done rather than a value; `all` and `any` open values as well."""
