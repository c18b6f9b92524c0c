"""Loops and branches that a compiler for the machine leaves none of.

    for (j = 0; j < 1; j++) a;             ->  a;                        one iteration: no loop
    for (j = 0; j < 4; j++) s = mac(...);  ->  the four multiplications  short, constant, no pragma
    if (k == 15) jump = 8; else jump = 32; ->  jump = select(k == 15, 8, 32);

The innermost loops are unrolled first, so that a nest of short ones becomes straight code. A loop
that asks for software pipelining stays one, unless it is short and the loop around it is to be
pipelined, too, and can be without it. What stands around an unrolled loop becomes one piece of
straight code with it, and may become the body of a pipelined loop.
"""

from __future__ import annotations

from dataclasses import replace

from s2s.simulators.aie import floats
from s2s.simulators.aie.fixed_point import CONVERSIONS
from s2s.simulators.aie.instructions import (
    Concatenate,
    Extract,
    Instruction,
    Offset,
    Scalar,
    Update,
)
from s2s.simulators.aie.integers import evaluate, wrapped
from s2s.simulators.aie.program import (
    Array,
    Block,
    Branch,
    Carried,
    Item,
    Loop,
    Merged,
    Program,
    instructions,
    items,
)
from s2s.simulators.aie.timing.affine import Sums
from s2s.simulators.aie.timing.machine import Machine
from s2s.simulators.aie.timing.needed import Needed
from s2s.simulators.aie.values import Constant, Operand, ScalarType, Value

_FREE = (Offset, Update, Extract, Concatenate)  # mostly no operation of the machine
_SLOW = frozenset({"/", "%"})  # too long to be computed for the side that is not taken


def unrolled(program: Program, machine: Machine) -> Program:
    """The program as its compiler schedules it: without short loops and branches."""
    if not any(isinstance(item, Loop | Branch) for item in program.body):
        return program
    unrolling = _Unrolling(program, machine)
    body = unrolling.block(program.body)
    result = program.result
    return replace(program, body=body, result=None if result is None else unrolling.operand(result))


def is_of_graph(program: Program, machine: Machine) -> bool:
    """Whether the compiler of graphs builds a kernel, which asks for pipelining by itself."""
    has_windows = any(isinstance(p, Array) and p.window for p in program.parameters)
    return bool(machine["loop.pipelined_in_graphs"]) and has_windows


class _Unrolling:
    def __init__(self, program: Program, machine: Machine) -> None:
        self._of_graph = is_of_graph(program, machine)
        self._around: Loop | None = None
        self._needed = Needed(program, Sums(program)).values
        self._most = machine.number("loop.operations")
        self._iterations = machine.number("loop.unrolled")
        self._selected = machine.number("branch.selected")
        self._count = max(_numbers(program), default=0)
        self._now: dict[Value, Operand] = {}
        self._selects: dict[Value, Scalar] = {}
        self._fresh = False  # whether what is copied needs values of its own

    # ----------------------------------------------------------------------------- operands

    def operand(self, operand: Operand) -> Operand:
        """What an operand has become."""
        return self._now.get(operand, operand) if isinstance(operand, Value) else operand

    def _made(self, value: Value) -> Value:
        if not self._fresh:
            return value
        self._count += 1
        new = Value(self._count, value.type, value.name)
        self._now[value] = new
        if value in self._needed:
            self._needed.add(new)
        return new

    def _operands(self, one: Instruction) -> Instruction:
        changes: dict[str, object] = {}
        for name, field in vars(one).items():
            if name == "value":
                continue
            if isinstance(field, Value) and field in self._now:
                changes[name] = self._now[field]
            elif isinstance(field, tuple) and any(
                isinstance(part, Value) and part in self._now for part in field
            ):
                changes[name] = tuple(self.operand(part) for part in field)
        return replace(one, **changes) if changes else one  # type: ignore[arg-type]

    # -------------------------------------------------------------------------------- items

    def block(self, block: Block) -> Block:
        """The items of a block, in their order."""
        result: list[Item] = []
        for item in block:
            if isinstance(item, Loop):
                result += self._loop(item)
            elif isinstance(item, Branch):
                result += self._branch(item)
            else:
                result += self._instruction(item)
        return tuple(result)

    def _instruction(self, one: Instruction) -> Block:
        """An instruction with what its operands have become; none for a number."""
        new = self._operands(one)
        if isinstance(new, Scalar) and isinstance(new.value.type, ScalarType):
            folded = self._folded(new)
            if folded is not None:
                self._now[new.value] = folded
                return ()
            new = self._through_select(new)
        if new.result is not None:
            made = self._made(new.result)
            if made is not new.result:
                new = replace(new, value=made)  # type: ignore[call-arg]
            if isinstance(new, Scalar) and new.operation == "select":
                self._selects[made] = new
        return (new,)

    def _folded(self, one: Scalar) -> Operand | None:
        """The number that an instruction makes of numbers."""
        if one.operation == "select" and isinstance(one.inputs[0], Constant):
            return one.inputs[1] if one.inputs[0].value else one.inputs[2]
        numbers = [i.value for i in one.inputs if isinstance(i, Constant)]
        if len(numbers) < len(one.inputs) or one.operation in ("select", *CONVERSIONS):
            return None
        kind, kinds = one.value.type, [i.type for i in one.inputs]
        assert isinstance(kind, ScalarType)
        if floats.is_needed((kind, *kinds)):
            number = floats.evaluate(one.operation, numbers, kinds, kind)
            return Constant(number if isinstance(number, int) else number.item(), kind)
        found = evaluate(one.operation, numbers)
        return None if found is None else Constant(wrapped(found, kind), kind)

    def _through_select(self, one: Scalar) -> Scalar:
        """``select(c, 8, 32) / 8`` is ``select(c, 1, 4)``."""
        assert isinstance(one.value.type, ScalarType)
        chosen = [i for i in one.inputs if isinstance(i, Value)]
        inner = self._selects.get(chosen[0]) if len(chosen) == 1 else None
        if inner is None or one.operation == "select":
            return one
        sides: list[Operand] = []
        for side in inner.inputs[1:]:
            inputs = tuple(side if i is chosen[0] else i for i in one.inputs)
            found = self._folded(replace(one, inputs=inputs))
            if found is None:
                return one
            sides.append(found)
        return replace(one, operation="select", inputs=(inner.inputs[0], *sides))

    # -------------------------------------------------------------------------------- loops

    def _loop(self, loop: Loop) -> Block:
        initial = [self.operand(one.initial) for one in loop.carried]
        if loop.trips == 0:
            for one, value in zip(loop.carried, initial, strict=True):
                self._now |= {one.inside: value, one.after: value}
            return self.block(loop.test)
        if loop.trips == 1:
            return self._copies(loop, initial, 1)
        inside = [self._made(c.inside) for c in loop.carried]
        around, self._around = self._around, loop
        test = self.block(loop.test)
        body = self.block(loop.body)
        self._around = around
        condition = self.operand(loop.condition)
        following = [self.operand(c.next) for c in loop.carried]
        after = [self._made(c.after) for c in loop.carried]
        carried = tuple(map(Carried, inside, initial, following, after))
        new = replace(loop, carried=carried, test=test, condition=condition, body=body)
        if not self._is_short(new):
            return (new,)
        assert new.trips is not None
        result = self._copies(new, initial, new.trips)
        for old, one in zip(loop.carried, carried, strict=True):
            self._now[old.after] = self.operand(one.after)
        return result

    def _copies(self, loop: Loop, values: list[Operand], times: int) -> Block:
        """The iterations of a loop one after the other."""
        result: list[Item] = []
        outside = self._fresh
        for _ in range(times):
            self._now |= {c.inside: v for c, v in zip(loop.carried, values, strict=True)}
            self._fresh = outside or times > 1
            first, second = (loop.body, loop.test) if loop.at_bottom else (loop.test, loop.body)
            result += self.block(first)
            result += self.block(second)
            values = [self.operand(c.next) for c in loop.carried]
        self._fresh = outside
        self._now |= {c.after: v for c, v in zip(loop.carried, values, strict=True)}
        return tuple(result)

    def _is_short(self, loop: Loop) -> bool:
        if loop.trips is None or loop.trips > self._iterations:
            return False
        if any(isinstance(item, Loop) for item in items((*loop.test, *loop.body))):
            return False
        all_of_it = self._operations(loop.body) * loop.trips
        if loop.pipelined:
            around = self._around
            if around is None or not (around.pipelined or self._of_graph):
                return False
            if sum(isinstance(item, Loop) for item in items(around.body)) > 1:
                return False
            all_of_it += self._operations(around.body) - self._operations(loop.body)
        return all_of_it <= self._most

    def _operations(self, block: Block) -> int:
        return sum(
            not isinstance(one, _FREE) and (one.result is None or one.result in self._needed)
            for one in instructions(block)
        )

    # ----------------------------------------------------------------------------- branches

    def _branch(self, branch: Branch) -> Block:
        condition = self.operand(branch.condition)
        if isinstance(condition, Constant):
            result = self.block(branch.then if condition.value else branch.otherwise)
            for one in branch.merged:
                self._now[one.value] = self.operand(one.then if condition.value else one.otherwise)
            return result
        if self._is_selected(branch):
            return self._select(branch, condition)
        then, otherwise = self.block(branch.then), self.block(branch.otherwise)
        sides = [(self.operand(m.then), self.operand(m.otherwise)) for m in branch.merged]
        merged = tuple(
            Merged(self._made(m.value), *side) for m, side in zip(branch.merged, sides, strict=True)
        )
        return (
            replace(branch, condition=condition, then=then, otherwise=otherwise, merged=merged),
        )

    def _is_selected(self, branch: Branch) -> bool:
        """Whether both sides only compute a few numbers."""
        inner = (*branch.then, *branch.otherwise)
        return (
            len(inner) <= self._selected
            and all(isinstance(one, Scalar) and one.operation not in _SLOW for one in inner)
            and all(isinstance(m.value.type, ScalarType) for m in branch.merged)
        )

    def _select(self, branch: Branch, condition: Operand) -> Block:
        result: list[Item] = [*self.block(branch.then), *self.block(branch.otherwise)]
        for one in branch.merged:
            inputs = (condition, self.operand(one.then), self.operand(one.otherwise))
            result += self._instruction(Scalar(one.value, "select", inputs, line=branch.line))
        return tuple(result)


def _numbers(program: Program) -> list[int]:
    """The numbers of all values."""
    found = [one.address.number for one in program.arrays]
    for parameter in program.parameters:
        value = parameter.address if isinstance(parameter, Array) else parameter.value
        found.append(value.number)
    for item in items(program.body):
        if isinstance(item, Loop):
            found += [v.number for c in item.carried for v in (c.inside, c.after)]
        elif isinstance(item, Branch):
            found += [m.value.number for m in item.merged]
        elif item.result is not None:
            found.append(item.result.number)
    return found
