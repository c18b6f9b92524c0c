"""Buffers mapped to registers, memory tiles and multiplexers; operations to kernels.

A value that is loaded a constant number of cycles after it was made is a tap of a chain of
delays behind its kernel: a few cycles are registers, more are a memory tile that is written and
read at the operation's rhythm (a row of a line buffer). Loads with another order go to a memory
with an address for each element. A load that gets its values from several operations has a
multiplexer (section 6.1 of Setter's dissertation, "Clockwork memory mapping").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from s2s.analyses.cycles import Dependence, dependences
from s2s.scop.accelerator import Accelerator, Operation
from s2s.scop.cycles import CycleSchedule
from s2s.scop.netlist import (
    Controller,
    Kernel,
    Memory,
    Netlist,
    Stream,
    Use,
)
from s2s.transforms.clockwork.accesses import Access
from s2s.transforms.clockwork.addresses import addressed, common_step, narrow
from s2s.transforms.clockwork.controllers import (
    Box,
    boxes,
    controller,
    fit_loops,
    whole,
)
from s2s.transforms.clockwork.errors import MappingError
from s2s.transforms.clockwork.fit_design import DEFAULTS, MappingOptions, fit_design
from s2s.transforms.clockwork.fit_memories import count_held, mode_of
from s2s.transforms.clockwork.netlist_builder import NetlistBuilder
from s2s.transforms.clockwork.processing import count_elements
from s2s.transforms.clockwork.random_access import (
    add_random_accesses,
    connect_addresses,
    random_accesses,
)
from s2s.transforms.clockwork.streams import Piece, pieces
from s2s.transforms.clockwork.taps import add_taps
from s2s.transforms.clockwork.unified_buffers import fold, living
from s2s.transforms.clockwork.value_flow import value_flows


def map_design(
    accelerator: Accelerator,
    schedule: CycleSchedule,
    options: MappingOptions = DEFAULTS,
    known_dependences: Sequence[Dependence] | None = None,
) -> Netlist:
    """The mapped design. Raises MappingError where a buffer is accessed in a way for which
    there is no memory.
    """
    design = NetlistBuilder(accelerator, schedule, options)
    given = dependences(accelerator) if known_dependences is None else known_dependences
    flows = value_flows(accelerator, given)
    known = pieces(accelerator, schedule, flows)
    _add_kernels(design)
    taps = add_taps(design, [p for several in known.values() for p in several])
    scattered = random_accesses(accelerator, schedule)
    words = add_random_accesses(design, scattered)
    sources: dict[tuple[str, int], list[tuple[str, tuple[Controller, ...]]]] = {}
    for operation in accelerator.operations:
        for place, number in enumerate(design.ports(operation)):
            own = known.get((operation.name, number), [])
            word = words.get((operation.name, number))
            if word is not None:
                sources[operation.name, place] = [(word, design.every(operation))]
            else:
                sources[operation.name, place] = _sources(design, operation, number, own, taps)
    for name, users in _users(accelerator).items():
        _connect(design, name, users, sources)
    connect_addresses(design, scattered)
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


def _add_kernels(design: NetlistBuilder) -> None:
    for function, users in _users(design.accelerator).items():
        uses = tuple(
            Use(o.name, controller(design.start(o.name), whole(design.start(o.name))))
            for o in users
        )
        latency = design.start(users[0].name).latency
        pes = max(count_elements(o.value) for o in users)
        design.add(function, Kernel(function, uses, latency, pes, users[0].indices))


def _sources(
    design: NetlistBuilder,
    operation: Operation,
    number: int,
    known: Sequence[Piece],
    taps: dict[tuple[str, int], str],
) -> list[tuple[str, tuple[Controller, ...]]]:
    """Where a load's values come from, each with the cycles in which they do."""
    start, every = design.start(operation.name), design.every(operation)
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


def _add_memory(design: NetlistBuilder, consumer: Operation, number: int, piece: Piece) -> str:
    """A memory for values that are loaded in another order than they are made."""
    producer = design.accelerator.operation(piece.producer)
    write, read = design.access(producer, -1), design.access(consumer, number)
    where, others = (piece.where, False) if piece.where else _read(piece, consumer, read)
    taken, every = _written(piece, producer, write)
    writes = tuple(c for box in taken for c in addressed(write, box))
    reads = tuple(c for box in where for c in addressed(read, box))
    source = f"{design.kernel(producer.name)}.out"
    key = source, writes, reads
    if key not in design.memories:
        step = common_step((*writes, *reads))
        memory = Memory(
            write.tensor,
            mode_of(write.tensor),
            living([write, read]),
            (tuple(narrow(c, step) for c in writes),),
            (tuple(narrow(c, step) for c in reads),),
            fold([write, read], step, every=every),
        )
        if others:
            memory = replace(memory, capacity=max(memory.capacity, count_held(memory)))
        name = design.add(f"{write.tensor}_mem", memory)
        design.connections.append((source, f"{name}.in0"))
        design.memories[key] = f"{name}.out0"
    return design.memories[key]


def _read(piece: Piece, consumer: Operation, read: Access) -> tuple[tuple[Box, ...], bool]:
    """The iterations in which a memory is read; if those of the piece are no boxes, all of them
    (and True), and a multiplexer takes what the others load elsewhere.

    In these others the port gives, again, what happens to be in the place of the element.
    """
    try:
        return boxes(piece.relation.range(), consumer.minima), False
    except MappingError:
        return (whole(read.start),), True


def _written(piece: Piece, producer: Operation, write: Access) -> tuple[tuple[Box, ...], bool]:
    """The iterations whose values a memory has to take; if they are no boxes, all of them (and
    True): elements that nothing loads are written, too.
    """
    try:
        return boxes(piece.relation.domain(), producer.minima), False
    except MappingError:
        return (whole(write.start),), True


def _add_input(design: NetlistBuilder, operation: Operation, number: int) -> str:
    access = design.access(operation, number)
    name = design.add(f"{access.tensor}_in", _stream("input", access))
    return f"{name}.out"


def _add_output(design: NetlistBuilder, operation: Operation) -> None:
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
    design: NetlistBuilder,
    kernel: str,
    users: Sequence[Operation],
    sources: dict[tuple[str, int], list[tuple[str, tuple[Controller, ...]]]],
) -> None:
    """Connect a kernel's ports, by way of multiplexers where there are several sources."""
    count = len(design.ports(users[0]))
    for place in range(count):
        wanted: dict[str, tuple[Controller, ...]] = {}
        for operation in users:
            for source, cycles in sources[operation.name, place]:
                known = wanted.get(source)
                both = () if known is None else known
                wanted[source] = (*both, *cycles) if cycles and known != () else ()
        design.connections.append((design.choose(kernel, wanted), f"{kernel}.in{place}"))
