"""Structs of the kernel language: memory whose fields have names and types.

    class Chunk(Struct):
        start: Int
        count: Int

    class Region(Struct):
        owner: Ptr                             # an address
        current: Chunk                         # a pointer to a struct
        first: Inline[Chunk]                   # a struct that lies inside this one
        chunks: Array[Chunk] = length(32)      # a fixed number of elements
        used: Int = 0                          # may be left out when it is packed
        rest: Array[Float]                     # at the end only: as many elements as the memory holds

A struct in a kernel is a pointer with a type. `region.used` is a load or a store at a fixed offset,
`Region(p)` gives a plain pointer the type, and `Region.size` is a number. A struct goes wherever a Ptr
goes; the other way takes `Region(p)`. Python fills structs with `Region.pack(...)`, reads and writes them in
a buffer or at an address with `Region.at(...)`, and gives machine code their `address`.

Every field takes 8 bytes or a multiple of it. A pointer is a plain address, for machine code and under
CPython alike. A packed struct keeps the structs that it was given; all else that it points to, and what is
assigned later, must be kept elsewhere.
"""

from __future__ import annotations

import inspect
import struct
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Generic, Self, TypeVar, cast, get_args, get_origin

from upcard.engine.native import machine_memory
from upcard.engine.native.kernels.language import Buffer, Memory, pointer, signed

if TYPE_CHECKING:  # a cached game is played without the IR
    from upcard.engine.native import ir

T = TypeVar("T")

_INLINE = "inline"
Inline = Annotated[T, _INLINE]
"""A struct that lies inside another one."""

WORD = 8
"""Bytes of every scalar."""
_FORMATS: dict[ir.Width, str] = {"i64": "<q", "f64": "<d", "ptr": "<Q"}
_NUMBERS: dict[ir.Width | None, Callable[..., None]] = {
    "i64": struct.Struct("<q").pack_into,
    "f64": struct.Struct("<d").pack_into,
    "ptr": struct.Struct("<Q").pack_into,
}
_SCALARS: dict[object, ir.Width] = {int: "i64", float: "f64", Memory: "ptr"}


class BadStruct(TypeError):
    """A struct that cannot be laid out, or values that do not fit it."""


@dataclass(frozen=True, slots=True)
class Length:
    """The number of elements of an array, written as the field's default."""

    count: int


def length(count: int) -> Any:
    return Length(count)


@dataclass(frozen=True, slots=True)
class Shape:
    """How one value lies in memory: a scalar of some width, or a struct."""

    width: ir.Width | None
    """None: a struct lies here."""
    struct: type[Struct] | None = None
    """The struct that lies here, or the one that a pointer leads to."""

    @property
    def size(self) -> int:
        return WORD if self.width is not None else cast(type[Struct], self.struct).size

    def read(self, data: Buffer, at: int) -> Any:
        if self.width is None:
            return cast(type[Struct], self.struct)(Memory(data, at))
        value = struct.unpack_from(_FORMATS[self.width], data, at)[0]
        if self.width != "ptr":
            return value
        return pointer(value) if self.struct is None else self.struct(pointer(value))

    def write(self, data: Buffer, at: int, value: Any) -> None:
        if self.width is None:
            if type(value) is not self.struct:
                raise BadStruct(f"{value!r} is no {cast(type[Struct], self.struct).__name__}")
            memoryview(data).cast("B")[at : at + self.size] = value.to_bytes()
            return
        if self.width == "ptr":
            value = value.address if isinstance(value, Memory) else value
        elif self.width == "i64":
            value = signed(value)
        struct.pack_into(_FORMATS[self.width], data, at, value)


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a struct; as a descriptor it reads and writes the field in memory."""

    name: str
    offset: int
    """In bytes."""
    shape: Shape
    count: int | None = None
    """Elements of an array, 0 where it takes all memory to the end; None: no array."""

    @property
    def size(self) -> int:
        return self.shape.size * (1 if self.count is None else self.count)

    @property
    def word(self) -> int:
        """The offset in words, as `i64` counts them."""
        return self.offset // 8

    def __get__(self, view: Struct | None, owner: type[Struct]) -> Any:
        if view is None:
            return self
        at = view._at + self.offset
        if self.count is not None:
            return Array(view.bytes, at, self.shape, self.count)
        return self.shape.read(view.bytes, at)

    def __set__(self, view: Struct, value: Any) -> None:
        at = view._at + self.offset
        if self.count is None and self.shape.width in _NUMBERS:
            try:
                _NUMBERS[self.shape.width](view.bytes, at, value)
                return
            except struct.error:
                pass  # it wraps around, is memory, or is no number
        if self.count is None:
            self.shape.write(view.bytes, at, value)
        else:
            Array[Any](view.bytes, at, self.shape, self.count).fill(value)


class Array(Memory, Generic[T]):
    """The elements of a field; as a pointer, the first of them."""

    __slots__ = ("_count", "_shape")

    def __init__(self, data: Buffer, at: int, shape: Shape, count: int) -> None:
        super().__init__(data, at)
        self._shape = shape
        self._count = count

    def _place(self, index: int) -> int:
        if index < 0 or (self._count and index >= self._count):
            raise IndexError(f"element {index} of an array of {self._count or 'any number'}")
        return self._at + index * self._shape.size

    def __getitem__(self, index: int) -> T:
        return cast(T, self._shape.read(self.bytes, self._place(index)))

    def __setitem__(self, index: int, value: T) -> None:
        self._shape.write(self.bytes, self._place(index), value)

    def __len__(self) -> int:
        if not self._count:
            raise TypeError("an array to the end of the memory has no length")
        return self._count

    def __iter__(self) -> Iterator[T]:
        return (self[index] for index in range(len(self)))

    def fill(self, values: Iterable[T]) -> None:
        """Writes the first elements."""
        given = list(values)
        if given:
            self._place(len(given) - 1)
        if self._shape.width in ("i64", "f64"):
            form = _FORMATS[self._shape.width][1]
            struct.pack_into(f"<{len(given)}{form}", self.bytes, self._at, *given)
        else:
            for index, value in enumerate(given):
                self[index] = value


class _StructMeta(type):
    """Leaves no room for other attributes than fields, so that a misspelt field is an error."""

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> _StructMeta:
        return super().__new__(cls, name, bases, {"__slots__": (), **namespace})


class Struct(Memory, metaclass=_StructMeta):
    """Base of all structs: see the module's docstring."""

    __slots__ = ("_kept",)

    _kept: tuple[Memory, ...]
    """What a packed struct points to."""
    fields: ClassVar[dict[str, Field]] = {}
    size: ClassVar[int] = 0
    """In bytes, without an array to the end of the memory."""

    def __init__(self, p: Memory) -> None:
        super().__init__(p.bytes, p._at)

    def __init_subclass__(cls) -> None:
        if cls.__mro__[1] is not Struct:
            raise BadStruct(f"{cls.__name__}: a struct is derived from Struct only")
        cls.fields, cls.size = {}, 0
        defaults: dict[str, Any] = {}
        for field in _fields(cls, defaults):
            cls.fields[field.name] = field
            cls.size = field.offset + field.size
            setattr(cls, field.name, field)
        if not cls.fields:
            raise BadStruct(f"{cls.__name__} has no fields")
        _layouts[cls] = _Layout(cls, defaults)

    @classmethod
    def at(cls, where: Buffer | int, offset: int = 0) -> Self:
        """The struct that lies in a buffer or at an address."""
        if isinstance(where, int):
            return cls(pointer(where + offset))
        with memoryview(where) as view:
            if offset < 0 or offset + cls.size > view.nbytes:
                raise BadStruct(
                    f"{cls.__name__} takes {cls.size} bytes, and {view.nbytes - offset} are there"
                )
        return cls(Memory(where, offset))

    @classmethod
    def pack(cls, **values: Any) -> Self:
        """A new struct. Fields without a default must be given; arrays and inline structs begin as zeros."""
        if not values.keys() <= cls.fields.keys():
            raise BadStruct(
                f"{cls.__name__} has no field {', '.join(sorted(values.keys() - cls.fields.keys()))}"
            )
        layout = _layouts[cls]
        given = {**layout.defaults, **values}
        if not given.keys() >= layout.scalars.keys():
            raise BadStruct(f"{cls.__name__} needs {', '.join(sorted(layout.scalars.keys() - given.keys()))}")
        others = [name for name in layout.others if name in given]
        extra = 0
        for name in others:
            if cls.fields[name].count == 0:
                given[name] = list(given[name])
                extra = len(given[name]) * cls.fields[name].shape.size
        data = machine_memory.buffer(cls.size + extra)
        packed = cls(Memory(data))
        kept: list[Memory] = []
        try:
            # all scalars at once: a search packs several structs for every decision
            for name in layout.pointers:
                if isinstance(given[name], Memory):
                    kept.append(given[name])
                    given[name] = given[name].address
            layout.codec.pack_into(data, 0, *[given[name] for name in layout.scalars])
        except (struct.error, TypeError):
            others = list(given)  # one by one: numbers wrap around, and an error has a name
        for name in others:
            try:
                setattr(packed, name, given[name])
            except (struct.error, TypeError, IndexError) as error:
                raise BadStruct(f"{cls.__name__}.{name}: {error}") from None
        packed._kept = tuple(kept)
        return packed

    def update(self, **values: Any) -> None:
        """Assigns fields; pointers may be given as addresses."""
        for name, value in values.items():
            setattr(self, name, value)

    def to_bytes(self) -> bytes:
        """A copy of the struct, without an array to the end of the memory."""
        return bytes(memoryview(self.bytes).cast("B")[self._at : self._at + self.size])


class _Layout:
    """What packing a struct needs to know of it."""

    def __init__(self, cls: type[Struct], defaults: dict[str, Any]) -> None:
        self.defaults = defaults
        self.scalars = {
            name: field
            for name, field in cls.fields.items()
            if field.count is None and field.shape.width is not None
        }
        self.pointers = [name for name, field in self.scalars.items() if field.shape.width == "ptr"]
        self.others = [name for name in cls.fields if name not in self.scalars]
        # what lies between the scalars is skipped
        self.codec = struct.Struct(
            "<"
            + "".join(
                f"{field.size}x"
                if field.shape.width is None or field.count is not None
                else _FORMATS[field.shape.width][1]
                for field in cls.fields.values()
            )
        )


_layouts: dict[type[Struct], _Layout] = {}


def _fields(cls: type[Struct], defaults: dict[str, Any]) -> Iterator[Field]:
    """The fields of a struct, checked; their defaults are noted."""
    try:
        annotated = inspect.get_annotations(cls, eval_str=True)
    except NameError as error:
        raise BadStruct(f"{cls.__name__}: {error}; structs are defined in modules, in order") from None
    at = 0
    is_open = ""
    for name, annotation in annotated.items():
        if is_open:
            raise BadStruct(f"{cls.__name__}.{is_open} has no length, so it must be the last field")
        if name.startswith("_") or hasattr(Struct, name):
            raise BadStruct(f"{cls.__name__}.{name}: this name is taken")
        default = cls.__dict__.get(name)
        shape, is_array = _shape(annotation)
        if shape is None:
            raise BadStruct(
                f"{cls.__name__}.{name}: fields are Int, Float, Ptr, structs, Inline[struct] or Array[type]"
            )
        count = None
        if is_array:
            if default is not None and (not isinstance(default, Length) or default.count < 1):
                raise BadStruct(f"{cls.__name__}.{name}: an array's default is its length, from 1 on")
            count = default.count if default is not None else 0
            is_open = "" if count else name
        elif default is not None:
            if shape.width not in ("i64", "f64") or not isinstance(default, int | float):
                raise BadStruct(f"{cls.__name__}.{name}: only numbers have defaults")
            defaults[name] = default
        field = Field(name, at, shape, count)
        yield field
        at += field.size


def _shape(annotation: Any) -> tuple[Shape | None, bool]:
    """What an annotation means, and whether it is an array of it."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Array:
        shape, nested = _shape(arguments[0])
        if shape is None or nested:
            return None, True
        if shape.struct is not None:  # elements lie in the array
            shape = Shape(None, shape.struct)
        return shape, True
    if origin is Annotated and arguments[1:] == (_INLINE,):
        is_struct = isinstance(arguments[0], type) and issubclass(arguments[0], Struct)
        return (Shape(None, arguments[0]) if is_struct else None), False
    if isinstance(annotation, type) and issubclass(annotation, Struct):
        return Shape("ptr", annotation), False
    return (Shape(_SCALARS[annotation]) if annotation in _SCALARS else None), False
