"""IR builder: appends statements to the current block; a fault returns from the function.

Every function that may fail returns 0 or the number of a fault, and its caller passes the fault on. So a
run-time error needs no exceptions, only an early return.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from upcard.engine.native import ir
from upcard.engine.native.backends.select import NoMachineCode
from upcard.engine.native.kernels.language import signed
from upcard.recycle import failures
from upcard.recycle import program as p

STATE, WORK = ir.Local("S", "ptr"), ir.Local("W", "ptr")
INTERRUPTED = "the game was interrupted"
"""Never shown: an interrupted game raises an exception."""
ZERO, ONE, MINUS = ir.Const(0), ir.Const(1), ir.Const(-1)


def const(value: int) -> ir.Const:
    return ir.Const(value)


def binary(op: str, left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """An operation, folded where both sides are constants or one side makes no difference."""
    if isinstance(left, ir.Const) and isinstance(right, ir.Const) and op in _FOLDS:
        return ir.Const(signed(int(_FOLDS[op](int(left.value), int(right.value)))))
    if op in ("add", "or", "xor") and isinstance(right, ir.Const) and right.value == 0:
        return left
    if op in ("add", "or", "xor") and isinstance(left, ir.Const) and left.value == 0:
        return right
    if op == "mul" and isinstance(right, ir.Const) and right.value == 1:
        return left
    if op == "and" and ir.Const(0) in (left, right):
        return ZERO
    if op == "and" and isinstance(left, ir.Const) and left.value == -1:
        return right
    if op == "and" and isinstance(right, ir.Const) and right.value == -1:
        return left
    return ir.Binary(op, left, right)


_FOLDS = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "slt": lambda a, b: a < b,
    "sle": lambda a, b: a <= b,
    "sgt": lambda a, b: a > b,
    "sge": lambda a, b: a >= b,
}


def add(a: ir.Expr, b: ir.Expr) -> ir.Expr:
    return binary("add", a, b)


def scaled(index: ir.Expr, by: int) -> ir.Expr:
    return binary("mul", index, const(by))


def negate(test: ir.Expr) -> ir.Expr:
    """The opposite of a condition."""
    return binary("eq", test, ZERO)


class Builder:
    """Builds one function at a time."""

    def __init__(self, module: ir.Module, turns_end: int = 0) -> None:
        self.module = module
        self.turns_end = turns_end
        """Before this word of the state lie control and turns: they are accessed by fixed indices only, so a
        store by a computed index leaves them as they were."""
        self.blocks: list[list[ir.Stmt]] = [[]]
        self.count = 0

    # --- statements ----------------------------------------------------------------------------

    def emit(self, stmt: ir.Stmt) -> None:
        self.blocks[-1].append(stmt)

    def local(self, hint: str = "t", type: ir.Type = "int") -> ir.Local:
        self.count += 1
        return ir.Local(f"{hint}.{self.count}", type)

    def keep(self, value: ir.Expr, hint: str = "t") -> ir.Expr:
        """The value in a local, so that it is computed once; constants and locals stay as they are."""
        if isinstance(value, ir.Const | ir.Local | ir.Data):
            return value
        return self.variable(value, hint)

    def variable(self, value: ir.Expr, hint: str = "t") -> ir.Local:
        """A fresh local that may be assigned again."""
        made = self.local(hint, value.type)
        self.emit(ir.Assign(made, value))
        return made

    def snapshot(self, value: ir.Expr) -> ir.Local:
        """The value as it is now, whatever is stored later."""
        return self.variable(value, "kept")

    def set(self, local: ir.Local, value: ir.Expr) -> None:
        self.emit(ir.Assign(local, value))

    @contextmanager
    def block(self) -> Iterator[list[ir.Stmt]]:
        """Statements written inside go to a block of their own."""
        self.blocks.append([])
        yield self.blocks[-1]
        self.blocks.pop()

    @contextmanager
    def when(self, test: ir.Expr, rare: bool = False) -> Iterator[None]:
        with self.block() as body:
            yield
        if isinstance(test, ir.Const):
            if test.value:
                self.blocks[-1].extend(body)
            return
        if body:
            self.emit(ir.Branch(test, tuple(body), rare=rare))

    @contextmanager
    def loop(self, test: ir.Expr = ONE) -> Iterator[None]:
        with self.block() as body:
            yield
        self.emit(ir.While(test, tuple(body)))

    @contextmanager
    def each_index(self, low: ir.Expr, high: ir.Expr) -> Iterator[ir.Local]:
        """low <= i < high"""
        following = self.variable(low, "i")
        end = self.keep(high)
        with self.loop(binary("slt", following, end)):
            i = self.variable(following, "n")
            self.set(following, add(following, ONE))
            yield i

    def either(self, test: ir.Expr, then: list[ir.Stmt], other: list[ir.Stmt]) -> None:
        self.emit(ir.Branch(test, tuple(then), tuple(other)))

    # --- memory --------------------------------------------------------------------------------

    def word(self, index: int | ir.Expr, base: ir.Expr = STATE, kind: ir.Kind = "") -> ir.Expr:
        """A word of the state in front of the sets, or one behind another pointer."""
        at = const(index) if isinstance(index, int) else index
        return ir.Load("i64", base, at, kind or self.kind_at(base, at))

    def set_word(
        self, index: int | ir.Expr, value: ir.Expr, base: ir.Expr = STATE, kind: ir.Kind = ""
    ) -> None:
        at = const(index) if isinstance(index, int) else index
        self.emit(ir.Store("i64", base, at, value, kind or self.kind_at(base, at)))

    def kind_at(self, base: ir.Expr, index: ir.Expr) -> ir.Kind:
        """The kind of a word of the state; nothing is known of other memory."""
        if base is not STATE:
            return ""
        return "turn" if isinstance(index, ir.Const) and index.value < self.turns_end else "word"

    def data(self, name: str, numbers: Iterable[int], width: int = 8) -> ir.Data:
        """A table of constants, each of `width` bytes."""
        if name not in self.module.data:
            self.module.data[name] = b"".join(
                number.to_bytes(width, "little", signed=number < 0) for number in numbers
            )
        return ir.Data(name)

    def in_table(self, name: str, numbers: list[int], index: ir.Expr) -> ir.Expr:
        """One of a few constants."""
        if len(set(numbers)) == 1:
            return const(numbers[0])
        return ir.Load("i64", self.data(name, numbers), index)

    # --- calls and faults ----------------------------------------------------------------------

    def call(self, name: str, *arguments: ir.Expr) -> ir.Call:
        return ir.Call(name, tuple(arguments), self.module.functions[name].result)

    def run(self, name: str, *arguments: ir.Expr) -> None:
        """Call a function that cannot fail for its effect."""
        self.emit(ir.Do(self.call(name, *arguments)))

    def function(
        self,
        name: str,
        parameters: tuple[ir.Local, ...],
        result: ir.Type = "int",
        exported: bool = False,
        rare: bool = False,
    ) -> None:
        """End the function: the statements so far become its body."""
        (body,) = self.blocks
        # a state never lies inside the workspace it is played with; other pointers lead into one of them
        apart = all(p in (STATE, WORK) for p in parameters if p.type == "ptr")
        self.module.add(ir.Function(name, parameters, tuple(body), result, exported, apart, rare))
        self.blocks, self.count = [[]], 0


_PLAIN = {
    "from {} to {}": "to draw",
    "player {}": "such player",
    "team {}": "such team",
    "card number {} among {}": "card of that number",
    "place number {} among {} cards": "place of that number",
    "collection number {} among {}": "collection of that number",
    failures.TOO_FEW_CARDS: "more cards are needed than there are",
    ", not {:,}": "",
    ", not {}": "",
}


def plain(sentence: str) -> str:
    """A sentence about a fault without its numbers."""
    for numbered, text in _PLAIN.items():
        sentence = sentence.replace(numbered, text)
    assert "{" not in sentence, sentence
    return sentence


class Faults:
    """Numbers for run-time errors: which form, and what to say."""

    def __init__(self) -> None:
        self.entries: list[tuple[p.Node, str]] = []
        """By number: the form, and a sentence without numbers for callers that have no state."""
        self.sentences: list[str] = []
        """The same sentences, with braces for the numbers that the state has kept."""
        self._known: dict[tuple[int, str], int] = {}

    def number(self, node: p.Node, message: str) -> int:
        """From 1; 0 is no fault."""
        key = (id(node), message)
        if key not in self._known:
            self.entries.append((node, plain(message)))
            self.sentences.append(message)
            self._known[key] = len(self.entries)
        return self._known[key]


class NotLowered(NoMachineCode):
    """A program that the native engine does not take, in one sentence."""

    def __init__(self, node: p.Node, message: str) -> None:
        self.node = node
        super().__init__(message)
