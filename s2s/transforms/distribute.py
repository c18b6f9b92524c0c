"""Loop distribution: statements in loops of their own below the loops that they share.

::

    for i: { for j: S1;  for j: { for k: S2; } }      for i: { for j: S1;  for k: for j: S2; }

The order of the new loops follows the dependences that the shared loops do not carry (Allen and
Kennedy, "Automatic translation of Fortran programs to vector form", 1987).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter

import islpy as isl

from s2s.analyses.dependences import by_statements
from s2s.scop.nodes import Scop
from s2s.scop.schedule import Dimension, Role, Schedule
from s2s.transforms.errors import NothingToGain
from s2s.transforms.units import direction


def distribute(
    scop: Scop, dependences: isl.UnionMap, orders: Mapping[str, tuple[int, ...]], shared: int
) -> Scop:
    """Statements with their loops in ``orders`` (iterators outside in), ``shared`` in common.

    The target schedule has the shared loops, the place among the distributed parts, and the other
    loops. Loops that are shared need not be the same ones in the source. Raises NotApplicable where
    the dependences allow no order of the parts.
    """
    ranks = _ranks(scop, dependences, orders, shared)
    length = max(len(order) for order in orders.values()) + 1
    maps = {}
    for statement in scop.statements:
        entries = [direction(statement, i) for i in orders[statement.name]]
        entries.insert(shared, str(ranks[statement.name]))
        entries += ["0"] * (length - len(entries))
        inputs = ", ".join(v.name for v in statement.iterators)
        text = f"{{ {statement.name}[{inputs}] -> [{', '.join(entries)}] }}"
        maps[statement.name] = isl.Map(text).intersect_domain(statement.domain)
    names = loop_names(scop, orders)
    names.insert(shared, "part")
    dimensions = tuple(Dimension(name, Role.BAND) for name in names)
    return replace(scop, target=Schedule(maps, dimensions, shared))


def _ranks(
    scop: Scop, dependences: isl.UnionMap, orders: Mapping[str, tuple[int, ...]], shared: int
) -> dict[str, int]:
    """Places of the statements in an order that all dependences inside the shared loops allow."""
    earlier: dict[str, list[str]] = {s.name: [] for s in scop.statements}
    for (source, target), relation in by_statements(dependences).items():
        if source == target:
            continue
        for depth in range(shared):
            relation = relation.equate(
                isl.dim_type.in_, orders[source][depth], isl.dim_type.out, orders[target][depth]
            )
        if not relation.is_empty():
            earlier[target].append(source)
    try:
        order = list(TopologicalSorter(earlier).static_order())
    except CycleError:
        raise NothingToGain(scop.span, "statements that depend on each other share loops") from None
    return {name: rank for rank, name in enumerate(order)}


def loop_names(scop: Scop, orders: Mapping[str, tuple[int, ...]]) -> list[str]:
    """The loops of the deepest statement in their new order."""
    statement = max(scop.statements, key=lambda s: s.depth)
    return [statement.iterators[i].spelling for i in orders[statement.name]]
