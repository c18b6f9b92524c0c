"""float16 and bfloat16: 16 bits in memory, computed in float, rounded after each operation.

C99 has neither type. A nest that uses them becomes one that does not: their tensors and scalar
arguments hold uint16, values are float32 that a narrow one can represent. Rounding the float32
result of one operation on them is rounding the exact result, so the values are those of arithmetic
in the narrow type.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from s2s.scop.expressions import (
    FLOAT32,
    Binary,
    Call,
    Cast,
    Const,
    Expr,
    Let,
    Load,
    Select,
    Type,
    Variable,
    walk,
)
from s2s.scop.intrinsics import expand_intrinsic
from s2s.scop.nest import Allocate, Argument, Nest, Node, Store, Tensor, expressions
from s2s.scop.nest import walk as nodes
from s2s.scop.rewrite import map_children, rebuild, transform, with_expressions

UINT16 = Type("uint", 16)
FLOAT64 = Type("float", 64)
_EXACT = frozenset(("likely", "likely_if_innermost", "strict_float", "abs", "undef"))
"""Functions of values that a narrow type has give such values."""


def is_narrow(type: Type) -> bool:
    """Whether it is float16 or bfloat16."""
    return type.is_float and type.bits == 16


def widen_floats(nest: Nest) -> Nest:
    """The nest with 16-bit patterns and float32 values in place of 16-bit floats."""
    if not any(is_narrow(t) for t in _types(nest)):
        return nest
    widen = _Widening(frozenset(a.name for a in nest.arguments if a.tensor is None))
    stored = {t.name: t.types for t in _tensors(nest)}
    return Nest(
        nest.name,
        tuple(map(_argument, nest.arguments)),
        _stored(with_expressions(nest.body, widen), stored),
        tuple(map(_table, nest.tables)),
        needs=nest.needs,
    )


def _types(nest: Nest) -> Iterator[Type]:
    for argument in nest.arguments:
        yield argument.type
    for tensor in _tensors(nest):
        yield from tensor.types
    for node in nodes(nest.body):
        for root in expressions(node):
            yield from (expr.type for expr in walk(root))


def _tensors(nest: Nest) -> Iterator[Tensor]:
    yield from (a.tensor for a in nest.arguments if a.tensor is not None)
    yield from nest.tables
    yield from (node.tensor for node in nodes(nest.body) if isinstance(node, Allocate))


def _in_memory(type: Type) -> Type:
    return UINT16 if is_narrow(type) else type


def _as_bits(tensor: Tensor) -> Tensor:
    return replace(tensor, types=tuple(map(_in_memory, tensor.types)))


def _argument(argument: Argument) -> Argument:
    tensor = None if argument.tensor is None else _as_bits(argument.tensor)
    return replace(argument, tensor=tensor, type=_in_memory(argument.type))


def _table(tensor: Tensor) -> Tensor:
    type = tensor.types[0]
    if not is_narrow(type):
        return tensor
    return replace(_as_bits(tensor), data=_bits_of(tensor.data, type))


def _bits_of(data: object, type: Type) -> object:
    import struct

    if isinstance(data, tuple | list):
        return tuple(_bits_of(item, type) for item in data)
    assert isinstance(data, int | float)
    if type.code == "bfloat":
        return struct.unpack("<I", struct.pack("<f", float(data)))[0] >> 16
    return struct.unpack("<H", struct.pack("<e", float(data)))[0]


def _stored(node: Node, types: dict[str, tuple[Type, ...]]) -> Node:
    """The nest whose stores and allocations are of bits."""
    if isinstance(node, Store):
        pairs = zip(node.values, types[node.tensor], strict=True)
        return replace(node, values=tuple(_encoded(t, v) for v, t in pairs))
    if isinstance(node, Allocate):
        node = replace(node, tensor=_as_bits(node.tensor))
    return map_children(node, lambda child: _stored(child, types))


def _encoded(type: Type, value: Expr) -> Expr:
    if not is_narrow(type):
        return value
    if isinstance(value, Call) and value.name == f"round_{type}":
        value = value.arguments[0]
    return Call(UINT16, f"to_{type}", (value,))


def _decoded(type: Type, bits: Expr) -> Expr:
    return Call(FLOAT32, f"from_{type}", (bits,))


def _rounded(type: Type, value: Expr) -> Expr:
    return Call(FLOAT32, f"round_{type}", (value,))


class _Widening:
    """Expressions with float32 for narrow floats. ``scalars``: the caller's, which are bits."""

    def __init__(self, scalars: frozenset[str]) -> None:
        self._scalars = scalars

    def __call__(self, expr: Expr) -> Expr:
        expr = transform(expr, _plain)
        done: dict[int, Expr] = {}
        for node in walk(expr):
            done[id(node)] = self._changed(node, tuple(done[id(o)] for o in node.operands))
        return done[id(expr)]

    def _changed(self, node: Expr, operands: tuple[Expr, ...]) -> Expr:
        narrow = is_narrow(node.type)
        if not narrow and all(new is old for new, old in zip(operands, node.operands, strict=True)):
            return node
        match node:
            case Const():
                return Const(FLOAT32, float(node.value))
            case Variable(name=name):
                known = name in self._scalars
                return _decoded(node.type, Variable(UINT16, name)) if known else _wide(node)
            case Load():
                bits = replace(node, type=_in_memory(node.type), subscripts=operands)
                return _decoded(node.type, bits) if narrow else bits
            case Cast():
                return _cast(node, operands[0])
            case Call(name="reinterpret"):
                return _reinterpreted(node, operands[0])
        made = rebuild(node, operands)
        if not narrow:
            return made
        made = _wide(made)
        return made if _keeps_values(node) else _rounded(node.type, made)


def _plain(node: Expr) -> Expr:
    """What is defined by operations in the narrow type itself, as those; ``lerp`` is not."""
    narrow = any(is_narrow(e.type) for e in (node, *node.operands))
    if not (narrow and isinstance(node, Call)) or node.name == "lerp":
        return node
    return expand_intrinsic(node) or node


def _wide(node: Expr) -> Expr:
    return replace(node, type=FLOAT32)


def _keeps_values(node: Expr) -> bool:
    if isinstance(node, Call):
        return node.name in _EXACT
    return isinstance(node, Select | Let) or (
        isinstance(node, Binary) and node.op in ("min", "max")
    )


def _cast(node: Cast, value: Expr) -> Expr:
    target, source = node.type, node.value.type
    if not is_narrow(target):
        return value if target == FLOAT32 else Cast(target, value)
    if is_narrow(source) and source == target:
        return value
    if target.code == "float" and source == FLOAT64:
        return _rounded(target, Call(FLOAT32, "odd_float", (value,)))
    return _rounded(target, value if value.type == FLOAT32 else Cast(FLOAT32, value))


def _reinterpreted(node: Call, value: Expr) -> Expr:
    source = node.arguments[0].type
    bits = _encoded(source, value)
    bits = bits if bits.type == UINT16 else Call(UINT16, "reinterpret", (bits,))
    if is_narrow(node.type):
        return _decoded(node.type, bits)
    return bits if node.type == UINT16 else Call(node.type, "reinterpret", (bits,))
