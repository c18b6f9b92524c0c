"""A design as the row of numbers that the engine (``include/engine.h``) loads.

Nets are the wires that instances drive. Instances without state within a cycle are in topological
order; controllers that count alike are one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from functools import cached_property
from graphlib import CycleError, TopologicalSorter

from s2s.simulators.amber.design import WIDE, Controller, Counts, Design, Instance
from s2s.simulators.amber.design_checks import check_kernels, check_operations, check_streams
from s2s.simulators.amber.machine import Array
from s2s.simulators.amber.problems import problem
from s2s.source.clockwork.programs import Box, Program
from s2s.source.records import dataclass

KINDS = (
    "input", "output", "kernel", "read", "rom", "mux", "register", "delay", "memory", "constant",
)  # fmt: skip
MODES = ("dual_port", "sram", "fifo", "register_file")  # in the engine's order
_LIKE = {"global_buffer": "dual_port"}
"""Modes whose ports are used as those of another."""

Port = tuple[str, str]


@dataclass
class Netlist:
    """``numbers`` for the engine, and what they stand for: controllers, memories, instances by
    their place.
    """

    design: Design
    program: Program
    array: Array
    controllers: dict[Controller, int] = field(default_factory=dict)
    nets: dict[Port, int] = field(default_factory=dict)
    delays: list[tuple[int, int, int]] = field(default_factory=list)
    registers: list[tuple[int, int]] = field(default_factory=list)
    places: dict[str, int] = field(default_factory=dict)
    memories: dict[str, Instance] = field(default_factory=dict)
    numbers: list[int] = field(default_factory=list)

    @cached_property
    def operations(self) -> dict[str, int]:
        """Places of operations in program order, by name."""
        return {op.name: k for k, (op, _) in enumerate(self.program.operations)}

    @property
    def last_cycle(self) -> int:
        """The last cycle in which a controller fires."""
        return max((one.last for one in self.controllers), default=0)

    def controller(self, one: Controller) -> int:
        return self.controllers.setdefault(one, len(self.controllers))

    def net(self, port: Port) -> int:
        return self.nets.setdefault(port, len(self.nets))

    def source(self, instance: Instance, port: str) -> int:
        """The net that drives a port. Raises UserError where there is none."""
        source = self.design.sources.get((instance.name, port))
        if source is None:
            raise problem(f"port '{port}' of instance '{instance.name}' is not connected")
        return self.net(source)


def flatten(design: Design, program: Program, array: Array) -> Netlist:
    """The numbers of a design. Raises UserError for one that cannot run."""
    net = Netlist(design, program, array)
    net.places = {name: k for k, name in enumerate(design.instances)}
    check_operations(program)
    check_kernels(design, program)
    check_streams(design, program)
    net.memories = {one.name: one for one in design.of_type("memory")}
    constants = [
        (net.net((one.name, "out")), one.number("value")) for one in design.of_type("constant")
    ]
    memories = [list(_memory(net, one)) for one in net.memories.values()]
    actions = [_action(net, *step) for step in _order(net)]
    for one in design.of_type("register", "delay"):
        _chain(net, one)
    longest = sum(cycles for _, _, cycles in net.delays) + len(net.registers)
    net.numbers = [
        longest,
        len(net.controllers),
        *(n for one in net.controllers for n in _controller(one)),
        len(net.nets),
        len(constants),
        *(n for pair in constants for n in pair),
        len(memories),
        *(n for memory in memories for n in memory),
        len(actions),
        *(n for action in actions for n in action),
        len(net.registers),
        *(n for pair in net.registers for n in pair),
        len(net.delays),
        *(n for delay in net.delays for n in delay),
    ]
    return net


def _controller(one: Controller) -> list[int]:
    pairs = zip(one.extent, one.stride, strict=True)
    return [len(one.extent), one.start, *(n for pair in pairs for n in pair)]


def _counts(counts: Counts) -> list[int]:
    return [1 + len(counts.stride), counts.start, *counts.stride]


def _chain(net: Netlist, one: Instance) -> None:
    """A register, or so many of them. One of no cycles is an error."""
    cycles = one.number("cycles") if one.type == "delay" else 1
    source, target = net.source(one, "in"), net.net((one.name, "out"))
    if cycles == 0:
        raise problem(f"instance '{one.name}' is a delay of 0 cycles")
    if cycles == 1:
        net.registers.append((source, target))
    else:
        net.delays.append((source, target, cycles))


# ---- the order within a cycle

Step = tuple[Instance, int]
"""An instance, and which of a memory's reading ports."""


def _order(net: Netlist) -> Iterator[Step]:
    """What runs within a cycle, each after those whose words it takes in the same cycle."""
    design = net.design
    graph: TopologicalSorter[tuple[str, int]] = TopologicalSorter()
    for one in design.instances.values():
        for port in range(_readers(one)):
            graph.add((one.name, port), *_combinational(net, one, port))
    try:
        order = list(graph.static_order())
    except CycleError as error:
        names = " -> ".join(name for name, _ in error.args[1])
        raise problem(f"a circle without a register: {names}") from None
    for name, port in order:
        yield design.instances[name], port


def _readers(one: Instance) -> int:
    if one.type == "memory":
        return len(one.controllers["tb2out" if one.fields["mode"] == "sram" else "out"])
    return int(one.type not in ("register", "delay", "constant"))


def _combinational(net: Netlist, one: Instance, reader: int) -> Iterator[tuple[str, int]]:
    """The steps whose words of this cycle an instance takes (a memory: its port ``reader``)."""
    memory = [f"chain{reader}", *_addressing(one, f"out{reader}")]
    for port in memory if one.type == "memory" else _inputs(net, one):
        source = net.design.sources.get((one.name, port))
        if source is None:
            continue
        other = net.design.instances[source[0]]
        if other.type == "memory":
            yield other.name, int(source[1].removeprefix("out") or 0)
        elif other.type in ("input", "rom", "mux") or (
            other.type == "kernel" and other.number("latency", 0) == 0
        ):
            yield other.name, 0


def _addressing(one: Instance, port: str) -> list[str]:
    """The ports through which words for the addresses of a memory's port come in."""
    if one.type != "memory":
        return []
    name = port.replace("out", "read").replace("in", "write")
    return [f"{name}_{k}" for k in range(len(one.factors(port)))]


def _inputs(net: Netlist, one: Instance) -> list[str]:
    """The input ports of an instance, in order."""
    if one.type in ("input", "constant"):
        return []
    if one.type == "kernel":
        operation, _ = net.program.operations[net.operations[one.uses[0][0]]]
        return [f"in{k}" for k in range(len(operation.loads))]
    if one.type == "mux":
        return [f"in{k}" for k in range(len(one.controllers["select"]))]
    return ["address" if one.type == "rom" else "in"]


def _action(net: Netlist, one: Instance, port: int) -> list[int]:
    place = net.places[one.name]
    if one.type == "memory":
        out = net.net((one.name, f"out{port}"))
        memory = list(net.memories).index(one.name)
        chained = net.design.sources.get((one.name, f"chain{port}"))
        ins = [] if chained is None else [net.net(chained)]
        return [KINDS.index("read"), place, out, len(ins), *ins, memory, port]
    ins = [net.source(one, name) for name in _inputs(net, one)]
    head = [KINDS.index(one.type), place]
    if one.type == "output":
        return [*head, -1, len(ins), *ins, *_streamed(net, one)]
    if one.type == "kernel":
        return [*head, _result(net, one), len(ins), *ins, *_uses(net, one)]
    out = net.net((one.name, "out"))
    if one.type == "input":
        return [*head, out, 0, *_streamed(net, one)]
    if one.type == "rom":
        init = list(one.fields["init"])
        return [*head, out, len(ins), *ins, len(init), *init]
    selects = [
        (place, k)
        for k, some in enumerate(one.controllers["select"])
        for place in (map(net.controller, some) if some else (-1,))
    ]
    return [*head, out, len(ins), *ins, len(selects), *(n for pair in selects for n in pair)]


def _streamed(net: Netlist, one: Instance) -> list[int]:
    box = net.program.boxes[one.buffer]
    pairs = list(zip(one.controllers["controller"][0], one.elements, strict=True))
    numbers = [len(pairs)]
    for controller, element in pairs:
        numbers += [net.controller(controller), *_counts(linear_element(box, element))]
    return numbers


def linear_element(box: Box, element: Sequence[Counts]) -> Counts:
    """Numbers of elements from subscripts."""
    start = box.first + sum(
        (counts.start - minimum) * step
        for counts, minimum, step in zip(element, box.minima, box.steps, strict=True)
    )
    loops = range(len(element[0].stride) if element else 0)
    return Counts(
        start,
        tuple(
            sum(c.stride[k] * step for c, step in zip(element, box.steps, strict=True))
            for k in loops
        ),
    )


def _result(net: Netlist, one: Instance) -> int:
    """The net of a kernel's value in the cycle in which it fires; its port is ``latency`` later."""
    latency = one.number("latency", 0)
    out = net.net((one.name, "out"))
    if latency == 0:
        return out
    value = net.net((one.name, "value"))
    if latency == 1:
        net.registers.append((value, out))
    else:
        net.delays.append((value, out, latency))
    return value


def _uses(net: Netlist, one: Instance) -> list[int]:
    pairs = [(net.controller(controller), net.operations[name]) for name, controller in one.uses]
    return [len(pairs), *(n for pair in pairs for n in pair)]


# ---- memories


def _memory(net: Netlist, one: Instance) -> Iterator[int]:
    array, mode = net.array, one.fields["mode"]
    capacity = one.number("capacity")
    size, cut = one.number("modulo", capacity), int("modulo" in one.fields)
    wide = array["fetch_words"] if mode == "sram" else 1
    _check_memory(net, one, max(size, capacity))
    yield from (net.places[one.name], MODES.index(_LIKE.get(mode, mode)), capacity)
    yield from (-(-size // wide) * wide, cut, wide, array["aggregator_fetches"])
    ports = (WIDE[0], WIDE[3], WIDE[1], WIDE[2]) if mode == "sram" else ("in", "out", "", "")
    for k, name in enumerate(ports):
        groups = one.controllers.get(name, ())
        yield len(groups)
        for number, group in enumerate(groups):
            yield net.source(one, f"in{number}") if k == 0 else -1
            port = ("in", "out")[k] + str(number) if k < 2 and mode != "sram" else ""
            words = _addressing(one, port) if port else []
            yield len(words)
            for word, factor in zip(words, one.factors(port) if port else (), strict=True):
                yield from (net.source(one, word), factor)
            yield len(group)
            for controller in group:
                yield net.controller(controller)
                yield from _addresses(one, name, controller, second=k >= 2)


def _addresses(one: Instance, name: str, controller: Controller, *, second: bool) -> list[int]:
    none = Counts(0, (0,) * len(controller.extent))
    if one.fields["mode"] == "fifo":
        return _counts(none)
    if controller.address is None or (second and controller.second is None):
        raise problem(f"instance '{one.name}': a controller of '{name}' gives no address")
    more = _counts(controller.second) if second and controller.second else []
    return [*_counts(controller.address), *more]


def _check_memory(net: Netlist, one: Instance, words: int) -> None:
    array, mode = net.array, one.fields["mode"]
    if mode in ("register_file", "global_buffer"):
        return
    tile, count = array["memory_tile_words"], one.number("tiles", 1)
    if words > tile * count:
        which = "a memory tile has" if count == 1 else f"{count} memory tiles have"
        raise problem(
            f"instance '{one.name}': buffer '{one.buffer}' needs {words} words, {which}"
            f" {tile * count}"
        )
    names = WIDE if mode == "sram" else ("in", "out")
    limits = {"in": array["input_ports"], "out": array["output_ports"]}
    for name in names:
        ports = one.controllers[name]
        limit = limits["in" if name in ("in", "in2agg", "agg2sram") else "out"]
        if len(ports) > limit:
            raise problem(f"instance '{one.name}': {len(ports)} ports '{name}', a tile has {limit}")
        for controller in (c for group in ports for c in group):
            levels = array["address_generator_levels"]
            if len(controller.extent) > levels:
                raise problem(
                    f"instance '{one.name}': a controller of '{name}' has"
                    f" {len(controller.extent)} loops, a tile counts {levels}"
                )
