"""Prints a WebAssembly module in the text format: what `module_writer` wrote, instruction by instruction."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from upcard.engine.native.backends.wasm import binary_format as binary
from upcard.engine.native.backends.wasm.binary_format import OPCODES, PREFIX, WIDE_OPCODES

_TYPES = {binary.I32: "i32", binary.I64: "i64", binary.F64: "f64"}
_NAMES = {code: (name, kind) for name, (code, kind) in OPCODES.items()}
_WIDE_NAMES = {code: (name, len(rest)) for name, (code, rest) in WIDE_OPCODES.items()}


def to_wat(wasm: bytes) -> str:
    """The text of a module; `wat2wasm` gives the same bytes."""
    return "\n".join(["(module", *_Reader(wasm).lines(), ")", ""])


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0
        self.types: list[str] = []
        self.functions: list[int] = []

    # --- pieces ---------------------------------------------------------------------------------

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def number(self) -> int:
        value, self.at = binary.read_unsigned(self.data, self.at)
        return value

    def signed(self) -> int:
        begin = self.at
        value = self.number()
        bits = 7 * (self.at - begin)
        return value - (1 << bits) if value >> (bits - 1) & 1 else value

    def bytes(self, count: int) -> bytes:
        self.at += count
        return self.data[self.at - count : self.at]

    def name(self) -> str:
        return self.bytes(self.number()).decode()

    def types_of(self, word: str) -> str:
        found = [_TYPES[self.byte()] for _ in range(self.number())]
        return f" ({word} {' '.join(found)})" if found else ""

    # --- sections -------------------------------------------------------------------------------

    def lines(self) -> Iterator[str]:
        self.at = len(binary.MAGIC)
        sections = {
            binary.CUSTOM: self.custom,
            binary.TYPE: self.type_section,
            binary.IMPORT: self.imports,
            binary.FUNCTION: self.function_section,
            binary.EXPORT: self.exports,
            binary.ELEMENT: self.elements,
            binary.CODE: self.code,
            binary.DATA: self.data_section,
        }
        while self.at < len(self.data):
            section, size = self.byte(), self.number()
            end = self.at + size
            yield from sections[section](end)
            self.at = end

    def custom(self, end: int) -> Iterator[str]:
        name = self.name()
        yield f'  (@custom "{name}" (before first) "{_quoted(self.data[self.at : end])}")'

    def type_section(self, end: int) -> Iterator[str]:
        for number in range(self.number()):
            self.byte()
            self.types.append(f"{self.types_of('param')}{self.types_of('result')}")
            yield f"  (type (;{number};) (func{self.types[-1]}))"

    def imports(self, end: int) -> Iterator[str]:
        for _ in range(self.number()):
            place, name, kind = self.name(), self.name(), self.byte()
            if kind == 1:
                self.byte()
                what = f"(table {self.limits()} funcref)"
            elif kind == 2:
                what = f"(memory {self.limits()})"
            else:
                what = f"(global {_TYPES[self.byte()]})"
                self.byte()
            yield f'  (import "{place}" "{name}" {what})'

    def limits(self) -> str:
        flags, least = self.byte(), self.number()
        most = f" {self.number()}" if flags & 1 else ""
        return f"{least}{most}{' shared' if flags & 2 else ''}"

    def function_section(self, end: int) -> Iterator[str]:
        self.functions = [self.number() for _ in range(self.number())]
        yield from ()

    def exports(self, end: int) -> Iterator[str]:
        for _ in range(self.number()):
            name, _kind, number = self.name(), self.byte(), self.number()
            yield f'  (export "{name}" (func {number}))'

    def elements(self, end: int) -> Iterator[str]:
        self.number()
        self.byte()
        place = self.place()
        functions = " ".join(str(self.number()) for _ in range(self.number()))
        yield f"  (elem {place} func {functions})"

    def place(self) -> str:
        self.byte()
        number = self.number()
        self.byte()
        return f"(offset global.get {number})"

    def data_section(self, end: int) -> Iterator[str]:
        self.number()
        self.byte()
        place = self.place()
        yield f'  (data {place} "{_quoted(self.bytes(self.number()))}")'

    # --- code -----------------------------------------------------------------------------------

    def code(self, end: int) -> Iterator[str]:
        self.number()
        for number, of_type in enumerate(self.functions):
            after = self.number() + self.at
            yield f"  (func (;{number};) (type {of_type}){self.types[of_type]}"
            declared = [(self.number(), _TYPES[self.byte()]) for _ in range(self.number())]
            if declared:
                yield "    (local " + " ".join(" ".join([kind] * count) for count, kind in declared) + ")"
            pad = "    "
            while self.at < after - 1:
                text = self.instruction()
                word = text.partition(" ")[0]
                if word in ("end", "else"):
                    pad = pad[2:]
                yield pad + text
                if word in ("block", "loop", "if", "else"):
                    pad += "  "
            self.at = after
            yield "  )"

    def instruction(self) -> str:
        opcode = self.byte()
        if opcode == PREFIX:
            name, rest = _WIDE_NAMES[self.number()]
            self.bytes(rest)
            return name
        name, kind = _NAMES[opcode]
        if not kind:
            return name
        return f"{name}{self.immediates(name, kind)}"

    def immediates(self, name: str, kind: str) -> str:
        if kind == "type":
            of_type = self.byte()
            return "" if of_type == binary.EMPTY else f" (result {_TYPES[of_type]})"
        if kind == "index":
            return f" {self.number()}"
        if kind == "number":
            return f" {self.signed()}"
        if kind == "float":
            value = struct.unpack("<d", self.bytes(8))[0]
            return f" {value.hex() if value == value and abs(value) != float('inf') else value}"
        if kind == "table":
            return "".join(f" {self.number()}" for _ in range(self.number() + 1))
        if kind == "call":
            of_type = self.number()
            self.number()
            return f" (type {of_type})"
        alignment, offset = self.number(), self.number()
        digits = "".join(filter(str.isdigit, name.partition(".")[2])) or name[1:3]
        usual = int(digits).bit_length() - 4
        where = f" offset={offset}" if offset else ""
        return where + (f" align={1 << alignment}" if alignment != usual else "")


def _quoted(data: bytes) -> str:
    return "".join(chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\{byte:02x}" for byte in data)
