"""Whether the order of an update's iterations matters, and the operator that it applies.

An update ``f(args) = value`` whose value is ``x op y``, with ``x`` the element of f that is
written and ``y`` free of f, may run in any order if ``op`` is associative and commutative. Known
are addition, multiplication, minimum and maximum (of floats too: Halide counts them in), logical
and and or, saturating addition of unsigned integers; on pairs the minimum or maximum with its
place, and the product of complex numbers. As in Halide ``x - y`` is not among them.
"""

from __future__ import annotations

from s2s.scop.expressions import Expr, Load, walk
from s2s.scop.operator_pairs import pair as pair_of
from s2s.scop.operators import Part, has, single, x_var
from s2s.scop.pipeline import Definition
from s2s.scop.rewrite import substitute, transform
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Operator:
    """How an update combines: component i becomes ``combined[i]`` of the old ``x`` and new ``y``.

    In ``combined`` stand the variables ``x_var(i)`` and ``y_var(i)``. ``operands[i]`` is what the
    update has for ``y_var(i)``, None where it leaves the component as it is. ``identities[i]``
    combined with anything gives that.
    """

    combined: tuple[Expr, ...]
    operands: tuple[Expr | None, ...]
    identities: tuple[Expr, ...]


def keeps_meaning_in_any_order(func: str, definition: Definition) -> bool:
    """Whether iterations of an update may run in any order."""
    return assigns_constant(func, definition) or operator(func, definition) is not None


def assigns_constant(func: str, definition: Definition) -> bool:
    """Whether an update reads neither its own Func nor, on its right side, a reduction variable.

    Two iterations that write one element then write the same.
    """
    rvars = {r.name for r in definition.rvars}
    for expr in (*definition.args, *definition.values):
        if any(isinstance(n, Load) and n.tensor == func for n in walk(expr)):
            return False
    return not any(has(value, rvars) for value in definition.values)


def operator(func: str, definition: Definition) -> Operator | None:
    """The associative and commutative operator that an update applies, or None."""
    values = [_with_x(func, definition, v) for v in definition.values]
    found: dict[int, Part] = {}
    xs = {f"_x_{i}" for i in range(len(values))}
    for index, value in enumerate(values):
        if value is None:
            return None
        if index in found:
            continue
        others = [i for i in range(len(values)) if i != index and has(value, {f"_x_{i}"})]
        partners = others or [
            i for i, v in enumerate(values) if i != index and v and has(v, {f"_x_{index}"})
        ]
        if not partners:
            alone = single(value, index, xs)
            if alone is None:
                return None
            found[index] = alone
        elif len(partners) == 1:
            other = values[partners[0]]
            both = None if other is None else pair_of(value, other, index, partners[0], xs)
            if both is None:
                return None
            found[index], found[partners[0]] = both
        else:
            return None
    parts = [found[i] for i in range(len(values))]
    return Operator(*(tuple(column) for column in zip(*parts, strict=True)))


def _with_x(func: str, definition: Definition, value: Expr) -> Expr | None:
    """A value with ``x_var`` for the element that is written; None if it reads another one."""
    args = tuple(definition.args)
    foreign = False

    def change(node: Expr) -> Expr:
        nonlocal foreign
        if isinstance(node, Load) and node.tensor == func:
            foreign = foreign or node.subscripts != args
            return x_var(node.component, node.type)
        return node

    changed = transform(value, change)
    return None if foreign else changed


def apply_operator(operator_: Operator, xs: list[Expr], ys: list[Expr]) -> list[Expr]:
    """The combination of given old values and operands."""
    values: dict[str, Expr] = {}
    for index, (x, y) in enumerate(zip(xs, ys, strict=True)):
        values[f"_x_{index}"], values[f"_y_{index}"] = x, y
    return [substitute(e, values) for e in operator_.combined]
