"""The clauses of loops that become one."""

from __future__ import annotations

from collections.abc import Sequence

from s2s.frontends.c.graph_loops import VertexLoop
from s2s.frontends.c.syntax import Decl
from s2s.frontends.openmp.directives import Clause
from s2s.rewriters.graphs.refused import Refused

_PRIVATE = ("private", "firstprivate")
_SAME = ("num_threads", "if", "proc_bind", "default")
_KNOWN = frozenset({*_PRIVATE, *_SAME, "reduction", "shared", "schedule"})


def directive_of(loops: Sequence[VertexLoop]) -> str:
    """The directive for loops that become one, empty for serial ones. Raises Refused."""
    if not any(loop.is_parallel for loop in loops):
        return ""
    governed = [loop.directive for loop in loops if loop.directive is not None]
    names = {d.name for d in governed}
    if len(names) > 1 or any(len(loop.directives) > 1 for loop in loops):
        raise Refused(loops[1].node.span, "not fused: the loops are shared out differently")
    if names - {"parallel for"}:
        raise Refused(loops[1].node.span, "not fused: the loops' region is not theirs alone")
    _check_roles(loops)
    clauses: list[str] = []
    for loop in loops:
        for clause in loop.directive.clauses if loop.directive is not None else ():
            text = f"{clause.name}({clause.argument})" if clause.argument else clause.name
            if clause.name not in _KNOWN:
                raise Refused(loop.node.span, f"not fused: a loop has a clause '{clause.name}'")
            if text not in clauses and _is_kept(clause, loops):
                clauses.append(text)
    return " ".join(["#pragma omp parallel for", *clauses])


def _is_kept(clause: Clause, loops: Sequence[VertexLoop]) -> bool:
    """Whether a clause holds for all loops; schedules that differ are left to the compiler."""
    arguments = [
        found.argument if found is not None else None
        for loop in loops
        for found in [loop.directive.clause(clause.name) if loop.directive is not None else None]
    ]
    if len(set(arguments)) > 1 and clause.name in _SAME:
        raise Refused(loops[1].node.span, f"not fused: only one loop has this '{clause.name}'")
    return len(set(arguments)) == 1 or clause.name != "schedule"


def _check_roles(loops: Sequence[VertexLoop]) -> None:
    """A variable is private, reduced by one operator, or shared, and so in all loops."""
    for one in loops:
        for other in loops:
            for decl in _mentioned(one) & _mentioned(other):
                if _role(one, decl) != _role(other, decl):
                    raise Refused(
                        other.node.span,
                        f"not fused: '{decl.name}' is not the same to each of the loops",
                    )


def _mentioned(loop: VertexLoop) -> frozenset[Decl]:
    return frozenset(n.decl for n in loop.node.walk() if n.decl is not None)


def _role(loop: VertexLoop, decl: Decl) -> str:
    if decl is loop.iterator:
        return "private"
    directive = loop.directive
    if decl in loop.reduced:
        return loop.reduced[decl]
    if directive is not None and decl.is_local:
        for name in _PRIVATE:
            if decl.name in directive.listed(name):
                return name
    return "shared"
