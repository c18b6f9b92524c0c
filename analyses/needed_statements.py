"""Statements of an innermost loop that every iteration has to run, however it is written.

What renaming, reordering, cutting and distribution cannot get rid of: a cost model that knows them
knows a lower bound.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import islpy as isl

from s2s.analyses.loop_carried import InnerLoop
from s2s.scop.fixed import Fixed, are_apart, fixed_outputs
from s2s.scop.nodes import Scop, Statement


def needed(loop: InnerLoop) -> list[Statement]:
    """Statements that every iteration has to run: what lasts, and what its scalars are set by."""
    whole = _whole(loop)
    lasting = {s.name for s in _lasting(loop.scop)}
    setters: dict[str, list[Statement]] = {}
    for statement in loop.scop.statements:
        for access in statement.accesses:
            if access.write:
                setters.setdefault(access.array, []).append(statement)
    waiting = [s for s in loop.statements if s.name in lasting & whole]
    found: dict[str, Statement] = {}
    while waiting:
        statement = waiting.pop()
        if statement.name in found:
            continue
        found[statement.name] = statement
        for access in statement.accesses:
            alone = setters.get(access.array, [])
            if not loop.scop.arrays[access.array].rank and len(alone) == 1:
                waiting += [s for s in alone if s.name in whole and s.name in loop.place]
    return [s for s in loop.statements if s.name in found]


def is_all_needed(loop: InnerLoop) -> bool:
    """Whether each statement runs in all iterations and surely sets what is seen behind the loop,
    or alone sets a scalar that another one reads.
    """
    arrays = loop.scop.arrays
    read = {a.array for s in loop.statements for a in s.accesses if not a.write}
    written = Counter(a.array for s in loop.statements for a in s.accesses if a.write)
    in_use = {name for name in read if not arrays[name].rank and written[name] == 1}
    lasting = {s.name for s in _lasting(loop.scop)}
    if len(_whole(loop)) < len(loop.statements):
        return False
    return all(s.name in lasting or in_use.issuperset(a.array for a in s.accesses if a.write)
               for s in loop.statements)  # fmt: skip


def _lasting(scop: Scop) -> Iterator[Statement]:
    """Statements whose values are seen behind the region: no other one can set their elements."""
    places: dict[str, list[Fixed]] = {}
    for statement in scop.statements:
        for access in statement.accesses:
            if access.write:
                places.setdefault(access.array, []).append(fixed_outputs(access.relation))
    for statement in scop.statements:
        written = [a for a in statement.accesses if a.write]
        if len(written) == 1 and not scop.arrays[written[0].array].dead:
            mine = fixed_outputs(written[0].relation)
            others = places[written[0].array]
            if sum(not are_apart(mine, place) for place in others) == 1:
                yield statement


def _whole(loop: InnerLoop) -> set[str]:
    """The statements that have an instance in all iterations, by name."""
    shapes: list[tuple[isl.Set, list[str]]] = []
    for statement in loop.statements:
        mine = statement.domain.set_tuple_name("S")
        for shape, names in shapes:
            if shape.plain_is_equal(mine):
                names.append(statement.name)
                break
        else:
            shapes.append((mine, [statement.name]))
    return {
        name for shape, names in shapes for name in names
        if all(other is shape or other.is_subset(shape) for other, _ in shapes)
    }  # fmt: skip
