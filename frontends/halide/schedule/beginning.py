"""How a definition begins: the loops that it has before any directive."""

from __future__ import annotations

from s2s.frontends.halide.schedule.purity import runs_in_any_order
from s2s.scop.expressions import Variable
from s2s.scop.pipeline import OUTERMOST, Definition, Dim, Func


def begin(func: Func, definition: Definition) -> None:
    """Give a new definition the loops that it has before any directive.

    The reduction variables inside (the first of the RDom innermost), around them the pure
    variables of the left side (the first innermost), around all ``__outermost``.
    """
    pure = func.definition is None or definition is func.definition
    args = zip(definition.args, func.vars, strict=True)
    naked = [v for a, v in args if isinstance(a, Variable) and a.name == v]
    dims = [
        Dim(
            r.name,
            reduction=True,
            pure=runs_in_any_order(func.name, definition, r.name),
            at=definition.at,
        )
        for r in definition.rvars
    ]
    dims += [Dim(v, at=definition.at) for v in (func.vars if pure else naked)]
    definition.schedule.dims = [*dims, Dim(OUTERMOST, at=definition.at)]
