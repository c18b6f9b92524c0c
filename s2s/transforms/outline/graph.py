"""Operations of a block as a graph: what each computes, and whose results it needs.

Nodes are numbered in the order of the program; several may belong to one ``piece`` of its text,
which only leaves it as a whole. Statements that are no operation are nodes, too (``HOST``): they
keep their place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from functools import cached_property
from math import prod

from s2s.source.offload import SIZES
from s2s.source.records import dataclass

HOST = "host"


@dataclass(frozen=True)
class Tensor:
    """An array of an operation: ``type`` as numpy has it, extents outermost first."""

    name: str
    type: str
    extents: tuple[int, ...]
    constant: bool = False

    @property
    def bytes(self) -> int:
        return SIZES[self.type] * prod(self.extents)


@dataclass(frozen=True, eq=False)
class Node:
    """One operation; ``op`` is its name (``convolution``, ``max_pool``, ``relu``, ..., ``host``).

    ``inputs`` stand in the operation's order. ``flops``: operations of any kind that it makes.
    """

    number: int
    op: str
    inputs: tuple[Tensor, ...]
    outputs: tuple[Tensor, ...]
    piece: int
    line: int
    attributes: Mapping[str, object] = field(default_factory=dict)
    macs: int = 0
    flops: int = 0

    def __str__(self) -> str:
        return f"{self.op} (line {self.line})"


@dataclass(frozen=True, eq=False)
class Graph:
    """``flow``: for (earlier, later) the arrays of which the later reads what the earlier wrote.

    ``order``: pairs that have to stay in order for any reason, flow among them. ``live_out``: what
    is read after the block, by array.
    """

    nodes: tuple[Node, ...]
    flow: Mapping[tuple[int, int], frozenset[str]]
    order: frozenset[tuple[int, int]]

    @cached_property
    def by_number(self) -> Mapping[int, Node]:
        return {node.number: node for node in self.nodes}

    @cached_property
    def _into(self) -> Mapping[tuple[int, str], list[int]]:
        found: dict[tuple[int, str], list[int]] = {}
        for (first, second), arrays in self.flow.items():
            for array in arrays:
                found.setdefault((second, array), []).append(first)
        return found

    def producers(self, node: Node, tensor: Tensor) -> list[Node]:
        """The nodes that wrote what a node reads of an array, in the program's order."""
        numbers = sorted(self._into.get((node.number, tensor.name), ()))
        return [self.by_number[number] for number in numbers]

    def producer(self, node: Node, tensor: Tensor) -> Node | None:
        """The only one of these; None where there is none or several."""
        found = self.producers(node, tensor)
        return found[0] if len(found) == 1 else None

    def users(self, node: Node) -> list[Node]:
        """The nodes that read what a node wrote."""
        numbers = sorted({later for first, later in self.flow if first == node.number})
        return [self.by_number[number] for number in numbers]

    def pieces(self, nodes: Iterable[Node]) -> frozenset[int]:
        """The pieces that nodes belong to."""
        return frozenset(node.piece for node in nodes)

    def of_pieces(self, pieces: Iterable[int]) -> tuple[Node, ...]:
        """All nodes of pieces, in order."""
        wanted = set(pieces)
        return tuple(node for node in self.nodes if node.piece in wanted)


def calc_mac(nodes: Iterable[Node]) -> int:
    """``CalcMAC`` of the paper's section 3.1.3: multiplications that are accumulated."""
    return sum(node.macs for node in nodes)
