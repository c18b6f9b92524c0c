"""Split loops by a factor, so that loops of different rates can be fused.

::

    for y in 0..31:             for y_o in 0..7:
      blur0(y) = ...              for y_i in 0..3:
                                    blur0(4*y_o + y_i) = ...

The coarse-grained loops of a pyramid become as long as that of its smallest level (section 5.2 of
Setter's dissertation, Code 5.5).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from s2s.scop.accelerator import Accelerator, constant
from s2s.scop.expressions import INT32, Binary, Const, Expr, Variable
from s2s.scop.nest import For, Node
from s2s.scop.rewrite import map_children, map_expressions, substitute
from s2s.transforms.clockwork.errors import MappingError


def split_loops(accelerator: Accelerator, factors: Mapping[str, int]) -> Accelerator:
    """The loops named, each as two: the inner one with as many iterations as its factor.

    Loops with factor 1 stay. Raises MappingError where a loop's extent is no multiple.
    """
    wanted = {name: factor for name, factor in factors.items() if factor > 1}
    if not wanted:
        return accelerator
    names = tuple(operation.name for operation in accelerator.operations)
    body = _split(accelerator.nest.body, wanted)
    coarse = frozenset(f"{n}_o" if n in wanted else n for n in accelerator.coarse)
    nest = replace(accelerator.nest, body=body)
    return replace(accelerator, nest=nest, names=names, coarse=coarse)


def _split(node: Node, factors: Mapping[str, int]) -> Node:
    inner = map_children(node, lambda child: _split(child, factors))
    if not isinstance(inner, For) or inner.name not in factors:
        return inner
    factor, extent = factors[inner.name], constant(inner.extent)
    if extent % factor:
        raise MappingError(f"loop {inner.name}: {extent} iterations are no multiple of {factor}")
    outer, within = (Variable(INT32, f"{inner.name}_{end}") for end in "oi")
    value: Expr = Binary(INT32, "add", Binary(INT32, "mul", outer, _int(factor)), within)
    if constant(inner.minimum):
        value = Binary(INT32, "add", value, inner.minimum)
    body = map_expressions(inner.body, lambda e: substitute(e, {inner.name: value}))
    below = replace(inner, name=within.name, minimum=_int(0), extent=_int(factor), body=body)
    return replace(
        inner, name=outer.name, minimum=_int(0), extent=_int(extent // factor), body=below
    )


def _int(value: int) -> Const:
    return Const(INT32, value)
