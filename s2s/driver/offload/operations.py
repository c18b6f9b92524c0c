"""What a piece computes, as nodes of a graph of operations."""

from __future__ import annotations

from collections.abc import Iterator

from s2s.analyses.contractions import extract
from s2s.analyses.operators.pooling import find_pooling
from s2s.analyses.operators.symbolic import trace_nest
from s2s.driver.offload.facts import Facts
from s2s.scop.contraction import Access, Contraction, NotAContraction
from s2s.scop.expressions import Const, Expr
from s2s.scop.nest import For, Nest, Node, Store, children
from s2s.scop.pooling import Kind, Pooling
from s2s.scop.symbols import NotSymbolic
from s2s.source.offload import Argument
from s2s.transforms.outline.graph import Node as Operation
from s2s.transforms.outline.graph import Tensor

LOOPS = "loops"
"""The operation of a nest that is nothing with a name."""
_MOST_TRACED = 1 << 20


def operation(facts: Facts, number: int, piece: int, line: int) -> Operation:
    """The node of a piece that is one operation."""
    arguments = {a.name: a for a in facts.arguments}
    work = iterations(facts.nest)
    name, inputs, attributes, macs = _named(facts, work)
    listed = [arguments[n] for n in inputs if n in arguments]
    listed += [a for a in arguments.values() if a.direction != "out" and a not in listed]
    outputs = tuple(tensor(a) for a in arguments.values() if a.is_written)
    return Operation(
        number, name, tuple(map(tensor, listed)), outputs, piece, line, attributes, macs,
        0 if macs else work,
    )  # fmt: skip


def tensor(argument: Argument) -> Tensor:
    """An argument as the graph has it."""
    is_constant = argument.direction == "constant"
    return Tensor(argument.name, argument.type, argument.extents, is_constant)


def _named(facts: Facts, work: int) -> tuple[str, list[str], dict[str, object], int]:
    """The operation's name, its inputs in their order, attributes and multiplications."""
    try:
        found = extract(facts.nest)
    except NotAContraction:
        pass
    else:
        return _contraction(found)
    if work <= _MOST_TRACED:
        try:
            pooling = find_pooling(trace_nest(facts.nest))
        except NotSymbolic:
            pass
        else:
            return _pooling(pooling)
    return LOOPS, [], {}, 0


def _contraction(found: Contraction) -> tuple[str, list[str], dict[str, object], int]:
    slides = any(loop.name in "rst" for loop in found.reductions)
    name = "convolution" if slides else "matmul" if len(found.output_loops) > 1 else "matvec"
    attributes: dict[str, object] = {
        "bias": isinstance(found.initial, Access),
        "shift": found.shift,
        "relu": found.least == 0,
        "loops": tuple((loop.name, loop.extent) for loop in found.loops),
    }
    return name, [found.image.array.name, found.weight.array.name], attributes, found.macs


def _pooling(found: Pooling) -> tuple[str, list[str], dict[str, object], int]:
    names = {Kind.MAX: "max_pool", Kind.AVERAGE: "avg_pool", Kind.SUM: "sum_pool"}
    attributes: dict[str, object] = {
        "window": (found.y.kernel, found.x.kernel),
        "strides": (found.y.stride, found.x.stride),
        "backward": found.backward,
    }
    return names[found.kind], [found.input], attributes, 0


def iterations(nest: Nest) -> int:
    """Stores that the nest makes, at most; loops of unknown extent count once."""
    return sum(_stores(nest.body, 1))


def _stores(node: Node, times: int) -> Iterator[int]:
    match node:
        case Store():
            yield times
        case For(extent=extent):
            yield from _stores(node.body, times * max(1, _extent(extent)))
        case _:
            for child in children(node):
                yield from _stores(child, times)


def _extent(extent: Expr) -> int:
    return int(extent.value) if isinstance(extent, Const) else 1
