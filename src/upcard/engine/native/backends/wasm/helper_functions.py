"""Operations of the IR that WebAssembly has no instruction for, as functions of a module.

Nothing here fails: the quotient of a division by 0, which no program reaches, is 0.
"""

from __future__ import annotations

from dataclasses import dataclass

from upcard.engine.native.backends.wasm.binary_format import I32, I64, OP, OPCODES, signed, unsigned

_TYPES = {"i32": I32, "i64": I64}


@dataclass(frozen=True)
class Helper:
    signature: tuple[tuple[int, ...], tuple[int, ...]]
    body: bytes


def _helper(text: str, result: int = I64, extra: int = 0) -> Helper:
    """A function of two integers, 0 and 1, and some more locals, from instructions in the text format."""
    code = bytearray()
    words = text.split()
    while words:
        name = words.pop(0)
        code += OP[name]
        kind = OPCODES[name][1]
        if kind == "index":
            code += unsigned(int(words.pop(0)))
        elif kind == "number":
            code += signed(int(words.pop(0)))
        elif kind == "type":
            code.append(_TYPES.get(words[0], 0x40) if words else 0x40)
            if words and words[0] in _TYPES:
                words.pop(0)
    code += OP["end"]
    declared = b"\1" + unsigned(extra) + bytes((I64,)) if extra else b"\0"
    return Helper(((I64, I64), (result,)), declared + bytes(code))


_UMULH = """
    local.get 0 i64.const 32 i64.shr_u local.set 2
    local.get 0 i64.const 4294967295 i64.and local.set 0
    local.get 1 i64.const 32 i64.shr_u local.set 3
    local.get 1 i64.const 4294967295 i64.and local.set 1
    local.get 2 local.get 1 i64.mul
    local.get 0 local.get 1 i64.mul i64.const 32 i64.shr_u
    i64.add local.set 4
    local.get 2 local.get 3 i64.mul
    local.get 4 i64.const 32 i64.shr_u i64.add
    local.get 0 local.get 3 i64.mul
    local.get 4 i64.const 4294967295 i64.and i64.add
    i64.const 32 i64.shr_u i64.add
"""
"""In halves of 32 bits."""

_SMUL_OVER = """
    local.get 0 i64.extend32_s local.get 0 i64.eq
    local.get 1 i64.extend32_s local.get 1 i64.eq
    i32.and
    if i32.const 0 return end
    local.get 0 i64.eqz if i32.const 0 return end
    local.get 0 i64.const -1 i64.eq
    if local.get 1 i64.const -9223372036854775808 i64.eq return end
    local.get 0 local.get 1 i64.mul local.get 0 i64.div_s
    local.get 1 i64.ne
"""

HELPERS = {
    "umulh": _helper(_UMULH, extra=3),
    "smul_over": _helper(_SMUL_OVER, I32),
    **{
        op: _helper(
            f"""
            local.get 1 i64.eqz if i64.const 0 return end
            local.get 1 i64.const -1 i64.eq if {by_minus_one} return end
            local.get 0 local.get 1 {instruction}
            """
        )
        for op, instruction, by_minus_one in (
            ("sdiv", "i64.div_s", "i64.const 0 local.get 0 i64.sub"),
            ("srem", "i64.rem_s", "i64.const 0"),
        )
    },
    **{
        op: _helper(f"local.get 1 i64.eqz if i64.const 0 return end local.get 0 local.get 1 {instruction}")
        for op, instruction in (("udiv", "i64.div_u"), ("urem", "i64.rem_u"))
    },
}
