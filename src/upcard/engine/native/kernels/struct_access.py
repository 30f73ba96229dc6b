"""Struct access in kernels: where fields and elements lie, and which struct a pointer leads to."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, TypeAlias

from upcard.engine.native import ir
from upcard.engine.native.kernels.structs import Shape, Struct

StructType: TypeAlias = type[Struct] | None
"""The struct that a pointer leads to, where that is known."""


class NotInSubset(Exception):
    """A kernel uses more of Python than there is here."""


@dataclass(frozen=True)
class Place:
    """A field or an element of a struct: an offset in bytes from a pointer."""

    base: ir.Expr
    offset: int
    shape: Shape
    count: int | None = None
    """Elements, if it is an array as a whole."""
    element: ir.Expr | None = None
    """Number of words to go on from the offset, where it is computed."""

    @property
    def index(self) -> ir.Expr:
        """In elements of its width, as the index of `i64(p, n)`."""
        first = ir.Const(self.offset // 8)
        if self.element is None:
            return first
        return ir.Binary("add", self.element, first) if self.offset else self.element

    @property
    def pointer(self) -> ir.Expr:
        return ir.Offset(self.base, ir.Const(self.offset)) if self.offset else self.base

    @property
    def is_scalar(self) -> bool:
        return self.count is None and self.shape.width is not None


class StructAccess(ABC):
    """The part of a kernel's compiler that knows structs."""

    types: dict[str, ir.Type]
    """Of the kernel's locals."""
    structs: dict[str, type[Struct]]
    """That the kernel's module names."""
    local_structs: dict[str, StructType]
    """Of locals that are pointers."""

    @abstractmethod
    def expr(self, node: ast.expr) -> ir.Expr: ...

    @abstractmethod
    def refused(self, node: Any, why: str) -> NotInSubset: ...

    @abstractmethod
    def returned_struct(self, name: str) -> StructType:
        """The struct that a call of this name gives a pointer to."""

    def store(self, target: ast.Attribute | ast.Subscript, made: ir.Expr, value: ast.expr) -> ir.Stmt:
        place = self.place(target)
        text = ast.unparse(target)
        if not place.is_scalar or place.shape.width is None:
            raise self.refused(target, f"{text} is no single value, so it is not assigned as a whole")
        if made.type != ir.value_type(place.shape.width):
            raise self.refused(target, f"{text} is {ir.value_type(place.shape.width)}, not {made.type}")
        self.expect(place.shape.struct, value)
        return ir.Store(place.shape.width, place.base, place.index, made)

    def field(self, node: ast.Attribute | ast.Subscript) -> ir.Expr:
        """The value of a field or an element; of what lies inside, where it begins."""
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            named = self.structs.get(node.value.id)
            if named is not None and node.value.id not in self.types:
                if node.attr != "size":
                    raise self.refused(node, f"of a struct itself, {node.value.id}.size is known")
                return ir.Const(named.size)
        place = self.place(node)
        if place.count is None and place.shape.width is not None:
            return ir.Load(place.shape.width, place.base, place.index)
        return place.pointer

    def place(self, node: ast.expr) -> Place:
        """Where a field or an element lies; structs inside others become one offset."""
        if isinstance(node, ast.Subscript):
            array = self.place(node.value)
            if array.count is None:
                raise self.refused(node, f"{ast.unparse(node.value)} is no array")
            number = self.expr(node.slice)
            if number.type != "int":
                raise self.refused(node, "elements are numbered by Int")
            return self.element(node, array, number)
        if not isinstance(node, ast.Attribute):
            raise self.refused(node, "fields belong to structs, elements to arrays in them")
        inside = self.place(node.value) if isinstance(node.value, ast.Attribute | ast.Subscript) else None
        if inside is not None and not inside.is_scalar and inside.count is None:
            owner, base, offset = inside.shape.struct, inside.base, inside.offset
        else:
            owner, base, offset = self.leads_to(node.value), self.expr(node.value), 0
        if owner is None:
            raise self.refused(node, f"{ast.unparse(node.value)} is no struct, so it has no fields")
        field = owner.fields.get(node.attr)
        if field is None:
            raise self.refused(node, f"{owner.__name__} has no field {node.attr}")
        return Place(base, offset + field.offset, field.shape, field.count)

    def element(self, node: ast.Subscript, array: Place, number: ir.Expr) -> Place:
        if isinstance(number, ir.Const):
            n = int(number.value)
            if n < 0 or (array.count and n >= array.count):
                raise self.refused(node, f"{ast.unparse(node.value)} has {array.count} elements")
            return Place(array.base, array.offset + n * array.shape.size, array.shape)
        if array.shape.width is not None:
            return Place(array.base, array.offset, array.shape, None, number)
        distance = ir.Binary("mul", number, ir.Const(array.shape.size))
        return Place(ir.Offset(array.base, distance), array.offset, array.shape)

    def leads_to(self, node: ast.expr) -> StructType:
        """The struct that an expression is a pointer to."""
        if isinstance(node, ast.Name):
            return self.local_structs.get(node.id)
        if isinstance(node, ast.IfExp):
            then, other = self.leads_to(node.body), self.leads_to(node.orelse)
            return then if then is other else None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return self.returned_struct(node.func.id)
        if isinstance(node, ast.Subscript) or (
            isinstance(node, ast.Attribute) and self.leads_to(node.value) is not None
        ):
            place = self.place(node)
            return place.shape.struct if place.count is None else None
        return None

    def expect(self, wanted: StructType, node: ast.expr) -> None:
        """Refuses a pointer that is not known to lead to the struct that is wanted."""
        given = self.leads_to(node)
        if wanted is not None and given is not wanted:
            raise self.refused(
                node, f"{ast.unparse(node)} is {struct_text(given)}, not {struct_text(wanted)}"
            )


def struct_text(leads_to: StructType) -> str:
    return "no struct" if leads_to is None else leads_to.__name__
