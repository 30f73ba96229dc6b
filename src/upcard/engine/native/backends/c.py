"""C backend: IR to C text, as a second opinion for tests, for sanitizers, and for reading.

The text is freestanding: it includes only stdint.h and calls only itself and the compiler's builtins. Signed
arithmetic is done on unsigned numbers, where C defines wrap-around.
"""

from __future__ import annotations

from collections.abc import Iterator

from upcard.engine.native import ir

PREFIX = "upcard_"
"""Of every name, so that no function hides one of the system's."""

_TYPES: dict[ir.Type, str] = {"int": "int64_t", "float": "double", "ptr": "uint8_t *"}
_WIDTHS: dict[ir.Width, str] = {
    "u8": "uint8_t",
    "u16": "uint16_t",
    "u32": "uint32_t",
    "i64": "int64_t",
    "f64": "double",
    "ptr": "uint8_t *",
}

_PRELUDE = """#include <stdint.h>
#define U(x) ((uint64_t)(x))
#define I(x) ((int64_t)(x))
#define ANYWHERE __attribute__((aligned(1)))
typedef uint8_t any_uint8_t;
typedef uint16_t any_uint16_t ANYWHERE;
typedef uint32_t any_uint32_t ANYWHERE;
typedef int64_t any_int64_t ANYWHERE;
static inline int64_t op_shl(int64_t a, int64_t b) { return I(U(a) << (b & 63)); }
static inline int64_t op_lshr(int64_t a, int64_t b) { return I(U(a) >> (b & 63)); }
static inline int64_t op_ashr(int64_t a, int64_t b) { return a >> (b & 63); }
static inline int64_t op_sdiv(int64_t a, int64_t b) { return b == -1 ? I(0 - U(a)) : a / b; }
static inline int64_t op_srem(int64_t a, int64_t b) { return b == -1 ? 0 : a % b; }
static inline int64_t op_umulh(int64_t a, int64_t b) { return I(((unsigned __int128)U(a) * U(b)) >> 64); }
static inline int64_t op_ctz(int64_t a) { return a ? __builtin_ctzll(U(a)) : 64; }
#ifdef __BMI2__
static inline int64_t op_nth_bit(int64_t a, int64_t n)
{ return op_ctz(I(__builtin_ia32_pdep_di(1ULL << (n & 63), U(a)))); }
#else
static inline int64_t op_nth_bit(int64_t a, int64_t n)
{ for (n &= 63; n > 0 && a; n--) a &= I(U(a) - 1); return op_ctz(a); }
#endif
static inline int64_t op_sadd_over(int64_t a, int64_t b)
{ int64_t r; return __builtin_add_overflow(a, b, &r); }
static inline int64_t op_ssub_over(int64_t a, int64_t b)
{ int64_t r; return __builtin_sub_overflow(a, b, &r); }
static inline int64_t op_smul_over(int64_t a, int64_t b)
{ int64_t r; return __builtin_mul_overflow(a, b, &r); }
static inline int64_t op_clz(int64_t a) { return a ? __builtin_clzll(U(a)) : 64; }
"""

_INFIX = {"and": "&", "or": "|", "xor": "^"}
_WRAPPING = {"add": "+", "sub": "-", "mul": "*"}
_SIGNED = {"eq": "==", "ne": "!=", "slt": "<", "sle": "<=", "sgt": ">", "sge": ">="}
_UNSIGNED = {"ult": "<", "ule": "<=", "ugt": ">", "uge": ">="}
_FLOATS = {"fadd": "+", "fsub": "-", "fmul": "*", "fdiv": "/"}
_FLOAT_TESTS = {"feq": "==", "fne": "!=", "flt": "<", "fle": "<=", "fgt": ">", "fge": ">="}


def to_c(module: ir.Module) -> str:
    lines = [_PRELUDE]
    for name, data in module.data.items():
        values = ",".join(map(str, data)) or "0"
        lines.append(f"static const uint8_t {PREFIX}{name}[] __attribute__((aligned(16))) = {{{values}}};")
    functions = module.functions.values()
    lines += [f"{_signature(function)};" for function in functions]
    for function in functions:
        lines += ["", *_function(function)]
    return "\n".join(lines) + "\n"


def _name(local: ir.Local) -> str:
    """A unique C identifier, never a keyword: names in kernels have no dots."""
    return local.name.replace(".", "__") + "_"


def _signature(function: ir.Function) -> str:
    pointer = "uint8_t *restrict" if function.apart else "uint8_t *"
    parameters = ", ".join(
        f"{pointer if p.type == 'ptr' else _TYPES[p.type]} {_name(p)}" for p in function.parameters
    )
    parameters = parameters or "void"
    linkage = "" if function.exported else "static "
    linkage += "__attribute__((noinline, cold)) " if function.rare else ""
    return f"{linkage}{_TYPES[function.result]} {PREFIX}{function.name}({parameters})"


def _function(function: ir.Function) -> Iterator[str]:
    yield f"{_signature(function)} {{"
    for local in function.locals:
        yield f"  {_TYPES[local.type]} {_name(local)} = 0;"
    yield from _block(function.body, "  ")
    yield "}"


def _block(body: tuple[ir.Stmt, ...], pad: str) -> Iterator[str]:
    for stmt in body:
        if isinstance(stmt, ir.Assign):
            yield f"{pad}{_name(stmt.local)} = {_expr(stmt.value)};"
        elif isinstance(stmt, ir.Store):
            kind = _WIDTHS[stmt.width]
            cell = _cell(stmt.width, stmt.base, stmt.index, anywhere=stmt.kind == "bytes")
            yield f"{pad}{cell} = ({kind}){_expr(stmt.value)};"
        elif isinstance(stmt, ir.Spread):
            yield from _spread(stmt, pad)
        elif isinstance(stmt, ir.Prefetch):
            yield f"{pad}__builtin_prefetch({_expr(stmt.base)} + {_expr(stmt.index)});"
        elif isinstance(stmt, ir.Branch):
            test = _expr(stmt.test)
            yield f"{pad}if ({f'__builtin_expect({test}, 0)' if stmt.rare else test}) {{"
            yield from _block(stmt.then, pad + "  ")
            if stmt.other:
                yield f"{pad}}} else {{"
                yield from _block(stmt.other, pad + "  ")
            yield f"{pad}}}"
        elif isinstance(stmt, ir.While):
            yield f"{pad}while ({_expr(stmt.test)}) {{"
            yield from _block(stmt.body, pad + "  ")
            yield f"{pad}}}"
        elif isinstance(stmt, ir.Steps):
            yield f"{pad}switch ({_expr(stmt.start)}) {{"
            yield from (f"{pad}  case {number}: goto step_{number};" for number in stmt.starts)
            yield f"{pad}  default: __builtin_unreachable();"
            yield f"{pad}}}"
            for number, block in enumerate(stmt.blocks):
                yield f"{pad}step_{number}:;"
                yield from _block(block, pad + "  ")
        elif isinstance(stmt, ir.Go):
            yield f"{pad}goto step_{stmt.to};"
        elif isinstance(stmt, ir.Return):
            yield f"{pad}return {_expr(stmt.value)};"
        elif isinstance(stmt, ir.Do):
            yield f"{pad}(void){_expr(stmt.call)};"
        else:
            yield f"{pad}{type(stmt).__name__.lower()};"


def _spread(stmt: ir.Spread, pad: str) -> Iterator[str]:
    yield f"{pad}{{"
    yield f"{pad}  uint8_t *spread_to = {_expr(stmt.base)} + {_expr(stmt.index)};"
    for n, (mask, value) in enumerate(stmt.planes):
        yield f"{pad}  uint64_t mask_{n} = U({_expr(mask)}), value_{n} = U({_expr(value)});"
    total = " + ".join(f"(mask_{n} >> k & 1) * value_{n}" for n in range(len(stmt.planes))) or "0"
    yield f"{pad}  for (int k = 0; k < {stmt.count}; k++) spread_to[k] = (uint8_t)({total});"
    yield f"{pad}}}"


def _cell(width: ir.Width, base: ir.Expr, index: ir.Expr, anywhere: bool = False) -> str:
    kind = f"any_{_WIDTHS[width]}" if anywhere else _WIDTHS[width]
    return f"(({kind} *){_expr(base)})[{_expr(index)}]"


def _expr(node: ir.Expr) -> str:
    if isinstance(node, ir.Const):
        return _constant(node)
    if isinstance(node, ir.Local):
        return _name(node)
    if isinstance(node, ir.Binary):
        return _binary(node.op, _expr(node.left), _expr(node.right))
    if isinstance(node, ir.Unary):
        return _unary(node.op, _expr(node.of))
    if isinstance(node, ir.Load):
        cell = _cell(node.width, node.base, node.index)
        return cell if ir.SIZES[node.width] == 8 else f"I({cell})"
    if isinstance(node, ir.Offset):
        return f"({_expr(node.base)} + {_expr(node.bytes)})"
    if isinstance(node, ir.Data):
        return f"((uint8_t *){PREFIX}{node.name})"
    if isinstance(node, ir.Conditional):
        return f"({_expr(node.test)} ? {_expr(node.then)} : {_expr(node.other)})"
    assert isinstance(node, ir.Call | ir.CallAt)
    called = f"{PREFIX}{node.name}" if isinstance(node, ir.Call) else _function_at(node)
    return f"{called}({', '.join(_expr(a) for a in node.arguments)})"


def _function_at(node: ir.CallAt) -> str:
    types = ", ".join(_TYPES[argument.type] for argument in node.arguments) or "void"
    return f"(({_TYPES[node.type]} (*)({types}))(intptr_t){_expr(node.address)})"


def _constant(node: ir.Const) -> str:
    if isinstance(node.value, float):
        return node.value.hex()
    return f"I({node.value % 2**64}ULL)"


def _binary(op: str, a: str, b: str) -> str:
    if op in _INFIX:
        return f"({a} {_INFIX[op]} {b})"
    if op in _WRAPPING:
        return f"I(U({a}) {_WRAPPING[op]} U({b}))"
    if op in _SIGNED:
        return f"I({a} {_SIGNED[op]} {b})"
    if op in _UNSIGNED:
        return f"I(U({a}) {_UNSIGNED[op]} U({b}))"
    if op in ("udiv", "urem"):
        return f"I(U({a}) {'/' if op == 'udiv' else '%'} U({b}))"
    if op in _FLOATS:
        return f"({a} {_FLOATS[op]} {b})"
    if op in _FLOAT_TESTS:
        return f"I({a} {_FLOAT_TESTS[op]} {b})"
    return f"op_{op}({a}, {b})"


def _unary(op: str, a: str) -> str:
    if op == "not":
        return f"(~{a})"
    if op == "popcount":
        return f"I(__builtin_popcountll(U({a})))"
    if op in ("itof", "ftoi"):
        return f"(({'double' if op == 'itof' else 'int64_t'}){a})"
    if op == "fsqrt":
        return f"__builtin_sqrt({a})"
    return f"op_{op}({a})"
