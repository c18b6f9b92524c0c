"""Whether the iterations of a reduction variable may run at the same time.

They may where no iteration writes what another one (with another value of this variable) reads
or writes: then the variable is as good as a pure one.
"""

from __future__ import annotations

from s2s.frontends.halide.pipeline import Definition
from s2s.scop.expressions import Expr, Load, Variable, walk


def runs_in_any_order(func: str, definition: Definition, rvar: str) -> bool:
    """Whether ``rvar`` names, in one place, all elements of ``func`` that an iteration touches."""
    touched = [tuple(definition.args), *_own_loads(func, definition)]
    return any(
        all(isinstance(s[place], Variable) and s[place].name == rvar for s in touched)  # type: ignore[attr-defined]
        for place in range(len(definition.args))
    )


def _own_loads(func: str, definition: Definition) -> list[tuple[Expr, ...]]:
    found = []
    predicate = [definition.predicate] if definition.predicate is not None else []
    for expr in (*definition.values, *predicate):
        found += [n.subscripts for n in walk(expr) if isinstance(n, Load) and n.tensor == func]
    return found
