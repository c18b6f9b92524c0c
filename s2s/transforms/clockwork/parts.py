"""A netlist as parts that are each as large as a tile, and the links between them.

Kernels become their elements, multiplexers an element for each choice of two. Registers and
kernels that only hand words on are no parts: they are cycles of links. Constants are operands.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace

from s2s.scop.accelerator import Accelerator, Operation
from s2s.scop.expressions import INT32, Type
from s2s.scop.fabric import Element, Fabric, Link, Operand, Part, Port
from s2s.scop.netlist import Delay, Kernel, Memory, Mux, Netlist, Stream
from s2s.source.records import dataclass
from s2s.transforms.clockwork.elements import KernelElements, kernel_elements
from s2s.transforms.clockwork.errors import MappingError


@dataclass(frozen=True)
class _Origin:
    """Where a word comes from: a part's port, or a constant; ``cycles`` ago."""

    port: Port | None
    cycles: int
    after: str
    type: Type = INT32
    value: int | float | None = None


def make_fabric(accelerator: Accelerator, netlist: Netlist) -> Fabric:
    """The parts and links of a netlist. Raises MappingError for what no part can do."""
    builder = _Builder(accelerator, netlist)
    for name, instance in netlist.instances.items():
        match instance:
            case Kernel():
                builder.add_kernel(name, instance)
            case Memory(buffer=buffer, mode="global_buffer"):
                raise MappingError(f"buffer {buffer}: words of the global buffer are not placed")
            case Memory(buffer=buffer, capacity=words, tiles=tiles):
                if tiles > 1:
                    raise MappingError(
                        f"buffer {buffer}: its {words} words do not fit into one memory tile, and a"
                        f" chain of {tiles} tiles is not placed"
                    )
                builder.parts[name] = Part(name, "memory", name)
            case Stream():
                builder.parts[name] = Part(name, "io", name)
            case Mux(select):
                for k in range(1, len(select)):
                    builder.parts[_choice(name, k)] = Part(_choice(name, k), "pe", name)
            case Delay():
                pass
    for name, instance in netlist.instances.items():
        match instance:
            case Kernel():
                builder.join_kernel(name)
            case Memory() as instance:
                ports = [f"in{k}" for k in range(len(instance.writes))]
                chains = [f"chain{k}" for k in range(len(instance.reads))]
                ports += instance.addressed
                ports += [port for port in chains if f"{name}.{port}" in builder.sources]
                for port in ports:
                    builder.join(f"{name}.{port}", (name, port))
            case Stream(direction="output"):
                builder.join(f"{name}.in", (name, "in"))
            case Mux():
                builder.join_mux(name, instance)
            case _:
                pass
    return Fabric(netlist.name, builder.parts, tuple(builder.links))


def _choice(mux: str, number: int) -> str:
    """The element that chooses between what comes before and input ``number``."""
    return f"{mux}/{number}"


@dataclass
class _Builder:
    accelerator: Accelerator
    netlist: Netlist
    parts: dict[str, Part] = field(default_factory=dict)
    links: list[Link] = field(default_factory=list)
    kernels: dict[str, KernelElements] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.sources = {target: source for source, target in self.netlist.connections}

    def users(self, kernel: Kernel) -> list[Operation]:
        return [self.accelerator.operation(use.operation) for use in kernel.uses]

    def add_kernel(self, name: str, kernel: Kernel) -> None:
        found = self.kernels[name] = kernel_elements(self.accelerator, self.users(kernel)[0])
        for part, element in found.elements.items():
            kind = "memory" if element.op in ("table", "counter") else "pe"
            if element.op == "counter":
                element = replace(element, select=tuple(use.controller for use in kernel.uses))
            self.parts[part] = Part(part, kind, name, element)

    def join_kernel(self, name: str) -> None:
        """The links inside a kernel and to its ports."""
        found = self.kernels[name]
        for source, part, port, layer in found.wires:
            self.links.append(Link((source, "out"), (part, port), layer, 0))
        for load, ports in found.ports.items():
            origin = self.origin(self.sources[f"{name}.in{load}"])
            for part, port in ports:
                if origin.port is None:
                    self.fold(part, port, origin)
                else:
                    self.link(origin, (part, port))

    def join(self, target: str, port: Port) -> None:
        """The link to a memory or a stream."""
        origin = self.origin(self.sources[target])
        if origin.port is None:
            name = f"{origin.after}/constant"
            own = Operand(origin.type, value=origin.value)
            element = Element("constant", origin.type, (own,))
            self.parts[name] = Part(name, "pe", origin.after, element)
            origin = replace(origin, port=(name, "out"))
        self.link(origin, port)

    def join_mux(self, name: str, mux: Mux) -> None:
        origins = [self.origin(self.sources[f"{name}.in{k}"]) for k in range(len(mux.select))]
        type_ = Type("uint", 16)
        for k in range(1, len(origins)):
            part = _choice(name, k)
            operands = []
            for place in (k - 1, k):
                port = f"data{place - k + 1}"
                if place and place < k:
                    before = _choice(name, place)
                    self.links.append(Link((before, "out"), (part, port), "word", 0))
                elif origins[place].port is not None:
                    self.link(origins[place], (part, port))
                else:
                    value = origins[place].value
                    operands.append(Operand(origins[place].type, value=value, load=place))
                    continue
                own = None if place and place < k else place
                operands.append(Operand(type_, port, load=own))
            element = Element("mux", type_, tuple(operands), select=mux.select[k])
            self.parts[part] = replace(self.parts[part], element=element)

    def fold(self, part: str, port: str, origin: _Origin) -> None:
        """A constant in the place of a word from a link."""
        known = self.parts[part]
        assert known.element is not None
        operands = tuple(
            replace(o, port="", value=origin.value) if o.port == port else o
            for o in known.element.operands
        )
        self.parts[part] = replace(known, element=replace(known.element, operands=operands))

    def link(self, origin: _Origin, target: Port) -> None:
        assert origin.port is not None
        self.links.append(Link(origin.port, target, "word", origin.cycles, origin.after))

    def origin(self, port: str) -> _Origin:
        """Where the word at a port of the netlist comes from."""
        cycles, after = 0, ""
        for _ in self.steps():
            name, _, end = port.rpartition(".")
            instance = self.netlist.instances[name]
            match instance:
                case Delay():
                    cycles += instance.cycles
                    port = self.sources[f"{name}.in"]
                case Kernel():
                    cycles, after = cycles + instance.latency, after or name
                    result = self.kernels[name].result
                    assert result is not None
                    if result.part:
                        return _Origin((result.part, "out"), cycles, after)
                    if result.load is None:
                        return _Origin(None, cycles, after, result.type, result.value)
                    port = self.sources[f"{name}.in{result.load}"]
                case Mux(select):
                    return _Origin((_choice(name, len(select) - 1), "out"), cycles, after)
                case Memory() | Stream():
                    return _Origin((name, end), cycles, after)
        raise MappingError(f"{port} is in a circle of wires")

    def steps(self) -> Iterator[int]:
        """More than a way without a circle can have."""
        yield from range(len(self.netlist.instances) + 1)
