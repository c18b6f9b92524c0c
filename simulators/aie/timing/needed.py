"""Which values a kernel has to compute: those that memory, a branch or its result depend on.

Sums that the address generators keep (``affine``) and the counts of loops are not among them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from s2s.simulators.aie.instructions import Instruction, Load, Rearrange, Scalar, Store
from s2s.simulators.aie.program import Branch, Loop, Program, items
from s2s.simulators.aie.timing.affine import Sums
from s2s.simulators.aie.values import Operand, Value

_COMPARISONS = {"<", "<=", ">", ">=", "==", "!="}


def is_counted(loop: Loop, sums: Sums) -> bool:
    """Whether the number of iterations is known when the loop is entered."""
    if loop.trips is not None:
        return True
    if not isinstance(loop.condition, Value):
        return False
    test = sums.definitions.get(loop.condition)
    if not isinstance(test, Scalar) or test.operation not in _COMPARISONS:
        return False
    inside = {one.inside for one in loop.carried}
    values = [value for operand in test.inputs for value in sums.of(operand).values]
    own = [value for value in values if value in inside]
    return len(own) == 1 and bool(sums.step(own[0]))


class Needed:
    """The needed values of a program.

    ``readers`` counts the instructions that read a value, ``fed`` has the values that instructions
    of each kind read, ``unpacked`` those that are made wider.
    """

    def __init__(self, program: Program, sums: Sums) -> None:
        self._sums = sums
        self._links: dict[Value, tuple[Operand, ...]] = {}
        self._carried: set[Value] = set()
        self.values: set[Value] = set()
        self.readers: dict[Value, int] = {}
        self.fed: dict[type[Instruction], set[Value]] = {}
        self.unpacked: set[Value] = set()
        todo = list(self._roots(program))
        while todo:
            value = todo.pop()
            if isinstance(value, Value) and value not in self.values:
                self.values.add(value)
                todo.extend(self._sources(value))

    def feeds_one(self, value: Value, kind: type[Instruction]) -> bool:
        """Whether only one instruction reads a value, and that of this kind."""
        return self.readers.get(value) == 1 and value in self.fed.get(kind, ())

    def is_unpacked(self, value: Value) -> bool:
        """Whether a value is made wider, and nothing else reads it."""
        return self.readers.get(value) == 1 and value in self.unpacked

    def _roots(self, program: Program) -> Iterator[Operand]:
        if program.result is not None:
            yield program.result
        for item in items(program.body):
            if isinstance(item, Loop):
                for one in item.carried:
                    self._carried |= {one.inside, one.after}
                    self._links |= dict.fromkeys((one.inside, one.after), (one.initial, one.next))
                if not is_counted(item, self._sums):
                    yield item.condition
            elif isinstance(item, Branch):
                self._links |= {m.value: (m.then, m.otherwise, item.condition) for m in item.merged}
                yield item.condition
            else:
                for operand in item.operands:
                    if isinstance(operand, Value):
                        self.readers[operand] = self.readers.get(operand, 0) + 1
                        self.fed.setdefault(type(item), set()).add(operand)
                        if isinstance(item, Rearrange) and item.intrinsic == "unpack":
                            self.unpacked.add(operand)
                if isinstance(item, Store):
                    yield item.stored
                    yield from self._address(item.pointer)

    def _sources(self, value: Value) -> Iterable[Operand]:
        if value in self._links:
            return self._links[value]
        definition = self._sums.definitions.get(value)
        if definition is None:
            return ()
        if isinstance(definition, Load):
            return self._address(definition.pointer)
        return definition.operands

    def _address(self, pointer: Value) -> Iterator[Value]:
        """The parts of an address that no address generator has.

        A pointer or index that loops move by sums alone is moved by the accesses themselves.
        """
        seen: set[Value] = set()
        todo: list[Operand] = [pointer]
        while todo:
            for value in self._sums.of(todo.pop()).values:
                if value in seen:
                    continue
                seen.add(value)
                if value in self._carried:
                    todo.extend(self._links[value])
                elif value in self._links or value in self._sums.definitions:
                    yield value
