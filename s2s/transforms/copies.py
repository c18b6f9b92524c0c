"""Removal of copies: two arrays exchange their roles instead of being copied in each iteration.

::

    for t: {                                    for t, two at a time: {
        for i: b[i] = f(a[i - 1], a[i + 1]);        for i: b[i] = f(a[i - 1], a[i + 1]);
        for i: a[i] = b[i];                 ->      for i: a[i] = f(b[i - 1], b[i + 1]);
    }                                           }
                                                for the one or two last t: as in the source

Elements that are not copied, such as boundaries, stay in the array that has them: statements that
read both kinds are split. Why it is right is said in ``analyses/roles.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace
from typing import ClassVar

import islpy as isl

from s2s.analyses import legality
from s2s.analyses.exchange import Exchange
from s2s.analyses.extents import constant, extent
from s2s.analyses.roles import NotExchangeable, Roles, roles
from s2s.scop.nodes import Access, Construct, Kind, Loop, Scop, Statement, walk
from s2s.scop.schedule import Dimension, Parallelism, Role, Schedule
from s2s.scop.trees import paths
from s2s.source.records import dataclass
from s2s.transforms.errors import NotApplicable, NothingToGain
from s2s.transforms.rename_arrays import Rename, part, split_by_names, under
from s2s.transforms.scop_pass import ScopPass
from s2s.transforms.split import vectorize_innermost
from s2s.transforms.transformed import Transformed

_IN, _OUT = isl.dim_type.in_, isl.dim_type.out
_KNOWN = frozenset({Kind.PARALLEL, Kind.LOOP, Kind.SIMD, Kind.BARRIER})


@dataclass(frozen=True)
class Copies(ScopPass):
    """The pass: ``steps`` iterations of the loop around, ``least`` copied elements along each
    dimension are worth the longer code.
    """

    name: ClassVar[str] = "copies"
    steps: int = field(default=6, metadata={"help": "iterations of the outer loop", "least": 1})
    least: int = field(
        default=8, metadata={"help": "copied elements along each dimension", "least": 1}
    )

    def run(self, scop: Scop, dependences: isl.UnionMap) -> Transformed:
        """Let arrays exchange their roles. Raises NotApplicable with the reason."""
        _check_constructs(scop)
        try:
            found = roles(scop)
        except NotExchangeable as problem:
            where = problem.statement.span if problem.statement else scop.span
            raise NothingToGain(where, str(problem)) from None
        roomy = _roomy(scop, found, self.least)
        if roomy.is_empty():
            raise NothingToGain(scop.span, "too few elements are copied")
        changed, proof = _exchanged(scop, found, roomy)
        moved = proof.dependences(scop, changed, dependences)
        if moved is None:
            raise NotApplicable(scop.span, "not legal: the arrays cannot exchange their roles")
        done = vectorize_innermost(_parallel(changed, scop, proof, moved, found), moved)
        pairs = ", ".join(
            f"'{scop.arrays[s.kept].spelling}' and '{scop.arrays[s.other].spelling}'"
            for s in found.swaps
        )
        words = f"{pairs} exchange roles instead of being copied"
        parts = found.parts
        steps = extent(parts.rest.union(parts.first).union(parts.second), 0)
        often = steps.add_constant_val(isl.Val(-self.steps)).nonneg_set()
        return Transformed(replace(done, history=(words,)), often, proof=proof)


def _check_constructs(scop: Scop) -> None:
    """Every statement runs once: in a worksharing loop wherever there are several threads."""
    for node in walk(scop.tree):
        if isinstance(node, Construct) and (node.kind not in _KNOWN or node.collapse != 1):
            raise NothingToGain(node.span, f"'{node.kind.value}' keeps its place")
    for statement in scop.statements:
        kinds = {n.kind for n in paths(scop.tree)[statement.name] if isinstance(n, Construct)}
        if Kind.PARALLEL in kinds and Kind.LOOP not in kinds:
            raise NotApplicable(statement.span, "every thread executes this statement")
        for access in statement.accesses:
            if access.commutes is not None:
                raise NothingToGain(access.span, "an update keeps its place")


def _roomy(scop: Scop, found: Roles, least: int) -> isl.Set:
    """Parameters for which many elements are copied along each dimension."""
    result = scop.context.intersect(scop.assumptions)
    for swap in found.swaps:
        for position in range(swap.elements.dim(isl.dim_type.set)):
            width = extent(swap.elements, position)
            if constant(width) != 1:  # one of several arrays
                result = result.intersect(width.add_constant_val(isl.Val(-least)).nonneg_set())
    return result.coalesce()


# -- statements -----------------------------------------------------------------------------


def _exchanged(scop: Scop, found: Roles, roomy: isl.Set) -> tuple[Scop, Exchange]:
    """The new program: pairs of iterations, exchanged in the second one, and what is left."""
    assumed = scop.assumptions.intersect(roomy.gist(scop.context)).coalesce()
    statements: list[Statement] = []
    maps: dict[str, isl.Map] = {}
    origins: dict[str, str] = {}
    exchanged: set[str] = set()
    for statement in scop.statements:
        for piece, phase, half in _pieces(scop, statement, found, roomy):
            statements.append(piece)
            maps[piece.name] = _times(statement, piece, found, phase, half)
            origins[piece.name] = statement.name
            if half:
                exchanged.add(piece.name)
    length = next(iter(maps.values())).dim(_OUT)
    dimensions = [
        Dimension("phase", Role.ORDER),
        Dimension(found.loop.variable.spelling, Role.BAND),
        *(Dimension(f"o{i}", Role.ORDER) for i in range(length - 2)),
    ]
    target = Schedule(maps, tuple(dimensions))
    changed = replace(scop, statements=tuple(statements), target=target, assumptions=assumed)
    return changed, Exchange(origins, frozenset(exchanged))


def _pieces(
    scop: Scop, statement: Statement, found: Roles, roomy: isl.Set
) -> Iterator[tuple[Statement, int, int]]:
    """The new statements for one of the source, each with its phase and half of a pair."""

    def when(times: isl.Set) -> isl.Set:
        return found.when(statement, times).intersect_params(roomy).coalesce()

    parts = found.parts
    if statement.name in found.copies:
        for times, phase in _ahead(parts.copied, found):
            domain = when(times)
            if not domain.is_empty():
                yield part(statement, f"{statement.name}_{phase}", domain), phase, 0
        return
    for times, name, phase in ((parts.first, "first", 1), (parts.rest, "rest", 2)):
        domain = when(times)
        if not domain.is_empty():
            yield part(statement, f"{statement.name}_{name}", domain), phase, 0
    rename = _exchange(scop, found)
    pieces = split_by_names(statement, when(parts.second), found.swap_of, rename)
    for number, piece in enumerate(pieces):
        yield under(piece, f"{statement.name}_swap{number}"), 1, 1


def _ahead(copied: isl.Set, found: Roles) -> list[tuple[isl.Set, int]]:
    """The copies that stay: those before all pairs, and those behind."""
    if not found.leading:
        return [(copied, 2)]
    first = copied.lexmin()
    return [(first, 0), (copied.subtract(first), 2)]


def _exchange(scop: Scop, found: Roles) -> Rename:
    """How an access names the other one of its pair of arrays."""

    def rename(access: Access) -> tuple[Access, str]:
        swap = found.swap_of(access.array)
        assert swap is not None
        partner = scop.arrays[swap.partner(access.array)]
        assert partner.base is not None
        relation = access.relation.set_tuple_name(_OUT, partner.name)
        return replace(access, array=partner.name, relation=relation), partner.base

    return rename


# -- schedule -------------------------------------------------------------------------------


def _times(statement: Statement, piece: Statement, found: Roles, phase: int, half: int) -> isl.Map:
    """Phase, (first) iteration of a pair, half, and the source's order within an iteration."""
    own = statement.schedule.intersect_domain(piece.domain.set_tuple_name(statement.name))
    loop = found.time(statement).intersect_domain(own.domain())
    shift = isl.Map(f"{{ [t] -> [{phase}, t - {half}, {half}] }}")
    inner = own.project_out(_OUT, 0, found.position + 1)
    times = loop.apply_range(shift).flat_range_product(inner)
    return times.set_tuple_name(_IN, piece.name)


def _parallel(
    after: Scop, before: Scop, proof: Exchange, dependences: isl.UnionMap, found: Roles
) -> Scop:
    """Mark the loops that the source's threads share. Raises NotApplicable where one is not."""
    shared: dict[int, set[str]] = {}
    places = paths(before.tree)
    for piece in after.statements:
        origin = before.statement(proof.origins[piece.name])
        position = _shared_position(places[origin.name], origin, found)
        if position is not None:
            shared.setdefault(position, set()).add(piece.name)
    for position, names in shared.items():
        assert after.target is not None
        marked = replace(
            after.target.dimensions[position],
            parallelism=Parallelism.DOALL, statements=frozenset(names),
        )  # fmt: skip
        after = replace(after, target=after.target.with_dimension(position, marked))
    violation = legality.check(after, dependences) if shared else None
    if violation is not None:
        raise NotApplicable(before.span, f"a loop cannot stay parallel: {violation.reason}")
    return after


def _shared_position(path: tuple[object, ...], statement: Statement, found: Roles) -> int | None:
    """The place in the new time vectors of the worksharing loop around a statement."""
    loops = [n for n in path if isinstance(n, Loop)]
    for index, node in enumerate(path):
        if isinstance(node, Construct) and node.kind is Kind.LOOP:
            inner = next((n for n in path[index:] if isinstance(n, Loop)), None)
            if inner is None or inner is found.loop:
                return None
            return _entry_of(statement, loops.index(inner)) - found.position - 1 + 3
    return None


def _entry_of(statement: Statement, iterator: int) -> int:
    """The place of an iterator in the source's time vectors."""
    function = isl.PwMultiAff.from_map(statement.schedule)
    pieces: list[isl.MultiAff] = []
    function.foreach_piece(lambda _, piece: pieces.append(piece))
    for row in range(statement.schedule.dim(_OUT)):
        if not pieces[0].get_at(row).get_coefficient_val(_IN, iterator).is_zero():
            return row
    raise NotApplicable(statement.span, "a loop has no place in time")
