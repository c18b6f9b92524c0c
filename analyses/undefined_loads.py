"""Which loads of an accelerator are of elements that no operation wrote before."""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl

from s2s.scop.accelerator import Accelerator
from s2s.scop.nodes import Access, Statement
from s2s.source.records import dataclass

SET = isl.dim_type.set


@dataclass(frozen=True)
class UndefinedLoad:
    """``element`` is an example, as the buffer's subscripts, innermost dimension first.

    ``read`` is the place of the load among the operation's.
    """

    operation: str
    read: int
    buffer: str
    element: tuple[int, ...]


def undefined_loads(accelerator: Accelerator) -> tuple[UndefinedLoad, ...]:
    """The loads that get what nothing wrote, in program order; input streams and tables have all
    their elements. Where an address depends on data nothing is said.
    """
    known = {*accelerator.inputs, *(table.name for table in accelerator.nest.tables)}
    statements = list(zip(accelerator.operations, accelerator.scop.statements, strict=True))
    writes: dict[str, list[tuple[int, Statement]]] = {}
    for place, (_, statement) in enumerate(statements):
        writes.setdefault(statement.write.array, []).append((place, statement))
    vague = {s.write.array for _, s in statements if not s.write.exact}
    found: list[UndefinedLoad] = []
    for place, (operation, statement) in enumerate(statements):
        for number, access in enumerate(statement.reads):
            if access.array in known or access.array in vague or not access.exact:
                continue
            loops = [o.loops for o, _ in statements]
            left = _unwritten(access, statement, place, writes.get(access.array, []), loops)
            if not left.is_empty():
                element = _example(left)
                found.append(UndefinedLoad(operation.name, number, access.array, element))
    return tuple(found)


def _unwritten(
    access: Access,
    statement: Statement,
    place: int,
    writes: Sequence[tuple[int, Statement]],
    loops: Sequence[Sequence[object]],
) -> isl.Map:
    """Iterations with the elements that they load and nothing wrote before."""
    left = access.relation.intersect_domain(statement.domain)
    apart, together = [], []
    for other, writer in writes:
        shares = any(a is b for a, b in zip(loops[other], loops[place], strict=False))
        if shares:
            together.append(writer)
        elif other < place:
            apart.append(writer.write.relation.intersect_domain(writer.domain).range())
    if apart:
        elements = apart[0]
        for more in apart[1:]:
            elements = elements.union(more)
        left = left.subtract_range(elements.coalesce())
    for writer in together:
        if left.is_empty():
            break
        before = statement.schedule.intersect_domain(statement.domain).lex_gt_map(
            writer.schedule.intersect_domain(writer.domain)
        )
        left = left - before.apply_range(writer.write.relation.intersect_domain(writer.domain))
    return left


def _example(left: isl.Map) -> tuple[int, ...]:
    """The element of the first iteration that is left."""
    point = left.lexmin().range().lexmin().sample_point()
    return tuple(
        int(point.get_coordinate_val(SET, d).to_python()) for d in range(left.dim(isl.dim_type.out))
    )
