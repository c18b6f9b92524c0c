"""What a compiler takes out of loops before it schedules them: invariant instructions.

    for (...) { w = *(v16int16 *)k; a = mac16(a, x, 0, ..., w, ...); }
    ->  w = *(v16int16 *)k; for (...) a = mac16(a, x, 0, ..., w, ...);

Loads of one address become one load. Whether there are registers for all that is taken out is the
matter of the register allocator, which may load again inside the loop.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from s2s.simulators.aie.instructions import Instruction, Load, Store
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
from s2s.simulators.aie.values import Affine, Operand, Type, Value


def hoisted(program: Program) -> Program:
    """The program with loop-invariant instructions before their loops."""
    return _Hoisting(program).program()


class _Hoisting:
    def __init__(self, program: Program) -> None:
        self._program = program
        self._sums = Sums(program)
        self._same: dict[Value, Value] = {}

    def program(self) -> Program:
        body = self._block(self._program.body)
        return replace(self._program, body=_renamed(body, self._same))

    def _block(self, block: Block) -> Block:
        result: list[Item] = []
        for item in block:
            if isinstance(item, Loop):
                result.extend(self._loop(item))
            elif isinstance(item, Branch):
                branch = replace(
                    item, then=self._block(item.then), otherwise=self._block(item.otherwise)
                )
                result.append(branch)
            else:
                result.append(item)
        return tuple(result)

    def _loop(self, loop: Loop) -> Iterator[Item]:
        body = self._block(loop.body)
        inside = _defined_in(replace(loop, body=body))
        stores = [one for one in instructions((*loop.test, *body)) if isinstance(one, Store)]
        front: list[Instruction] = []
        rest: list[Item] = []
        for item in body:
            if isinstance(item, Instruction) and self._invariant(item, inside, stores):
                front.append(item)
                if item.result is not None:
                    inside.discard(item.result)
            else:
                rest.append(item)
        yield from self._once(front)
        yield replace(loop, body=tuple(rest))

    def _invariant(self, one: Instruction, inside: set[Value], stores: list[Store]) -> bool:
        if isinstance(one, Store):
            return False
        if isinstance(one, Load):
            address = self._sums.of(one.pointer)
            if any(value in inside for value in address.values):
                return False
            return not any(self._may_meet(one, store) for store in stores)
        return not any(operand in inside for operand in one.operands)

    def _may_meet(self, load: Load, store: Store) -> bool:
        read, written = self._bases(load.pointer), self._bases(store.pointer)
        if not read or not written or read & written:
            return True
        addresses = self._program.addresses
        return not (addresses.alone(load) or addresses.alone(store))

    def _bases(self, pointer: Value) -> frozenset[Array]:
        return self._program.addresses.bases(pointer)

    def _once(self, front: list[Instruction]) -> Iterator[Instruction]:
        """The instructions with each load of one address and type only once."""
        seen: dict[tuple[Affine, Type], Value] = {}
        for one in front:
            if isinstance(one, Load):
                address = self._sums.of(one.pointer).plus(Affine((), one.displacement))
                first = seen.setdefault((address, one.value.type), one.value)
                if first is not one.value:
                    self._same[one.value] = first
                    continue
            yield one


def _defined_in(loop: Loop) -> set[Value]:
    found = {one.inside for one in loop.carried}
    for item in items((*loop.test, *loop.body)):
        if isinstance(item, Loop):
            found |= {value for one in item.carried for value in (one.inside, one.after)}
        elif isinstance(item, Branch):
            found |= {merged.value for merged in item.merged}
        elif item.result is not None:
            found.add(item.result)
    return found


def _renamed(block: Block, same: dict[Value, Value]) -> Block:
    if not same:
        return block
    return tuple(_rename_item(item, same) for item in block)


def _rename_item(item: Item, same: dict[Value, Value]) -> Item:
    if isinstance(item, Loop):
        carried = tuple(
            Carried(c.inside, _new(c.initial, same), _new(c.next, same), c.after)
            for c in item.carried
        )
        return replace(
            item,
            carried=carried,
            test=_renamed(item.test, same),
            condition=_new(item.condition, same),
            body=_renamed(item.body, same),
        )
    if isinstance(item, Branch):
        merged = tuple(
            Merged(m.value, _new(m.then, same), _new(m.otherwise, same)) for m in item.merged
        )
        return replace(
            item,
            condition=_new(item.condition, same),
            then=_renamed(item.then, same),
            otherwise=_renamed(item.otherwise, same),
            merged=merged,
        )
    return renamed(item, same)


def renamed(one: Instruction, same: dict[Value, Value]) -> Instruction:
    """The instruction reading other values; what it makes stays."""
    changes: dict[str, object] = {}
    for name, field in vars(one).items():
        if name == "value":
            continue
        if isinstance(field, Value) and field in same:
            changes[name] = same[field]
        elif isinstance(field, tuple) and any(
            isinstance(part, Value) and part in same for part in field
        ):
            changes[name] = tuple(_new(part, same) for part in field)
    return replace(one, **changes) if changes else one  # type: ignore[arg-type]


def _new(operand: Operand, same: dict[Value, Value]) -> Operand:
    return same.get(operand, operand) if isinstance(operand, Value) else operand
