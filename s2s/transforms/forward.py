"""Forwarding: a local array that is filled and then copied is not needed.

::

    for i: t[i] = f(i);                    for i: b[i] = f(i);
    for i: b[i] = t[i];         ->

Copy propagation for a whole array. Why it is right is said in ``analyses/propagation.py``.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import ClassVar

import islpy as isl

from s2s.analyses.extents import extent
from s2s.analyses.propagation import Forward as Found
from s2s.analyses.propagation import Forwarding, forward, words
from s2s.analyses.roles import NotExchangeable, Swap
from s2s.scop.nodes import Access, Construct, Kind, Scop, Statement, walk
from s2s.scop.schedule import Dimension, Role, Schedule
from s2s.source.records import dataclass
from s2s.transforms.errors import NotApplicable, NothingToGain
from s2s.transforms.rename_arrays import Rename, split_by_names, under
from s2s.transforms.scop_pass import Form, Look, ScopPass
from s2s.transforms.split import vectorize_innermost
from s2s.transforms.transformed import Transformed

_OUT = isl.dim_type.out
# With fewer elements along a dimension boundaries are not apart: more and smaller parts.
_ROOM = 4


@dataclass(frozen=True)
class Forward(ScopPass):
    """The pass: rows of ``least`` copied elements are worth a guard."""

    name: ClassVar[str] = "forward"
    form: ClassVar[Form] = Form.SEQUENCE
    looks_for: ClassVar[frozenset[Look]] = frozenset({Look.COPY})
    least: int = field(default=24, metadata={"help": "copied elements in a row", "least": 1})

    def run(self, scop: Scop, dependences: isl.UnionMap) -> Transformed:
        """Fill the array that is copied to. Raises NotApplicable with the reason."""
        for node in walk(scop.tree):
            if isinstance(node, Construct) and node.kind is not Kind.SIMD:
                raise NothingToGain(node.span, f"'{node.kind.value}' keeps its place")
        try:
            found = forward(scop)
        except NotExchangeable as problem:
            where = problem.statement.span if problem.statement else scop.span
            raise NotApplicable(where, str(problem)) from None
        for statement in scop.statements:
            if _accumulates(statement, found.swap.other):
                name = scop.arrays[found.swap.other].spelling
                raise NotApplicable(statement.span, f"an element of '{name}' may be in a register")
        changed, proof = _forwarded(scop, found, _wide(scop, found, _ROOM))
        moved = proof.dependences(scop, changed, dependences)
        if moved is None:
            raise NotApplicable(scop.span, "not legal: other memory would change values")
        done = vectorize_innermost(changed, moved)
        source, target = (scop.arrays[n].spelling for n in (found.swap.other, found.swap.kept))
        text = f"'{target}' is filled in place of '{source}', which was copied to it"
        often = _wide(scop, found, self.least, rows=True)
        return Transformed(replace(done, history=(text,)), often, proof=proof)


def _accumulates(statement: Statement, array: str) -> bool:
    """Whether an innermost loop stays at an element, which compilers keep for a local array."""
    depth = statement.depth
    space = statement.domain.get_space().map_from_set()
    rows = isl.Map.universe(space).order_lt(isl.dim_type.in_, depth - 1, _OUT, depth - 1)
    for position in range(depth - 1):
        rows = rows.equate(isl.dim_type.in_, position, _OUT, position)
    return depth > 0 and any(
        not a.relation.apply_range(a.relation.reverse()).intersect(rows).is_empty()
        for a in statement.accesses
        if a.array == array
    )


def _wide(scop: Scop, found: Found, least: int, *, rows: bool = False) -> isl.Set:
    """Parameters for which many elements are copied along each dimension, or in each of the rows.

    Raises NotApplicable where there are none.
    """
    result = scop.context.intersect(scop.assumptions)
    count = found.swap.elements.dim(isl.dim_type.set)
    for position in range(count - 1 if rows else 0, count):
        width = extent(found.swap.elements, position).add_constant_val(isl.Val(-least))
        result = result.intersect(width.nonneg_set())
    if result.is_empty():
        raise NothingToGain(scop.span, "too few elements are copied")
    return result.coalesce()


def _forwarded(scop: Scop, found: Found, roomy: isl.Set) -> tuple[Scop, Forwarding]:
    """The program without the copy, in the source's order."""

    def swap_of(array: str) -> Swap | None:
        return found.swap if array == found.swap.other else None

    rename = _to_other(found)
    origins: dict[str, str] = {}
    statements: list[Statement] = []
    for statement in scop.statements[:-1]:
        domain = statement.domain.intersect_params(roomy).coalesce()
        for number, piece in enumerate(split_by_names(statement, domain, swap_of, rename)):
            piece = replace(piece, uses=piece.uses | words(found.text))
            statements.append(under(piece, f"{statement.name}_{number}"))
            origins[statements[-1].name] = statement.name
    length = statements[0].schedule.dim(_OUT)
    maps = {s.name: s.schedule.intersect_domain(s.domain) for s in statements}
    dimensions = tuple(Dimension(f"o{i}", Role.ORDER) for i in range(length))
    assumed = scop.assumptions.intersect(roomy.gist(scop.context)).coalesce()
    changed = replace(
        scop, statements=tuple(statements), target=Schedule(maps, dimensions), assumptions=assumed
    )
    return changed, Forwarding(origins)


def _to_other(found: Found) -> Rename:
    """How an access to a copied element names the one that it is copied to."""

    def rename(access: Access) -> tuple[Access, str]:
        relation = access.relation.apply_range(found.places)
        return replace(access, array=found.swap.kept, relation=relation), found.text

    return rename
