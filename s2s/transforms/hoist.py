"""One shared loop for all iterations of the sequential loops around it.

::

    parallel: for i: shared for j:               parallel: shared for j: for i:
                         for k: S(i, j, k)   ->                              for k: S(i, j, k)

Threads wait for each other after a shared loop; here they do so once in place of once for each
``i``. What is innermost stays so. Legal where an iteration of ``j`` depends on none of another
``j``: each thread then has its own lines of the recurrence along ``i``, in the source's order.
Several shared loops inside of ``i`` become one where equal values of their iterators are a line.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import field, replace
from typing import ClassVar

import islpy as isl

from s2s.analyses import legality
from s2s.analyses.extents import time_extent
from s2s.scop.nodes import Construct, Kind, Loop, Scop, Sequence, Statement, Tree
from s2s.scop.schedule import Dimension, Role, Schedule
from s2s.source.records import dataclass
from s2s.transforms.errors import NotApplicable, NothingToGain, OtherKind
from s2s.transforms.lines import in_lines
from s2s.transforms.parallelize import doall
from s2s.transforms.scop_pass import ScopPass
from s2s.transforms.transformed import Transformed
from s2s.transforms.units import direction


@dataclass(frozen=True)
class Hoist(ScopPass):
    """The pass: each thread has to get ``least`` iterations of the shared loop."""

    name: ClassVar[str] = "hoist"
    least: int = field(
        default=2, metadata={"help": "iterations of the shared loop for each thread"}
    )

    def run(self, scop: Scop, dependences: isl.UnionMap) -> Transformed:
        """Let a shared loop stand outside. Raises NotApplicable with the reason."""
        try:
            return self._hoisted(scop, dependences)
        except NotApplicable as problem:
            with suppress(NothingToGain):
                return in_lines(scop, self.least)
            raise problem from None

    def _hoisted(self, scop: Scop, dependences: isl.UnionMap) -> Transformed:
        outer, all_shared = _nest(scop)
        shared, place = all_shared[0], len(outer)
        if scop.carried or scop.storage or any(s.depth <= place for s in scop.statements):
            raise NothingToGain(scop.span, "statements stand outside of the shared loop")
        if all(s.depth == place + 1 for s in scop.statements):
            # Threads would walk across the rows that they walk along now.
            raise NothingToGain(scop.span, "the shared loop is the innermost one")
        for statement in scop.statements:
            for access in statement.accesses:
                if access.commutes is not None or scop.arrays[access.array].external:
                    raise NothingToGain(access.span, "an update or call keeps its place")
        turned = len(all_shared) == 1
        planned = doall(replace(scop, target=_schedule(scop, place, shared, turned)), 0)
        violation = legality.check(planned, dependences)
        if violation is not None:
            raise NotApplicable(scop.span, f"the shared loop keeps its place: {violation.reason}")
        around = ", ".join(f"'{loop.variable.spelling}'" for loop in outer)
        words = f"hoisted the shared loop over '{shared.variable.spelling}' out of {around}"
        if len(all_shared) > 1:
            words = f"one shared loop over '{shared.variable.spelling}' in place of "
            words += f"{len(all_shared)} inside of {around}"
        done = replace(planned, history=(words,))
        space = scop.context.get_space()
        enough = ((time_extent(planned, 0), self.least),)
        return Transformed(done, isl.Set.universe(space), enough)


def _nest(scop: Scop) -> tuple[list[Loop], list[Loop]]:
    """Sequential loops in a parallel region, and the shared loops that are all of their body."""
    loops: list[Loop] = []
    tree: Tree = scop.tree
    inside = False
    while True:
        if isinstance(tree, Sequence) and len(_working(tree)) == 1:
            (tree,) = _working(tree)
        elif isinstance(tree, Construct) and tree.kind is Kind.PARALLEL and not inside:
            inside, loops = True, []
            tree = tree.body
        elif isinstance(tree, Loop):
            loops.append(tree)
            tree = tree.body
        else:
            break
    parts = _working(tree) if isinstance(tree, Sequence) else [tree]
    shared = [loop for part in parts if (loop := _shared(part)) is not None]
    waits = [p for p in parts if isinstance(p, Construct) and p.kind is Kind.BARRIER]
    if not shared or len(shared) + len(waits) < len(parts):
        raise OtherKind(scop.span, "no shared loop alone in sequential loops")
    if not inside or not loops:
        raise OtherKind(scop.span, "no sequential loop around a shared loop")
    return loops, shared


def _shared(tree: Tree) -> Loop | None:
    """The loop that a construct shares out."""
    if not isinstance(tree, Construct) or tree.kind is not Kind.LOOP or tree.collapse != 1:
        return None
    body = tree.body
    while isinstance(body, Sequence) and len(_working(body)) == 1:
        (body,) = _working(body)
    return body if isinstance(body, Loop) else None


def _working(tree: Sequence) -> list[Tree]:
    return [c for c in tree.children if not isinstance(c, Sequence) or _working(c)]


def _schedule(scop: Scop, place: int, shared: Loop, turned: bool) -> Schedule:
    """The shared loop's iterator (``turned``: as it counts), then the source's own order."""
    maps = {s.name: _timed(s, place, turned) for s in scop.statements}
    length = max(item.dim(isl.dim_type.out) for item in maps.values())
    names = [shared.variable.name, *(f"order{i}" for i in range(1, length))]
    first, *others = names
    dimensions = (Dimension(first, Role.BAND), *(Dimension(n, Role.ORDER) for n in others))
    return Schedule(maps, dimensions, 1)


def _timed(statement: Statement, place: int, turned: bool) -> isl.Map:
    inputs = ", ".join(v.name for v in statement.iterators)
    line = direction(statement, place) if turned else statement.iterators[place].name
    text = f"{{ {statement.name}[{inputs}] -> [{line}] }}"
    first = isl.Map(text).intersect_domain(statement.domain)
    both = first.flat_range_product(statement.schedule.intersect_domain(statement.domain))
    return both.set_tuple_name(isl.dim_type.in_, statement.name)
