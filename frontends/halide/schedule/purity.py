"""Whether the iterations of a reduction variable may run at the same time.

They may where no iteration writes what another one (with another value of this variable) reads
or writes: then the variable is as good as a pure one. Asked of isl, on the affine part of the
subscripts; what is not affine may be anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from s2s.frontends.halide.pipeline import Definition
from s2s.scop.expressions import Binary, Call, Const, Expr, Load, Variable, walk

Subscripts = tuple[Expr, ...]


def runs_in_any_order(func: str, definition: Definition, rvar: str) -> bool:
    """Whether no two iterations that differ in ``rvar`` meet in an element of ``func``."""
    stored = tuple(definition.args)
    touched = [stored, *_own_loads(func, definition)]
    if not any(_names(s, rvar) for s in stored):
        return False
    if any(all(_is(t[place], rvar) for t in touched) for place in range(len(stored))):
        return True
    return not any(_meet(definition, rvar, stored, other) for other in touched)


def _is(expr: Expr, name: str) -> bool:
    return isinstance(expr, Variable) and expr.name == name


def _names(expr: Expr, name: str) -> bool:
    return any(_is(node, name) for node in walk(expr))


def _own_loads(func: str, definition: Definition) -> list[Subscripts]:
    found = []
    for expr in (*definition.values, *_conditions(definition)):
        found += [n.subscripts for n in walk(expr) if isinstance(n, Load) and n.tensor == func]
    return found


def _conditions(definition: Definition) -> list[Expr]:
    return [] if definition.predicate is None else [definition.predicate]


def _meet(definition: Definition, rvar: str, stored: Subscripts, touched: Subscripts) -> bool:
    """Whether an iteration may store what another one, with another ``rvar``, touches."""
    import islpy as isl

    loops = {r.name for r in definition.rvars} | {
        n.name for a in definition.args for n in walk(a) if isinstance(n, Variable)
    }
    names = _Names(loops)
    constraints = list(_domain(definition, names))
    for one, other in zip(stored, touched, strict=True):
        constraints.append(f"{names.affine(one, 'a')} = {names.affine(other, 'b')}")
    distinct = f"{names.of(rvar, 'a')} != {names.of(rvar, 'b')}"
    text = " and ".join([distinct, *constraints])
    return not isl.Set(f"{{ [{', '.join(names.given.values())}] : {text} }}").is_empty()


def _domain(definition: Definition, names: _Names) -> Iterator[str]:
    """Both iterations lie in the reduction domain and satisfy its predicate."""
    for side in "ab":
        for r in definition.rvars:
            low, size = names.affine(r.minimum, side), names.affine(r.extent, side)
            variable = names.of(r.name, side)
            yield f"{low} <= {variable} < {low} + {size}"
        for predicate in _conditions(definition):
            yield from names.conditions(predicate, side)


_RELATIONS = {"eq": "=", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


@dataclass
class _Names:
    """isl's names of the variables of two iterations, ``a`` and ``b``; others are shared."""

    loops: set[str]
    given: dict[tuple[object, str], str] = field(default_factory=dict)

    def of(self, key: object, side: str) -> str:
        return self.given.setdefault((key, side), f"v{len(self.given)}")

    def affine(self, expr: Expr, side: str) -> str:
        """The text of an affine expression; what is not affine is a variable of its own."""
        match expr:
            case Const(value=int() as value):
                return f"({value})"
            case Variable(name=name):
                return self.of(name, side if name in self.loops else "")
            case Binary(op="add" | "sub" as op, left=left, right=right):
                sign = "+" if op == "add" else "-"
                return f"({self.affine(left, side)} {sign} {self.affine(right, side)})"
            case Binary(op="mul", left=left, right=Const(value=int() as factor)):
                return f"({factor} * {self.affine(left, side)})"
            case Binary(op="mul", left=Const(value=int() as factor), right=right):
                return f"({factor} * {self.affine(right, side)})"
            case Binary(op="div", left=left, right=Const(value=int() as by)) if by > 0:
                return f"floor({self.affine(left, side)} / {by})"
            case Binary(op="mod", left=left, right=Const(value=int() as by)) if by > 0:
                return f"({self.affine(left, side)} mod {by})"
            case Call(name="promise_clamped" | "likely", arguments=(value, *_)):
                return self.affine(value, side)
        local = any(isinstance(n, Variable) and n.name in self.loops for n in walk(expr))
        return self.of(expr, side if local else "")

    def conditions(self, expr: Expr, side: str) -> Iterator[str]:
        """The affine ones among the conditions that hold together."""
        if isinstance(expr, Binary) and expr.op == "and":
            yield from self.conditions(expr.left, side)
            yield from self.conditions(expr.right, side)
        elif isinstance(expr, Binary) and expr.op in _RELATIONS and expr.left.type.is_integer:
            left, right = self.affine(expr.left, side), self.affine(expr.right, side)
            yield f"{left} {_RELATIONS[expr.op]} {right}"
