"""Buffers mapped to registers, memory tiles and multiplexers; operations to kernels.

A value that is loaded a constant number of cycles after it was made is a tap of a chain of
delays behind its kernel: a few cycles are registers, more are a memory tile that is written and
read at the operation's rhythm (a row of a line buffer). Loads with another order go to a memory
with an address for each element. A load that gets its values from several operations has a
multiplexer (section 6.1 of Setter's dissertation, "Clockwork memory mapping").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from s2s.analyses.cycles import dependences
from s2s.analyses.memory_tiles import FETCH
from s2s.scop.accelerator import Accelerator, Operation
from s2s.scop.cycles import CycleSchedule, Start
from s2s.scop.netlist import (
    Controller,
    Delay,
    Instance,
    Kernel,
    Memory,
    Mux,
    Netlist,
    Stream,
    Use,
)
from s2s.transforms.clockwork.accesses import Access, memories
from s2s.transforms.clockwork.addresses import addressed, common_step, narrow
from s2s.transforms.clockwork.controllers import (
    Box,
    address,
    boxes,
    controller,
    fit_loops,
    whole,
)
from s2s.transforms.clockwork.errors import MappingError
from s2s.transforms.clockwork.fit_design import DEFAULTS, MappingOptions, fit_design
from s2s.transforms.clockwork.fit_memories import KINDS
from s2s.transforms.clockwork.processing import count_elements
from s2s.transforms.clockwork.streams import REGISTERS, Piece, pieces
from s2s.transforms.clockwork.unified_buffers import fold, living
from s2s.transforms.clockwork.value_flow import value_flows
from s2s.transforms.clockwork.wide_fetch import rows_of, wide_memory

WORDS = 2048
"""Words of a memory tile."""


@dataclass
class _Design:
    """A netlist that grows."""

    accelerator: Accelerator
    schedule: CycleSchedule
    options: MappingOptions
    instances: dict[str, Instance] = field(default_factory=dict)
    connections: list[tuple[str, str]] = field(default_factory=list)
    memories: dict[tuple[str, tuple[Controller, ...], tuple[Controller, ...]], str] = field(
        default_factory=dict
    )
    """What gives the words of a source again: loads of the same words share it."""

    def add(self, name: str, instance: Instance) -> str:
        """The instance's name, with a number where it is taken."""
        new, number = name, 0
        while new in self.instances:
            number += 1
            new = f"{name}_{number}"
        self.instances[new] = instance
        return new

    def kernel(self, operation: str) -> str:
        """The name of the kernel that runs an operation."""
        return self.accelerator.operation(operation).function

    def start(self, operation: str) -> Start:
        return self.schedule.starts[operation]

    def access(self, operation: Operation, number: int) -> Access:
        tensor = operation.store.tensor if number < 0 else operation.loads[number].tensor
        start = self.start(operation.name)
        return Access(operation, number, start, memories(self.accelerator)[tensor])


def map_design(
    accelerator: Accelerator,
    schedule: CycleSchedule,
    options: MappingOptions = DEFAULTS,
) -> Netlist:
    """The mapped design. Raises MappingError where a buffer is accessed in a way for which
    there is no memory.
    """
    design = _Design(accelerator, schedule, options)
    flows = value_flows(accelerator, dependences(accelerator))
    known = pieces(accelerator, schedule, flows)
    _add_kernels(design)
    taps = _add_taps(design, [p for several in known.values() for p in several])
    sources: dict[tuple[str, int], list[tuple[str, tuple[Controller, ...]]]] = {}
    for operation in accelerator.operations:
        for place, number in enumerate(_ports(accelerator, operation)):
            own = known.get((operation.name, number), [])
            sources[operation.name, place] = _sources(design, operation, number, own, taps)
    for name, users in _users(accelerator).items():
        _connect(design, name, users, sources)
    for operation in accelerator.operations:
        if operation.store.tensor in accelerator.outputs:
            _add_output(design, operation)
    netlist = Netlist(
        accelerator.name,
        _end(accelerator, schedule),
        schedule.total,
        design.instances,
        tuple(design.connections),
    )
    return fit_design(netlist, options)


def _end(accelerator: Accelerator, schedule: CycleSchedule) -> int:
    """The cycle after the last one in which a word goes out."""
    given = [o.name for o in accelerator.operations if o.store.tensor in accelerator.outputs]
    return max(schedule.starts[name].last for name in given) + 1


def _users(accelerator: Accelerator) -> dict[str, list[Operation]]:
    """The operations of each function."""
    found: dict[str, list[Operation]] = {}
    for operation in accelerator.operations:
        found.setdefault(operation.function, []).append(operation)
    return found


def _ports(accelerator: Accelerator, operation: Operation) -> list[int]:
    """Places of the loads that come in through ports; tables are inside the kernel."""
    tensors = accelerator.tensors
    return [k for k, load in enumerate(operation.loads) if load.tensor in tensors]


def _add_kernels(design: _Design) -> None:
    for function, users in _users(design.accelerator).items():
        uses = tuple(
            Use(o.name, controller(design.start(o.name), whole(design.start(o.name))))
            for o in users
        )
        latency = design.start(users[0].name).latency
        pes = max(count_elements(o.value) for o in users)
        design.add(function, Kernel(function, uses, latency, pes, users[0].indices))


def _add_taps(design: _Design, known: Sequence[Piece]) -> dict[tuple[str, int], str]:
    """Where the value of an operation is after each delay with which it is loaded."""
    wanted: dict[str, dict[int, int]] = {}
    for piece in known:
        if piece.delay is not None:
            needed = wanted.setdefault(piece.producer, {})
            needed[piece.delay] = max(needed.get(piece.delay, 0), _outermost(design, piece))
    found: dict[tuple[str, int], str] = {}
    for producer, needed in wanted.items():
        heads = _add_rows(design, producer, needed)
        source = ""
        before = 0
        for delay in sorted({*needed, *heads}):
            if delay in heads:
                source = heads[delay]
            else:
                source = _registers(design, producer, source, delay - before)
            found[producer, delay], before = source, delay
    return found


def _outermost(design: _Design, piece: Piece) -> int:
    """How many iterations of the producer's outermost loop a piece takes values from."""
    producer = design.accelerator.operation(piece.producer)
    loops = [k for k, extent in enumerate(producer.extents) if extent > 1]
    if not loops:
        return 1
    last = piece.relation.domain().dim_max_val(loops[0])
    return int(last.to_python()) - producer.minima[loops[0]] + 1


def _registers(design: _Design, producer: str, source: str, cycles: int) -> str:
    buffer = design.accelerator.operation(producer).store.tensor
    for _ in range(cycles):
        name = design.add(f"{buffer}_reg", Delay(buffer))
        design.connections.append((source, f"{name}.in"))
        source = f"{name}.out"
    return source


def _add_rows(design: _Design, producer: str, needed: dict[int, int]) -> dict[int, str]:
    """Memories for delays that are too long for registers: where each of them begins.

    A tile gives a stream again after two delays; the next one takes it from there.
    """
    found = {0: f"{design.kernel(producer)}.out"}
    long = _heads(design.start(producer), sorted(needed))
    base = 0
    while long:
        for count in range(min(2, len(long)), 0, -1):
            tile = _tile(design, producer, base, long[:count], needed)
            if tile is not None:
                break
        assert tile is not None
        name = design.add(f"{tile.buffer}_mem", tile)
        design.connections.append((found[base], f"{name}.in0"))
        found |= {delay: f"{name}.out{k}" for k, delay in enumerate(long[:count])}
        base, long = long[count - 1], long[count:]
    return found


def _heads(start: Start, delays: Sequence[int]) -> list[int]:
    """Delays that begin a row: those longer than registers, none longer than a tile can hold."""
    found: list[int] = []
    before = base = 0
    for delay in delays:
        if delay - before > REGISTERS:
            tiles = -(-_in_flight(start, delay - base) // (WORDS - FETCH))
            found += [base + (delay - base) * k // tiles for k in range(1, tiles)]
            found.append(delay)
            base = delay
        before = delay
    return found


def _tile(
    design: _Design, producer: str, base: int, delays: Sequence[int], needed: dict[int, int]
) -> Memory | None:
    """A tile for one or two delays after ``base``; one delay can have a port for each stream."""
    start = design.start(producer)
    buffer = design.accelerator.operation(producer).store.tensor
    counts = [max(n for d, n in needed.items() if d >= delay) for delay in delays]
    steps = [delay - base for delay in delays]
    wide = None
    if KINDS[design.options.memory].wide:
        wide = wide_memory(buffer, rows_of(start, base), steps, counts, WORDS)
    if wide is not None or len(delays) > 1:
        return wide
    return _row(design, producer, base, steps[0])


def _in_flight(start: Start, cycles: int) -> int:
    """The most iterations that start within so many cycles."""
    import numpy as np

    times = np.zeros(1, np.int64)
    for stride, extent in zip(start.strides, start.extents, strict=True):
        times = (times[:, None] + stride * np.arange(extent)).ravel()
    later = np.searchsorted(times, times + cycles, side="left")
    return int((later - np.arange(times.size)).max(initial=0))


def _row(design: _Design, producer: str, before: int, cycles: int) -> Memory:
    """A memory that gives an operation's values some cycles later."""
    start = design.start(producer)
    places, words = [], 1
    for extent in reversed(start.extents):
        places.append(words)
        words *= extent
    ports = [
        fit_loops(address(controller(start, whole(start), start.latency + at), 0, places))
        for at in (before, before + cycles)
    ]
    capacity = _in_flight(start, cycles)
    buffer = design.accelerator.operation(producer).store.tensor
    return Memory(buffer, "dual_port", capacity, (ports[0],), (ports[1],), capacity)


def _sources(
    design: _Design,
    operation: Operation,
    number: int,
    known: Sequence[Piece],
    taps: dict[tuple[str, int], str],
) -> list[tuple[str, tuple[Controller, ...]]]:
    """Where a load's values come from, each with the cycles in which they do."""
    start = design.start(operation.name)
    every = fit_loops(controller(start, whole(start)))
    if operation.loads[number].tensor in design.accelerator.inputs:
        return [(_add_input(design, operation, number), every)]
    found = []
    for piece in known:
        chosen = tuple(c for box in piece.where for c in fit_loops(controller(start, box))) or every
        if piece.otherwise:
            chosen = ()
        if piece.delay is not None:
            found.append((taps[piece.producer, piece.delay], chosen))
        else:
            found.append((_add_memory(design, operation, number, piece), chosen))
    if not found:
        raise MappingError(
            f"{operation.name} loads from {operation.loads[number].tensor}, "
            "to which nothing is stored"
        )
    return found


def _add_memory(design: _Design, consumer: Operation, number: int, piece: Piece) -> str:
    """A memory for values that are loaded in another order than they are made."""
    producer = design.accelerator.operation(piece.producer)
    write, read = design.access(producer, -1), design.access(consumer, number)
    where = piece.where or _read(piece, consumer, read)
    taken, every = _written(piece, producer, write)
    writes = tuple(c for box in taken for c in addressed(write, box))
    reads = tuple(c for box in where for c in addressed(read, box))
    source = f"{design.kernel(producer.name)}.out"
    key = source, writes, reads
    if key not in design.memories:
        step = common_step((*writes, *reads))
        name = design.add(
            f"{write.tensor}_mem",
            Memory(
                write.tensor,
                "dual_port",
                living([write, read]),
                (tuple(narrow(c, step) for c in writes),),
                (tuple(narrow(c, step) for c in reads),),
                fold([write, read], step, every=every),
            ),
        )
        design.connections.append((source, f"{name}.in0"))
        design.memories[key] = f"{name}.out0"
    return design.memories[key]


def _read(piece: Piece, consumer: Operation, read: Access) -> tuple[Box, ...]:
    """The iterations in which a memory is read; if those of the piece are no boxes, all of them,
    and a multiplexer takes what the others load elsewhere.
    """
    try:
        return boxes(piece.relation.range(), consumer.minima)
    except MappingError:
        return (whole(read.start),)


def _written(piece: Piece, producer: Operation, write: Access) -> tuple[tuple[Box, ...], bool]:
    """The iterations whose values a memory has to take; if they are no boxes, all of them (and
    True): elements that nothing loads are written, too.
    """
    try:
        return boxes(piece.relation.domain(), producer.minima), False
    except MappingError:
        return (whole(write.start),), True


def _add_input(design: _Design, operation: Operation, number: int) -> str:
    access = design.access(operation, number)
    name = design.add(f"{access.tensor}_in", _stream("input", access))
    return f"{name}.out"


def _add_output(design: _Design, operation: Operation) -> None:
    access = design.access(operation, -1)
    name = design.add(f"{access.tensor}_out", _stream("output", access))
    design.connections.append((f"{operation.function}.out", f"{name}.in"))


def _stream(direction: str, access: Access) -> Stream:
    """A stream's port; the elements of each dimension are affine in the operation's loops."""
    from s2s.transforms.clockwork.levels import slopes

    loops, minima = access.operation.loops, access.operation.minima
    element = []
    for subscript in access.subscripts:
        steps = slopes(subscript, frozenset(loop.name for loop in loops))
        strides = [steps.get(loop.name, 0) for loop in loops]
        if any(stride != int(stride) for stride in strides):
            raise MappingError(f"{access.operation.name}: a stream is taken at broken steps")
        from s2s.transforms.clockwork.accesses import evaluate

        first = evaluate(
            subscript, {loop.name: low for loop, low in zip(loops, minima, strict=True)}
        )
        element.append((int(first), tuple(int(stride) for stride in strides[::-1])))
    counting = controller(access.start, whole(access.start), access.delay)
    return Stream(direction, access.tensor, counting, tuple(element))


def _connect(
    design: _Design,
    kernel: str,
    users: Sequence[Operation],
    sources: dict[tuple[str, int], list[tuple[str, tuple[Controller, ...]]]],
) -> None:
    """Connect a kernel's ports, by way of multiplexers where there are several sources."""
    count = len(_ports(design.accelerator, users[0]))
    for place in range(count):
        wanted: dict[str, tuple[Controller, ...]] = {}
        for operation in users:
            for source, cycles in sources[operation.name, place]:
                known = wanted.get(source)
                both = () if known is None else known
                wanted[source] = (*both, *cycles) if cycles and known != () else ()
        source = next(iter(wanted))
        if len(wanted) > 1:
            name = design.add(f"{kernel}_mux", Mux(tuple(wanted.values())))
            design.connections += [(each, f"{name}.in{k}") for k, each in enumerate(wanted)]
            source = f"{name}.out"
        design.connections.append((source, f"{kernel}.in{place}"))
