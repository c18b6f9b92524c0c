"""From the instructions of a kernel's text to operations of the machine.

What costs nothing on the machine is gone here: parts of vectors put together or taken apart (a load
writes its part of the register directly), sums of addresses, the counting of loops. A conversion
and the store of its result are one operation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from s2s.simulators.aie.instructions import (
    Accumulate,
    Concatenate,
    Convert,
    Extract,
    Fill,
    Instruction,
    Load,
    Multiply,
    Offset,
    Rearrange,
    Scalar,
    Selection,
    Store,
    Update,
)
from s2s.simulators.aie.program import CASCADE, Block, Branch, Carried, Loop, Program
from s2s.simulators.aie.timing.affine import Sums
from s2s.simulators.aie.timing.closing import Closing
from s2s.simulators.aie.timing.configuration import is_short, reloaded, words
from s2s.simulators.aie.timing.hoist import hoisted
from s2s.simulators.aie.timing.kinds import UNPACKED, rearranging_kinds, scalar_kind
from s2s.simulators.aie.timing.liveness import with_liveness
from s2s.simulators.aie.timing.machine import Machine
from s2s.simulators.aie.timing.needed import Needed, is_counted
from s2s.simulators.aie.timing.operation import (
    Access,
    Body,
    File,
    Operand,
    Operation,
    Part,
    Parts,
    Register,
    Role,
    called,
)
from s2s.simulators.aie.timing.region import Either, Handed, Region, Repeated, Straight
from s2s.simulators.aie.timing.register_parts import (
    accesses_of,
    file_of,
    part_at,
    part_bits,
    parts_of,
    whole_register,
)
from s2s.simulators.aie.values import AccumulatorType, Affine, Constant, Value, VectorType, size_of
from s2s.simulators.aie.values import Operand as Input


def lower(program: Program, machine: Machine) -> tuple[Region, ...]:
    """The kernel as straight code, loops and branches of operations, invariants hoisted."""
    program = hoisted(program)
    lowering = _Lowering(program, machine)
    regions = tuple(lowering.block(program.body, None))
    return with_liveness((*lowering.entry(), *regions))


class _Lowering:
    def __init__(self, program: Program, machine: Machine) -> None:
        self._program = program
        self._machine = machine
        self._sums = Sums(program)
        self._needed = Needed(program, self._sums)
        self._parts: dict[Value, Parts] = {}
        self._loads: dict[Value, Load] = {}
        self._converts: dict[Value, Convert] = {}
        self._registers = 0
        self._loop: Loop | None = None
        self._piece: list[Operation] = []
        self._uses: list[tuple[int, tuple[int, ...]]] = []
        self._constants: set[int] = set()
        self._configurations: set[tuple[Selection, Selection]] = set()

    # ------------------------------------------------------------------------------- control

    def entry(self) -> Iterator[Straight]:
        """What multiplications select their operands with, put into registers once."""
        each = int(self._machine["registers.configuration_words"])
        count = len(self._constants) + each * len(self._configurations)
        if count:
            yield Straight(_numbered(Body((self.operation("constant"),) * count)))

    def block(self, block: Block, loop: Loop | None) -> Iterator[Region]:
        """The regions of a block; ``loop`` is the loop whose body it is."""
        self._piece, self._uses, self._loop = [], [], loop
        for item in block:
            if isinstance(item, Loop):
                yield from self._flush()
                yield self._repeated(item)
                self._loop = loop
            elif isinstance(item, Branch):
                yield from self._flush()
                yield self._either(item, loop)
                self._loop = loop
            elif isinstance(item, Store) or item.result in self._needed.values:
                self._instruction(item)
        yield from self._flush()

    def _flush(self) -> Iterator[Straight]:
        piece, self._piece = self._piece, []
        uses, self._uses = self._uses, []
        for at, word in reversed(reloaded(uses, int(self._machine["registers.configuration"]))):
            piece.insert(at, self.operation("constant" if is_short(word) else "long_constant"))
        if piece:
            yield Straight(_numbered(Body(tuple(piece))))

    def _repeated(self, loop: Loop) -> Repeated:
        carried = [c for c in loop.carried if c.inside in self._needed.values]
        for one in carried:
            self._parts[one.inside] = self._fresh(one.inside)
        regions = tuple(self.block((*loop.test, *loop.body), loop))
        handed = tuple(self._handed(carried))
        if loop.is_innermost and len(regions) <= 1:
            regions = self._close(carried, regions)
        for one in carried:
            self._parts[one.after] = self._value_parts(one.next)
        return Repeated(loop, regions, is_counted(loop, self._sums), handed)

    def _handed(self, carried: Sequence[Carried]) -> Iterator[Handed]:
        for one in carried:
            initial, following = self._value_parts(one.initial), self._value_parts(one.next)
            for index, part in enumerate(self._parts[one.inside]):
                if part is not None:
                    inside = part.register, part.index
                    yield Handed(inside, part_at(initial, index), part_at(following, index))

    def _close(self, carried: Sequence[Carried], regions: tuple[Region, ...]) -> tuple[Region, ...]:
        """Reads of carried variables become reads of what the iteration before made."""
        body = regions[0].body if regions and isinstance(regions[0], Straight) else Body(())
        closing = Closing(
            {c.inside: self._parts[c.inside] for c in carried},
            {c.inside: self._value_parts(c.next) for c in carried},
            {c.inside: self._value_parts(c.initial) for c in carried},
            self,
        )
        operations = closing.closed(body.operations)
        for one in carried:
            self._parts[one.inside] = closing.parts(self._parts[one.inside])
        return (Straight(_numbered(replace(body, operations=operations))),) if operations else ()

    def _either(self, branch: Branch, loop: Loop | None) -> Either:
        then = tuple(self.block(branch.then, loop))
        otherwise = tuple(self.block(branch.otherwise, loop))
        self._piece = []
        for merged in branch.merged:
            if merged.value in self._needed.values:
                self._parts[merged.value] = self._fresh(merged.value)
        return Either(branch, then, otherwise)

    # ----------------------------------------------------------------------------- registers

    def register(self, file: File, parts: int, name: str = "") -> Register:
        self._registers += 1
        return Register(self._registers, file, parts, name)

    def _fresh(self, value: Value) -> Parts:
        """A register of its own for a value."""
        return whole_register(self.register(file_of(value.type), parts_of(value.type), value.name))

    def _value_parts(self, operand: Input) -> Parts:
        if isinstance(operand, Constant):
            return ()
        if operand not in self._parts:
            self._parts[operand] = self._fresh(operand)
        return self._parts[operand]

    def operation(
        self,
        kind: str,
        operands: Sequence[Operand] = (),
        result: Register | None = None,
        *,
        mnemonic: str = "",
        access: Access | None = None,
        line: int = 0,
    ) -> Operation:
        """An operation as the machine has it, not yet numbered."""
        return Operation(
            number=-1,
            mnemonic=mnemonic or kind,
            slots=self._machine.slots(kind),
            latency=self._machine.latency(kind),
            result=result,
            operands=tuple(operands),
            access=access,
            line=line,
        )

    def _emit(self, operation: Operation) -> None:
        self._piece.append(operation)

    def _read(self, operand: Input, role: Role = Role.ANY, stage: int = 0) -> Operand:
        return Operand(self._value_parts(operand), role, stage)

    def _compute(
        self, one: Instruction, kind: str, operands: Sequence[Operand], mnemonic: str = "",
        access: Access | None = None,
    ) -> None:  # fmt: skip
        """An operation that makes the whole of an instruction's value."""
        assert one.result is not None
        parts = self._fresh(one.result)
        first = parts[0]
        assert first is not None
        self._parts[one.result] = parts
        self._emit(
            self.operation(
                kind, operands, first.register, mnemonic=mnemonic, access=access, line=one.line
            )
        )

    # -------------------------------------------------------------------------- instructions

    def _instruction(self, one: Instruction) -> None:
        match one:
            case Load():
                self._load(one)
            case Store():
                self._store(one)
            case Fill():
                self._fill(one)
            case Update(value=value, vector=vector, index=index, part=part):
                old, new = self._value_parts(vector), self._value_parts(part)
                at = index * len(new)
                self._parts[value] = (*old[:at], *new, *old[at + len(new) :])
            case Extract(value=value, vector=vector, index=index):
                if isinstance(value.type, VectorType | AccumulatorType):
                    count = parts_of(value.type)
                    parts = self._value_parts(vector)
                    self._parts[value] = parts[index * count : (index + 1) * count]
                else:
                    self._compute(one, "move", [self._read(vector)], "extract")
            case Concatenate(value=value, parts=pieces):
                self._parts[value] = tuple(p for piece in pieces for p in self._value_parts(piece))
            case Multiply():
                self._multiply(one)
            case Convert():
                self._convert(one)
            case Accumulate():
                self._compute(one, "sum", [self._read(v, Role.SUM) for v in one.inputs])
            case Rearrange(intrinsic="unpack"):
                self._unpack(one)
            case Rearrange(intrinsic=intrinsic, inputs=inputs):
                read = [self._read(v) for v in inputs]
                for kind in rearranging_kinds(one, self._machine):
                    self._compute(one, kind, read, intrinsic)
                    read = [self._read(one.value)]
            case Scalar(operation=operation, inputs=inputs):
                words = [self._read(v) for v in inputs]
                kind = scalar_kind(one)
                self._compute(one, kind, words, operation, called(self._machine.blocked(kind)))
            case Offset(pointer=pointer, count=count):
                self._compute(one, "pointer", [self._read(pointer), self._read(count)])

    def _fill(self, one: Fill) -> None:
        if one.defined:
            self._compute(one, "move", [self._read(one.scalar)], "fill")
        else:
            self._parts[one.value] = (None,) * parts_of(one.value.type)

    def _load(self, one: Load) -> None:
        self._loads[one.value] = one
        if self._needed.feeds_one(one.value, Convert) or self._needed.is_unpacked(one.value):
            return
        parts: list[Part | None] = []
        kind = "load" if isinstance(one.value.type, VectorType | AccumulatorType) else "load_scalar"
        for offset, size in accesses_of(one.value.type):
            count = max(1, size * 8 // part_bits(one.value.type))
            register = self.register(file_of(one.value.type), count, one.value.name)
            access = self._access(one, one.displacement + offset, size)
            load = self.operation(kind, (), register, mnemonic="load", access=access, line=one.line)
            self._emit(load)
            parts.extend(whole_register(register))
        self._parts[one.value] = tuple(parts)

    def _unpack(self, one: Rearrange) -> None:
        """Bytes as 16 bits, 128 bits of them at once, as they are loaded where they are."""
        source, kind = one.inputs[0], one.value.type
        assert isinstance(source, Value) and isinstance(kind, VectorType)
        load = self._loads.get(source)
        if source in self._parts:
            load = None
        parts: list[Part | None] = []
        for offset in range(0, kind.lanes, UNPACKED):
            register = self.register(file_of(kind), 256 // part_bits(kind), one.value.name)
            access = (
                None if load is None else self._access(load, load.displacement + offset, UNPACKED)
            )
            operands = [self._read(source)] if load is None else []
            made = self.operation("unpack", operands, register, access=access, line=one.line)
            self._emit(made)
            parts.extend(whole_register(register))
        self._parts[one.value] = tuple(parts)

    def _store(self, one: Store) -> None:
        kind, parts = "store", self._value_parts(one.stored)
        convert = self._converts.get(one.stored) if isinstance(one.stored, Value) else None
        if convert is not None and self._is_cascade(one):
            access = self._access(one, one.displacement, size_of(one.type), is_store=True)
            sums = self._read(convert.source, Role.SUM)
            self._emit(self.operation("cascade_write", [sums], access=access, line=one.line))
            return
        if convert is not None:
            kind, parts = "store_convert", self._value_parts(convert.source)
        chunks = list(accesses_of(one.type))
        each = max(1, len(parts) // len(chunks))
        for number, (offset, size) in enumerate(chunks):
            access = self._access(one, one.displacement + offset, size, is_store=True)
            some = parts[number * each : (number + 1) * each]
            role = Role.SUM if convert is not None else Role.ANY
            self._emit(self.operation(kind, [Operand(some, role)], access=access, line=one.line))

    def _convert(self, one: Convert) -> None:
        if not isinstance(one.value.type, AccumulatorType):
            if self._needed.feeds_one(one.value, Store):
                self._converts[one.value] = one
            else:
                self._compute(one, "convert", [self._read(one.source, Role.SUM)], one.intrinsic)
            return
        load = self._loads.get(one.source)
        if load is None or one.source in self._parts:
            self._compute(one, "raise", [self._read(one.source)], one.intrinsic)
            return
        result = self._fresh(one.value)
        self._parts[one.value] = result
        size = size_of(load.value.type)
        access = self._access(load, load.displacement, size)
        first = result[0]
        assert first is not None
        kind = "cascade_read" if self._is_cascade(load) else "raise"
        words = kind if kind == "cascade_read" else "load_raise"
        self._emit(
            self.operation(kind, (), first.register, mnemonic=words, access=access, line=one.line)
        )

    def _multiply(self, one: Multiply) -> None:
        is_float = isinstance(one.value.type, VectorType)
        kind, back = ("multiply_float", "_float") if is_float else ("multiply", "")
        ahead = self._machine.latency(kind) - self._machine[f"latency.accumulate{back}"]
        operands = [
            self._read(one.x, Role.X),
            self._read(one.z, Role.X if one.z is one.x else Role.Z),
            *(self._read(start) for start in (one.x_start, one.z_start)),
        ]
        if one.fold is not None:
            operands.append(self._read(one.fold.y, Role.X))
        if one.accumulator is not None:
            role = Role.ANY if is_float else Role.SUM
            operands.insert(0, self._read(one.accumulator, role, ahead))
        if isinstance(one.x_start, Constant):
            self._constants.add(one.x_start.value)
        self._configurations.add((one.x_selection, one.z_selection))
        self._uses.append((len(self._piece), words(one)))
        self._compute(one, kind, operands, one.intrinsic)

    # -------------------------------------------------------------------------------- memory

    def _access(
        self, by: Load | Store, displacement: int, size: int, *, is_store: bool = False
    ) -> Access:
        address = self._sums.of(by.pointer).plus(Affine((), displacement))
        bases = self._program.addresses.bases(by.pointer)
        pointer, transfer = by.through or str(by.pointer), 0
        if len(bases) == 1 and (stream := next(iter(bases))).is_stream:
            pointer, transfer = stream.name, -(-size // self._machine.number("array.stream_bytes"))
            if isinstance(by, Load) and by.asked:
                pointer, transfer = "readincr", self._machine.number("array.stream_read")
        return Access(
            pointer=pointer,
            arrays=frozenset(a.name for a in bases),
            root=address.terms,
            offset=address.constant,
            step=self._step(address),
            size=size,
            is_store=is_store,
            alone=self._program.addresses.alone(by),
            transfer=transfer,
        )

    def _is_cascade(self, by: Load | Store) -> bool:
        """Whether an access is no access to memory, but to the neighbour's sums."""
        bases = self._program.addresses.bases(by.pointer)
        return any(array.window == CASCADE for array in bases)

    def _step(self, address: Affine) -> int | None:
        """Bytes that an address moves per iteration of the loop at hand."""
        if self._loop is None:
            return 0
        own = {one.inside for one in self._loop.carried}
        total = 0
        for value, factor in address.terms:
            if value in own:
                step = self._sums.step(value)
                if step is None:
                    return None
                total += factor * step
        return total


def _numbered(body: Body) -> Body:
    operations = (one.numbered(number) for number, one in enumerate(body.operations))
    return replace(body, operations=tuple(operations))
