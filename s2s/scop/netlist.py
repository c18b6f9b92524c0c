"""A mapped design: instances of an array's parts and the connections between their ports.

The same as ``NAME_design.json`` (docs/clockwork.md), which says what each part does. Ports are
``INSTANCE.PORT``; a connection leads from an ``out`` port to an ``in`` port.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from s2s.scop.cycles import Term
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Controller:
    """Fires in ``start + sum(stride[k] * i_k)``, innermost loop first, and gives addresses.

    ``address``: start and strides, None: it gives none. ``second`` is that of the aggregator or
    the transpose buffer of a fetch.
    """

    extent: tuple[int, ...]
    stride: tuple[int, ...]
    start: int
    address: tuple[int, tuple[int, ...]] | None = None
    second: tuple[int, tuple[int, ...]] | None = None


@dataclass(frozen=True)
class Stream:
    """An input (``"input"``) or output; ``element``: start and strides for each dimension."""

    direction: str
    buffer: str
    controller: Controller
    element: tuple[tuple[int, tuple[int, ...]], ...]


@dataclass(frozen=True)
class Use:
    """An operation that a kernel runs, and when."""

    operation: str
    controller: Controller


@dataclass(frozen=True)
class Kernel:
    """``pes``: processing elements that the function takes. ``indices``: names of loops."""

    function: str
    uses: tuple[Use, ...]
    latency: int
    pes: int
    indices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Delay:
    """``cycles`` registers one after another."""

    buffer: str
    cycles: int = 1


@dataclass(frozen=True)
class Memory:
    """A memory tile. ``writes`` and ``reads``: for each port its controllers.

    ``tiles``: so many in a chain, which act as one of as many words. In mode "global_buffer" it is
    no tile of the array: words of the global buffer beside it, which a lane writes and one reads.

    ``read_words``, ``write_words``: for each of these ports the factors of words that are added to
    the addresses; they come in through the memory's ports ``read0_0``, ``write1_0``.

    In mode "sram" also ``to_sram`` (agg2sram) for each writing port and ``from_sram`` (sram2tb)
    for each reading one.
    """

    buffer: str
    mode: str
    capacity: int
    writes: tuple[tuple[Controller, ...], ...]
    reads: tuple[tuple[Controller, ...], ...]
    modulo: int | None = None
    to_sram: tuple[tuple[Controller, ...], ...] = ()
    from_sram: tuple[tuple[Controller, ...], ...] = ()
    tiles: int = 1
    read_words: tuple[tuple[int, ...], ...] = ()
    write_words: tuple[tuple[int, ...], ...] = ()

    def with_controllers(self, change: Callable[[Controller], Controller]) -> Memory:
        """The memory with each of its controllers changed."""

        def changed(
            ports: tuple[tuple[Controller, ...], ...],
        ) -> tuple[tuple[Controller, ...], ...]:
            return tuple(tuple(map(change, port)) for port in ports)

        return replace(
            self,
            writes=changed(self.writes),
            reads=changed(self.reads),
            to_sram=changed(self.to_sram),
            from_sram=changed(self.from_sram),
        )

    @property
    def addressed(self) -> tuple[str, ...]:
        """The ports through which words of addresses come in."""
        return tuple(
            f"{verb}{port}_{k}"
            for verb, ports in (("read", self.read_words), ("write", self.write_words))
            for port, factors in enumerate(ports)
            for k in range(len(factors))
        )


@dataclass(frozen=True)
class Mux:
    """``select``: for each input the controllers whose cycles choose it.

    One input may have none: it is chosen in all other cycles.
    """

    select: tuple[tuple[Controller, ...], ...]


Instance = Stream | Kernel | Delay | Memory | Mux


@dataclass(frozen=True)
class Netlist:
    """``instances`` by name; ``terms`` are the parts of the whole latency."""

    name: str
    cycles: int
    terms: tuple[Term, ...]
    instances: Mapping[str, Instance]
    connections: tuple[tuple[str, str], ...]

    def count(self, kind: type[Instance]) -> int:
        """How many instances are of a kind."""
        return sum(isinstance(instance, kind) for instance in self.instances.values())

    @property
    def registers(self) -> int:
        return sum(i.cycles for i in self.instances.values() if isinstance(i, Delay))

    @property
    def pes(self) -> int:
        return sum(i.pes for i in self.instances.values() if isinstance(i, Kernel))
