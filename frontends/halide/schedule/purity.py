"""Whether the iterations of a reduction variable may run at the same time.

They may where no iteration writes what another one (with another value of this variable) reads
or writes: then the variable is as good as a pure one. As in Halide one dimension has to tell the
iterations apart by this variable alone, and ``RDom::where`` does not count; isl decides, on the
affine part of the subscripts.
"""

from __future__ import annotations

from dataclasses import field

from s2s.scop.expressions import Binary, Call, Const, Expr, Load, Variable, walk
from s2s.scop.pipeline import Definition
from s2s.source.records import dataclass

Subscripts = tuple[Expr, ...]


def runs_in_any_order(func: str, definition: Definition, rvar: str) -> bool:
    """Whether no two iterations that differ in ``rvar`` meet in an element of ``func``."""
    stored = tuple(definition.args)
    touched = [stored, *_own_loads(func, definition)]
    if not any(_names(s, rvar) for s in stored):
        return False
    if any(all(_is(t[place], rvar) for t in touched) for place in range(len(stored))):
        return True
    return all(_apart(definition, rvar, stored, other) for other in touched)


def _is(expr: Expr, name: str) -> bool:
    return isinstance(expr, Variable) and expr.name == name


def _names(expr: Expr, name: str) -> bool:
    return any(_is(node, name) for node in walk(expr))


def _own_loads(func: str, definition: Definition) -> list[Subscripts]:
    found = []
    predicate = () if definition.predicate is None else (definition.predicate,)
    for expr in (*definition.values, *predicate):
        found += [n.subscripts for n in walk(expr) if isinstance(n, Load) and n.tensor == func]
    return found


def _apart(definition: Definition, rvar: str, stored: Subscripts, touched: Subscripts) -> bool:
    """Whether some dimension differs between two iterations that differ in ``rvar``."""
    loops = {r.name for r in definition.rvars} | {
        n.name for a in definition.args for n in walk(a) if isinstance(n, Variable)
    }
    return any(
        _names(one, rvar)
        and not any(_names(e, name) for e in (one, other) for name in loops - {rvar})
        and _differ(definition, rvar, one, other)
        for one, other in zip(stored, touched, strict=True)
    )


def _differ(definition: Definition, rvar: str, one: Expr, other: Expr) -> bool:
    """Whether two subscripts differ wherever ``rvar`` does, within its range."""
    import islpy as isl

    names = _Names({rvar})
    constraints = [f"{names.of(rvar, 'a')} != {names.of(rvar, 'b')}"]
    domain = next(r for r in definition.rvars if r.name == rvar)
    for side in "ab":
        low, size = names.affine(domain.minimum, side), names.affine(domain.extent, side)
        constraints.append(f"{low} <= {names.of(rvar, side)} < {low} + {size}")
    constraints.append(f"{names.affine(one, 'a')} = {names.affine(other, 'b')}")
    variables = ", ".join(names.given.values())
    return bool(isl.Set(f"{{ [{variables}] : {' and '.join(constraints)} }}").is_empty())


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
