"""Writes the statements of one function, with the functions that are inlined into it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from upcard.engine.native import ir
from upcard.engine.native.backends.wasm import copy_loops
from upcard.engine.native.backends.wasm.binary_format import EMPTY, I32, OP, TYPES, signed, unsigned
from upcard.engine.native.backends.wasm.expression_writer import STORES, ExpressionWriter, calls
from upcard.engine.native.backends.wasm.step_regions import Region, plan

if TYPE_CHECKING:
    from upcard.engine.native.backends.wasm.module_writer import ModuleWriter

SHORT_TEST = 12
"""A loop's test of at most this many nodes is written twice: before the loop and at its end."""


@dataclass
class Frame:
    """A function being written: the outer one, or one inlined into it."""

    function: ir.Function
    locals: dict[str, int] = field(default_factory=dict)
    """The number of each local."""
    end: int = 0
    """The label that a return leaves for; 0: it leaves the whole function."""
    loops: list[tuple[int, int]] = field(default_factory=list)
    """The labels of `Continue` and `Break`."""
    regions: list[tuple[Region, int, list[int]]] = field(default_factory=list)
    """Regions of steps around this place: the label of the loop, and those of its items."""
    entry_numbers: dict[int, int] = field(default_factory=dict)
    """Steps where a loop is entered other than at its head, numbered from 1."""
    entry: int = 0
    """The local that says at which of them; 0 elsewhere."""


class FunctionWriter(ExpressionWriter):
    """Labels are numbered by their depth, from 1."""

    def __init__(self, module: ModuleWriter, function: ir.Function) -> None:
        super().__init__(module)
        self.code = bytearray()
        self.depth = 0
        self.local_types: list[int] = []
        self.spare: defaultdict[int, list[int]] = defaultdict(list)
        """Locals of inlined functions that are over, by type."""
        self.parameters = len(function.parameters)
        self.frame = Frame(function)
        for parameter in function.parameters:
            self.frame.locals[parameter.name] = self.new_local(TYPES[parameter.type])

    def finish(self) -> bytes:
        """The function's body, with its locals."""
        if not self.block(self.frame.function.body, tail=True):
            self.code += OP["unreachable"]
        self.code += OP["end"]
        groups: list[list[int]] = []
        for of_type in self.local_types[self.parameters :]:
            if groups and groups[-1][1] == of_type:
                groups[-1][0] += 1
            else:
                groups.append([1, of_type])
        declared = unsigned(len(groups))
        declared += b"".join(unsigned(count) + bytes((of_type,)) for count, of_type in groups)
        return declared + bytes(self.code)

    # --- locals and labels ----------------------------------------------------------------------

    def new_local(self, of_type: int) -> int:
        if self.spare[of_type]:
            return self.spare[of_type].pop()
        self.local_types.append(of_type)
        return len(self.local_types) - 1

    def free_local(self, number: int) -> None:
        self.spare[self.local_types[number]].append(number)

    def local(self, local: ir.Local) -> int:
        number = self.frame.locals.get(local.name)
        if number is None:
            number = self.frame.locals[local.name] = self.new_local(TYPES[local.type])
        return number

    def open(self, kind: str, result: int = EMPTY) -> int:
        """Opens a block; its label."""
        self.code += OP[kind]
        self.code.append(result)
        self.depth += 1
        return self.depth

    def close(self) -> None:
        self.code += OP["end"]
        self.depth -= 1

    def branch(self, label: int, kind: str = "br") -> None:
        self.code += OP[kind] + unsigned(self.depth - label)

    def leave_for(self, label: int) -> None:
        """The end of what is written here: nothing is needed where the label comes next."""
        if label != self.depth:
            self.branch(label)

    # --- statements -----------------------------------------------------------------------------

    def block(self, body: tuple[ir.Stmt, ...], tail: bool = False) -> bool:
        """Writes statements. In `tail` position of a function a returned value is left on the stack; whether
        that happened."""
        for number, stmt in enumerate(body):
            is_last = number == len(body) - 1
            if isinstance(stmt, ir.Return):
                return self.give_back(stmt, tail)
            if isinstance(stmt, ir.Go):
                self.go(stmt.to)
                return False
            if isinstance(stmt, ir.Break | ir.Continue):
                self.branch(self.frame.loops[-1][isinstance(stmt, ir.Break)])
                return False
            if isinstance(stmt, ir.Branch) and is_last and tail and stmt.other:
                return self.last_branch(stmt)
            self.statement(stmt)
        return False

    def statement(self, stmt: ir.Stmt) -> None:
        if isinstance(stmt, ir.Assign):
            self.expr(stmt.value)
            self.code += OP["local.set"] + unsigned(self.local(stmt.local))
        elif isinstance(stmt, ir.Store):
            self.store(stmt)
        elif isinstance(stmt, ir.Branch):
            self.test(stmt.test)
            self.open("if")
            self.block(stmt.then)
            if stmt.other:
                self.code += OP["else"]
                self.block(stmt.other)
            self.close()
        elif isinstance(stmt, ir.While):
            self.loop(stmt)
        elif isinstance(stmt, ir.Steps):
            self.steps(stmt)
        else:
            assert isinstance(stmt, ir.Do)
            self.expr(stmt.call)
            self.code += OP["drop"]

    def store(self, stmt: ir.Store) -> None:
        kept = None
        if calls(stmt.value):
            # the value comes first, as everywhere: a call may change what the address is read from
            kept = self.new_local(TYPES[stmt.value.type])
            self.expr(stmt.value)
            self.set(kept)
        at = self.address(stmt.base, stmt.index, stmt.width)
        if kept is None:
            self.expr(stmt.value)
        else:
            self.get(kept)
            self.free_local(kept)
        if stmt.width == "ptr":
            self.add_base()
        self.cell(STORES[stmt.width], stmt.width, at)

    def give_back(self, stmt: ir.Return, tail: bool) -> bool:
        self.expr(stmt.value)
        if tail:
            return True
        if self.frame.end:
            self.branch(self.frame.end)
        else:
            self.code += OP["return"]
        return False

    def last_branch(self, stmt: ir.Branch) -> bool:
        """A branch that ends a function: both arms leave the value on the stack."""
        self.test(stmt.test)
        self.open("if", TYPES[self.frame.function.result])
        for body in (stmt.then, stmt.other):
            if not self.block(body, tail=True):
                self.code += OP["unreachable"]
            if body is stmt.then:
                self.code += OP["else"]
        self.close()
        return True

    def loop(self, stmt: ir.While) -> None:
        copied = copy_loops.find(stmt)
        after = self.open("block")
        if copied is not None:
            self.copy(copied, after)
        endless = isinstance(stmt.test, ir.Const) and stmt.test.value != 0
        is_short = not endless and self.module.is_short(stmt.test, SHORT_TEST)
        if is_short:
            self.not_test(stmt.test)
            self.branch(after, "br_if")
        again = self.open("loop")
        if is_short:
            following = self.open("block")
        else:
            following = again
            if not endless:
                self.not_test(stmt.test)
                self.branch(after, "br_if")
        self.frame.loops.append((following, after))
        self.block(stmt.body)
        self.frame.loops.pop()
        if is_short:
            self.close()
            self.test(stmt.test)
            self.branch(again, "br_if")
        else:
            self.branch(again)
        self.close()
        self.close()

    def copy(self, found: copy_loops.CopyLoop, after: int) -> None:
        """Copies at once, unless little is copied or the loop would read what it has written."""
        size, target, source = (self.new_local(I32) for _ in range(3))
        slow = self.open("block")
        self.test(ir.Binary("slt", found.counter, found.end))
        self.code += OP["i32.eqz"]
        self.branch(slow, "br_if")
        self.narrow(ir.Binary("sub", found.end, found.counter))
        self.constant_shift(found.width)
        self.set(size, tee=True)
        self.code += OP["i32.const"] + signed(copy_loops.LEAST_BYTES) + OP["i32.lt_u"]
        self.branch(slow, "br_if")
        for base, local in ((found.target, target), (found.source, source)):
            self.pointer(ir.Offset(base, ir.Binary("mul", found.counter, ir.Const(ir.SIZES[found.width]))))
            self.set(local)
        self.get(target)
        self.get(source)
        self.code += OP["i32.sub"]
        self.get(size)
        self.code += OP["i32.lt_u"]
        self.branch(slow, "br_if")
        for local in (target, source, size):
            self.get(local)
        self.code += OP["memory.copy"]
        self.expr(found.end)
        self.set(self.local(found.counter))
        if found.last is not None:
            self.expr(ir.Binary("sub", found.end, ir.Const(1)))
            self.set(self.local(found.last))
        self.branch(after)
        self.close()
        for local in (size, target, source):
            self.free_local(local)

    # --- steps ----------------------------------------------------------------------------------

    def steps(self, stmt: ir.Steps) -> None:
        jumps = [
            tuple(inner.to for inner in ir.statements(block) if isinstance(inner, ir.Go))
            for block in stmt.blocks
        ]
        region = plan(jumps, stmt.starts)
        frame = self.frame
        frame.entry_numbers = _entry_numbers(region)
        if frame.entry_numbers:
            frame.entry = self.new_local(I32)
            self.code += OP["i32.const"] + signed(0)
            self.set(frame.entry)
        self.region(region, stmt)
        if frame.entry_numbers:
            self.free_local(frame.entry)

    def region(self, region: Region, stmt: ir.Steps) -> None:
        again = self.open("loop") if region.head >= 0 else 0
        labels = [self.open("block") for _ in region.items][::-1]
        self.frame.regions.append((region, again, labels))
        if region.head < 0:
            self.dispatch(stmt)
        else:
            self.enter(region, labels)
        for item in region.items:
            self.close()
            if isinstance(item, Region):
                self.region(item, stmt)
            else:
                if item in self.frame.entry_numbers:
                    self.code += OP["i32.const"] + signed(0)
                    self.set(self.frame.entry)
                self.block(stmt.blocks[item])
        self.frame.regions.pop()
        if again:
            self.close()

    def dispatch(self, stmt: ir.Steps) -> None:
        """Jumps to the step where the function begins."""
        if len(stmt.starts) == 1:
            self.go(stmt.starts[0])
            return
        starts = sorted(set(stmt.starts))
        # one block for each start, from which it goes on
        labels = {start: self.open("block") for start in reversed(starts)}
        self.narrow(stmt.start)
        self.table([labels.get(step, labels[starts[0]]) for step in range(starts[-1] + 1)], labels[starts[0]])
        for start in starts:
            self.close()
            self.go(start)

    def enter(self, region: Region, labels: list[int]) -> None:
        """At the beginning of a loop: to its head, or to the step where it is entered."""
        head = labels[region.place[region.head]]
        if region.entries:
            self.get(self.frame.entry)
            self.code += OP["i32.eqz"]
            self.branch(head, "br_if")
            numbers = {self.frame.entry_numbers[step]: labels[region.place[step]] for step in region.entries}
            self.get(self.frame.entry)
            self.table([numbers.get(number, head) for number in range(max(numbers) + 1)], head)
        else:
            self.leave_for(head)

    def table(self, labels: list[int], default: int) -> None:
        self.code += OP["br_table"] + unsigned(len(labels))
        for label in (*labels, default):
            self.code += unsigned(self.depth - label)

    def go(self, step: int) -> None:
        for region, again, labels in reversed(self.frame.regions):
            if step == region.head:
                self.branch(again)
                return
            if step in region.place:
                item = region.place[step]
                if region.first_of(item) != step:
                    self.code += OP["i32.const"] + signed(self.frame.entry_numbers[step])
                    self.set(self.frame.entry)
                self.leave_for(labels[item])
                return
        raise AssertionError(f"step {step} is in no region")

    # --- inlining -------------------------------------------------------------------------------

    def inline(self, function: ir.Function, node: ir.Call) -> None:
        """Writes a call as the function's body: the value is left on the stack."""
        around, frame = self.frame, Frame(function)
        for argument in node.arguments:
            self.expr(argument)
        self.module.inlining.append(function.name)
        for parameter in reversed(function.parameters):
            number = frame.locals[parameter.name] = self.new_local(TYPES[parameter.type])
            self.set(number)
        self.frame = frame
        frame.end = self.open("block", TYPES[function.result])
        if not self.block(function.body, tail=True):
            self.code += OP["unreachable"]
        self.close()
        self.frame = around
        self.module.inlining.pop()
        for number in frame.locals.values():
            self.free_local(number)


def _entry_numbers(region: Region) -> dict[int, int]:
    found: dict[int, int] = {}
    waiting = [region]
    while waiting:
        here = waiting.pop()
        for step in here.entries:
            found.setdefault(step, len(found) + 1)
        waiting.extend(item for item in here.items if isinstance(item, Region))
    return found
