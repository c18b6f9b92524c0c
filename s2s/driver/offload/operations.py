"""What a piece computes, as nodes of a graph of operations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from s2s.analyses.contractions import extract
from s2s.analyses.operators.pooling import find_pooling
from s2s.analyses.operators.symbolic import trace_nest
from s2s.driver.offload.facts import Facts
from s2s.scop.contraction import Access, Contraction, NotAContraction
from s2s.scop.expressions import Binary, Cast, Const, Expr, Variable
from s2s.scop.nest import For, Nest, Node, Store, children
from s2s.scop.operation import Kind, Role
from s2s.scop.operation import Operation as Operator
from s2s.scop.polynomial import Polynomial
from s2s.scop.pooling import Kind as Pool
from s2s.scop.pooling import Pooling
from s2s.scop.symbols import NotSymbolic
from s2s.source.offload import Argument
from s2s.transforms.outline.graph import Node as Operation
from s2s.transforms.outline.graph import Tensor

LOOPS = "loops"
"""The operation of a nest that is nothing with a name."""
_MOST_TRACED = 1 << 20


def operations(facts: Facts, number: int, piece: int, line: int) -> list[Operation]:
    """The nodes of a piece, numbered from ``number``.

    What the recogniser of operators takes apart is as many nodes; else it is one, by what the
    targets' own recognisers say of the whole.
    """
    found = facts.recognised
    if found is not None:
        named = [one for one in _without_beginnings(found.operations)]
        return [_of_operator(facts, one, number + k, piece, line) for k, one in enumerate(named)]
    return [_of_nest(facts, number, piece, line)]


def _without_beginnings(every: Sequence[Operator]) -> list[Operator]:
    """Operators without those that only set what the next one goes on with."""
    beginnings = (Kind.FILL, Kind.COPY)
    return [
        one
        for one, after in zip(every, [*every[1:], None], strict=True)
        if after is None
        or one.kind not in beginnings
        or after.output.array != one.output.array
        or after.output.role is not Role.UPDATE
        or after.kind not in (Kind.POOL_MAX, Kind.POOL_SUM, Kind.REDUCE)
    ]


def _of_operator(facts: Facts, one: Operator, number: int, piece: int, line: int) -> Operation:
    arguments = {a.name: a for a in facts.arguments}
    inputs = [o.array for o in one.inputs if o.array in arguments]
    twice = _both_operands(one)
    if twice is not None and set(twice) == set(inputs):
        inputs = twice
    kind = one.kind
    begun = kind in (Kind.POOL_MAX, Kind.POOL_SUM, Kind.REDUCE)
    if one.output.reads and not begun and one.output.array not in inputs:
        inputs.insert(0, one.output.array)
    work = prod(int(d.extent.constant) for d in one.dims if not d.extent.terms)
    macs = int(one.macs.constant) if not one.macs.terms else 0
    read = inputs if inputs is twice else list(dict.fromkeys(inputs))
    attributes: dict[str, object] = {**_windows(one), **one.attributes}
    attributes["loops"] = tuple((d.name, int(d.extent.constant)) for d in one.dims)
    attributes["plain"] = _is_one(one.alpha) and not any(
        o.is_padded or o.rows for o in one.operands
    )
    attributes["reductions"] = tuple(d.name for d in one.dims if d.reduction)
    attributes["subscripts"] = {
        o.array: tuple(_affine(s) for s in o.subscripts) for o in one.operands
    }
    return Operation(
        number, name_of(one), tuple(tensor(arguments[n]) for n in read),
        tuple(tensor(arguments[o.array]) for o in (one.output,) if o.array in arguments),
        piece, line, attributes, macs, 0 if macs else work,
    )  # fmt: skip


def _both_operands(one: Operator) -> list[str] | None:
    """The arrays of the left and the right operand of ``a + b``, or of ``a * a``."""
    if name_of(one) not in _NAMES.values() or not isinstance(one.value, Binary):
        return None
    arrays = {o.name: o.array for o in one.operands}
    names = [p.name for p in map(_uncast, (one.value.left, one.value.right))
             if isinstance(p, Variable)]  # fmt: skip
    found = [arrays[name] for name in names if name in arrays]
    return found if len(found) == 2 else None


def _windows(one: Operator) -> dict[str, object]:
    """Extents of windows, how far they move and how far their points are apart, outermost first."""
    extents = {d.name: int(d.extent.constant) for d in one.dims if not d.extent.terms}
    reductions = {d.name for d in one.dims if d.reduction}
    found: list[tuple[int, int, int]] = []
    for operand in one.inputs:
        for subscript in operand.subscripts:
            terms = {names[0]: int(c) for names, c in subscript.terms.items() if len(names) == 1}
            taps = [name for name in terms if name in reductions and name in extents]
            moves = [terms[name] for name in terms if name not in reductions]
            if len(taps) == 1 and len(moves) == 1:
                found.append((extents[taps[0]], moves[0], terms[taps[0]]))
    if not found:
        return {}
    window, strides, dilation = zip(*found, strict=True)
    return {"window": window, "strides": strides, "dilation": dilation}


def _affine(subscript: Polynomial) -> dict[str, int]:
    """The factors of dimensions in a subscript, and the constant under the empty name."""
    found = {"*".join(names): int(factor) for names, factor in subscript.terms.items()}
    return {**found, "": int(subscript.constant)} if subscript.constant else found


def name_of(one: Operator) -> str:
    """What a pattern calls an operator."""
    if one.kind not in (Kind.ELEMENTWISE, Kind.AXPY, Kind.SCALE):
        return str(one.kind.value)
    if one.function:
        return one.function
    if isinstance(one.value, Binary):
        parts = one.value.left, one.value.right
        if one.value.op == "max" and any(_is_zero(part) for part in parts):
            return "relu"
        variables = [p for p in map(_uncast, parts) if isinstance(p, Variable)]
        if len(variables) == 2 and one.value.op in _NAMES:
            operands = [o for o in one.operands if o.name in {v.name for v in variables}]
            fewer = len({len(one.moves(o)) for o in operands}) > 1
            return "bias_add" if fewer and one.value.op == "add" else _NAMES[one.value.op]
    return str(one.kind.value)


_NAMES = {"add": "add", "sub": "subtract", "mul": "multiply", "max": "maximum", "min": "minimum"}


def _uncast(value: Expr) -> Expr:
    return _uncast(value.value) if isinstance(value, Cast) else value


def _is_one(value: Expr | None) -> bool:
    bare = None if value is None else _uncast(value)
    return bare is None or (isinstance(bare, Const) and bare.value == 1)


def _is_zero(value: Expr) -> bool:
    bare = _uncast(value)
    return isinstance(bare, Const) and bare.value == 0


def _of_nest(facts: Facts, number: int, piece: int, line: int) -> Operation:
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
        if found.floats is None:
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
    names = {Pool.MAX: "max_pool", Pool.AVERAGE: "avg_pool", Pool.SUM: "sum_pool"}
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
