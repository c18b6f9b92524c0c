"""Instructions as they come, in single assignment form, with constants folded.

Blocks that are being built are a stack of levels. An address is kept as a pointer and an affine
number of bytes; the Offset instructions that it takes are placed in the outermost level that knows
their inputs and shared by all accesses there, as a compiler's loop-invariant motion would.
"""

from __future__ import annotations

from dataclasses import field, replace

from s2s.simulators.aie import floats
from s2s.simulators.aie.instructions import Fill, Instruction, Offset, Scalar
from s2s.simulators.aie.integers import evaluate, wrapped
from s2s.simulators.aie.program import Item
from s2s.simulators.aie.reading.kinds import INT, Address, Variable, is_restrict, value_type
from s2s.simulators.aie.values import (
    Affine,
    Constant,
    Operand,
    PointerType,
    ScalarType,
    Type,
    Value,
)
from s2s.source.records import dataclass

Held = Operand | Address


@dataclass(eq=False)
class Level:
    """A block under construction; ``is_test`` for what a loop evaluates before its body."""

    items: list[Item] = field(default_factory=list)
    pointers: dict[tuple[Value, Value | None, int], Value] = field(default_factory=dict)
    is_test: bool = False


@dataclass(frozen=True)
class Saved:
    """Open blocks with how much they had, what variables held, how many loops there were."""

    levels: tuple[tuple[Level, int, dict[tuple[Value, Value | None, int], Value]], ...]
    held: dict[Variable, Held]
    loops: int


class Builder:
    """Makes values and instructions; knows what each variable holds at the present point."""

    def __init__(self) -> None:
        self.levels = [Level()]
        self.held: dict[Variable, Held] = {}
        self._pointers: dict[Variable, int] = {}
        self.forms: dict[Value, Affine] = {}
        self.line = 0
        self._home: dict[Value, Level] = {}
        self._count = 0
        self.loops = 0

    # ---- attempts

    def saved(self) -> Saved:
        """The state that ``restore`` goes back to, while the same blocks are open."""
        levels = tuple((level, len(level.items), dict(level.pointers)) for level in self.levels)
        return Saved(levels, dict(self.held), self.loops)

    def restore(self, saved: Saved) -> None:
        """Forget all that was built since."""
        self.levels = [level for level, _, _ in saved.levels]
        for level, count, pointers in saved.levels:
            del level.items[count:]
            level.pointers = dict(pointers)
        self.held, self.loops = dict(saved.held), saved.loops

    # ---- values and instructions

    def value(self, kind: Type, name: str = "") -> Value:
        self._count += 1
        made = Value(self._count, kind, name)
        self._home[made] = self.levels[-1]
        return made

    def emit(self, item: Instruction) -> Value:
        """Append an instruction; its result."""
        self.levels[-1].items.append(replace(item, line=self.line))
        return item.result or Value(0, INT)

    def scalar(self, operation: str, kind: ScalarType, *inputs: Operand, name: str = "") -> Operand:
        """``operation`` on numbers, folded where it can be; its form where that is affine."""
        kinds = [one.type for one in inputs]
        numbers = [one.value for one in inputs if isinstance(one, Constant)]
        if floats.is_needed((kind, *kinds)):
            if len(numbers) == len(inputs):
                found = floats.evaluate(operation, numbers, kinds, kind)
                return Constant(found if isinstance(found, int) else found.item(), kind)
            return self.emit(Scalar(self.value(kind, name), operation, inputs))
        if len(numbers) == len(inputs):
            found = evaluate(operation, numbers)
            if found is not None:
                return Constant(wrapped(found, kind), kind)
        same = _unchanged(operation, kind, inputs)
        if same is not None:
            return same
        made = self.value(kind, name)
        form = self._form(operation, inputs) if kind.bits >= 32 else None
        if form is not None and not isinstance(inputs[0].type, PointerType):
            self.forms[made] = form
        return self.emit(Scalar(made, operation, inputs))

    def form(self, operand: Operand) -> Affine:
        """An operand as an affine form of values that no instruction makes of others."""
        if isinstance(operand, Constant):
            return Affine((), operand.value)
        return self.forms.get(operand) or Affine(((operand, 1),))

    def _form(self, operation: str, inputs: tuple[Operand, ...]) -> Affine | None:
        forms = [self.form(one) for one in inputs]
        if operation in ("+", "-"):
            return forms[0].plus(forms[1].times(1 if operation == "+" else -1))
        if operation == "neg":
            return forms[0].times(-1)
        if operation == "cast":
            narrow = isinstance(inputs[0].type, ScalarType) and inputs[0].type.bits < 32
            return None if narrow else forms[0]
        if operation == "*":
            for one, other in (forms, forms[::-1]):
                if not other.terms:
                    return one.times(other.constant)
        if operation == "<<" and not forms[1].terms and 0 <= forms[1].constant < 31:
            return forms[0].times(1 << forms[1].constant)
        return None

    # ---- what variables hold

    def read(self, variable: Variable) -> Held:
        if variable not in self.held:
            kind = value_type(variable.kind)
            undefined = self.emit(Fill(self.value(kind, variable.name), defined=False))
            self.write(variable, undefined)
        return self.held[variable]

    def write(self, variable: Variable, held: Held) -> None:
        if isinstance(held, Value) and isinstance(held.type, PointerType):
            held = Address(held)
        if isinstance(held, Address):
            number = self._pointers.setdefault(variable, len(self._pointers))
            alone = held.alone or is_restrict(variable.kind)
            held = replace(held, through=f"{variable.name}.{number}", alone=alone)
        self.held[variable] = held

    def solid(self, held: Held, name: str = "") -> Operand:
        """What a variable holds as an operand: an address becomes a pointer."""
        if not isinstance(held, Address):
            return held
        pointer, displacement = self.pointer(held)
        if displacement == 0:
            return pointer
        made = self.value(pointer.type, name)
        return self.emit(Offset(made, pointer, Constant(displacement), 1))

    # ---- addresses

    def pointer(self, address: Address) -> tuple[Value, int]:
        """A pointer for an address, and the bytes that are left as a displacement."""
        pointer = address.base
        for atom, scale in address.offset.terms:
            pointer = self._moved(pointer, atom, scale)
        return pointer, address.offset.constant

    def _moved(self, pointer: Value, atom: Value, scale: int) -> Value:
        key = (pointer, atom, scale)
        for level in self.levels:
            if key in level.pointers:
                return level.pointers[key]
        level = self._level_of(pointer, atom)
        made = self.value(pointer.type, pointer.name)
        self._home[made] = level
        level.items.append(Offset(made, pointer, atom, scale, line=self.line))
        level.pointers[key] = made
        return made

    def _level_of(self, *values: Value) -> Level:
        """The outermost open level that knows all values; the body rather than the test."""
        depths = [self.levels.index(self._home[v]) for v in values if v in self._home]
        depth = max(depths, default=0)
        if self.levels[depth].is_test and depth + 1 < len(self.levels):
            depth += 1
        return self.levels[depth]


def _unchanged(operation: str, kind: ScalarType, inputs: tuple[Operand, ...]) -> Operand | None:
    """The operand that an operation gives back as it is: ``x + 0``, ``x * 1``, ``x << 0``."""
    if len(inputs) != 2 or any(isinstance(one.type, PointerType) for one in inputs):
        return None
    neutral = {"+": 0, "-": 0, "*": 1, "/": 1, "<<": 0, ">>": 0, "|": 0, "^": 0}.get(operation)
    first, second = inputs
    if neutral is not None and isinstance(second, Constant) and second.value == neutral:
        return first
    if operation in ("+", "*") and isinstance(first, Constant) and first.value == neutral:
        return second
    zero = Constant(0, kind)
    if operation == "*" and any(isinstance(o, Constant) and o.value == 0 for o in inputs):
        return zero
    return None
