"""Index-set splitting: conditions on the iterators leave the code that runs most often.

::

    for i: for j: {                         for i: {
        if (j == 0) d = first(i);             { d = first(i); b[i][0] = a[i][0] + d; }
        else d = inner(i, j);           ->    for j > 0: { d = inner(i, j); b[i][j] = a[i][j] + d; }
        b[i][j] = a[i][j] + d; }            }

Each statement becomes several: the bulk of its instances, whose text is specialised, and the rest,
specialised too where there are few cases. Their order in time is that of the one statement.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import ClassVar

import islpy as isl

from s2s.analyses import legality
from s2s.analyses.extents import extent
from s2s.analyses.outer_lanes import is_contiguous
from s2s.scop.nodes import Construct, Kind, Loop, Scop, Sequence, Statement, walk
from s2s.scop.schedule import Parallelism, Role, Schedule
from s2s.source.records import dataclass
from s2s.transforms.cut_statements import cut_statements, piece_of
from s2s.transforms.errors import NotApplicable, NothingToGain
from s2s.transforms.parallelize import doall, simd
from s2s.transforms.reschedule import source_order
from s2s.transforms.scop_pass import ScopPass
from s2s.transforms.specialize import Path, decide
from s2s.transforms.transformed import Transformed

# With more pieces than this the rest of a statement stays one, with its text as it is.
_MOST_PIECES = 9
# A side of a condition that is never wider than this along a dimension is a boundary.
_BOUNDARY = 8


@dataclass(frozen=True)
class Split(ScopPass):
    """The pass: takes boundary conditions out of inner loops that do not vectorize with them."""

    name: ClassVar[str] = "split"
    depth: int = field(default=2, metadata={"help": "least number of loops around", "least": 1})

    def run(self, scop: Scop, dependences: isl.UnionMap) -> Transformed:
        """Keep the source's order, split its statements. Raises NotApplicable with the reason."""
        if max(s.depth for s in scop.statements) < self.depth:
            raise NothingToGain(scop.span, "the loops are too shallow to split")
        outer, parallel = _outer_loop(scop)
        _all_pieces(scop)  # most regions have nothing to split, and an order takes its time
        apart, mapping = split(replace(scop, target=source_order(scop, (outer.variable.spelling,))))
        apart = doall(apart, 0) if parallel else apart
        moved = dependences.apply_domain(mapping).apply_range(mapping)
        violation = legality.check(apart, moved)
        if violation is not None:
            raise NotApplicable(scop.span, f"the loop cannot stay parallel: {violation.reason}")
        apart = vectorize_innermost(apart, moved)
        if not _has_vectors(apart):
            raise NotApplicable(scop.span, "the innermost loop does not vectorize when split")
        done = replace(apart, history=("split at the boundaries",))
        return Transformed(done, _long_rows(scop), instances=mapping)


def _long_rows(scop: Scop) -> isl.Set:
    """Parameters for which innermost loops are longer than their boundaries."""
    result = isl.Set.empty(scop.context.get_space())
    for statement in scop.statements:
        row = extent(statement.domain.reset_tuple_id(), statement.depth - 1)
        result = result.union(row.add_constant_val(isl.Val(-_BOUNDARY)).nonneg_set())
    return result.coalesce()


def split_further(done: Transformed, dependences: isl.UnionMap) -> Transformed:
    """Split the statements that another pass has scheduled, where that gains something."""
    if done.instances is not None or done.proof is not None:
        return done
    try:
        apart, mapping = split(done.scop)
    except NotApplicable:
        return done
    moved = dependences.apply_domain(mapping).apply_range(mapping)
    (words,) = apart.history
    apart = replace(apart, history=(f"{words}, split at the boundaries",))
    return replace(done, scop=vectorize_innermost(apart, moved), instances=mapping)


def split(scop: Scop) -> tuple[Scop, isl.UnionMap]:
    """Split each statement whose bulk is straight code, or walks along memory, where the whole was
    or did not.

    Also returns the relation from the old to the new instances. Raises NotApplicable where no
    statement gains.
    """
    pieces = _all_pieces(scop)
    target = scop.target
    if target is not None:
        maps = {
            piece.name: _renamed(target.maps[old], piece)
            for old, parts in pieces.items() for piece in parts
        }  # fmt: skip
        target = cut_innermost(replace(target, maps=maps))
    changed, mapping = cut_statements(scop, pieces)
    return replace(changed, target=target), mapping


def _all_pieces(scop: Scop) -> dict[str, tuple[Statement, ...]]:
    """The pieces of each statement. Raises NotApplicable where no statement has several."""
    if scop.guards:
        raise NotApplicable(scop.span, "conditions on data name the statements that they guard")
    pieces = {s.name: _pieces(scop, s) for s in scop.statements}
    if all(len(p) == 1 for p in pieces.values()):
        raise NothingToGain(scop.span, "no boundary conditions keep inner loops from vectorizing")
    return pieces


def cut_innermost(schedule: Schedule) -> Schedule:
    """With an innermost loop that the emitter cuts where statements begin and end."""
    for position in reversed(range(len(schedule.dimensions))):
        dimension = schedule.dimensions[position]
        if dimension.role is Role.TILE:
            return schedule
        if any(_moves(item, position) for item in schedule.maps.values()):
            return schedule.with_dimension(position, replace(dimension, role=Role.ORDER))
    return schedule


def _renamed(relation: isl.Map, piece: Statement) -> isl.Map:
    return relation.set_tuple_name(isl.dim_type.in_, piece.name).intersect_domain(piece.domain)


def _pieces(scop: Scop, statement: Statement) -> tuple[Statement, ...]:
    """The bulk of a statement and the rest of it, or the statement alone.

    The rest is specialised, too, where that makes few pieces.
    """
    bulk = Path(statement.domain, ())
    for choice, taken in decide(statement, scop.context, is_boundary):
        bulk = bulk.taking(choice, taken=taken)
    if not bulk.edits or bulk.control(statement) or bulk.domain.is_equal(statement.domain):
        return (statement,)
    if not statement.control and not _starts_to_walk(scop, statement, bulk.domain):
        return (statement,)
    rest = statement.domain.subtract(bulk.domain)
    paths = _paths(statement, Path(rest, ()))
    if len(paths) >= _MOST_PIECES:
        paths = [Path(rest, ())]
    names = [statement.name, *(f"{statement.name}_edge{i + 1}" for i in range(len(paths)))]
    return tuple(
        replace(
            piece_of(statement, name, path.domain.coalesce()),
            edits=path.all_edits(statement), control=path.control(statement),
        )
        for name, path in zip(names, [bulk, *paths], strict=True)
    )  # fmt: skip


def _starts_to_walk(scop: Scop, statement: Statement, bulk: isl.Set) -> bool:
    """Whether the innermost loop walks along memory in the bulk, but not as a whole."""
    last = statement.depth - 1
    if last < 0 or is_contiguous(scop, statement, last):
        return False
    return is_contiguous(scop, piece_of(statement, statement.name, bulk), last)


def _paths(statement: Statement, path: Path, first: int = 0) -> list[Path]:
    """All ways through a statement's conditions, at most ``_MOST_PIECES``."""
    for position in range(first, len(statement.choices)):
        choice = statement.choices[position]
        if path.drops(choice.span):
            continue
        sides = [path.taking(choice, taken=taken) for taken in (True, False)]
        sides = [side for side in sides if not side.domain.is_empty()]
        found: list[Path] = []
        for side in sides:
            found += _paths(statement, side, position + 1)
            if len(found) >= _MOST_PIECES:
                break
        return found
    return [path]


# -- which side of a condition is a boundary ----------------------------------------------------


def is_boundary(part: isl.Set, whole: isl.Set) -> bool:
    """Whether a part of a domain is thin: on a hyperplane, or a few points wide along a dimension
    that is wider as a whole.
    """
    free = _dimension(whole)
    long = [i for i in range(whole.dim(isl.dim_type.set)) if _exceeds(whole, i, 4 * _BOUNDARY)]
    for basic in part.coalesce().get_basic_sets():
        piece = isl.Set.from_basic_set(basic)
        if _dimension(piece) < free:
            continue
        if all(_exceeds(piece, i, _BOUNDARY) for i in long):
            return False
    return True


def _dimension(part: isl.Set) -> int:
    """Dimension of the affine hull, parameters taken as numbers."""
    found = 0
    for basic in part.get_basic_sets():
        hull = isl.Set.from_basic_set(basic).affine_hull()
        count, local = hull.dim(isl.dim_type.set), hull.dim(isl.dim_type.div)
        equal = [
            c for c in hull.get_constraints()
            if c.is_equality() and c.involves_dims(isl.dim_type.set, 0, count)
            and not c.involves_dims(isl.dim_type.div, 0, local)
        ]  # fmt: skip
        found = max(found, count - len(equal))
    return found


def _exceeds(part: isl.Set, position: int, width: int) -> bool:
    """Whether a dimension has more values than ``width`` for some parameters."""
    if part.is_empty():
        return False
    values = extent(part.reset_tuple_id(), position)
    return not values.add_constant_val(isl.Val(-width - 1)).nonneg_set().is_empty()


# -- schedule -----------------------------------------------------------------------------------


def _outer_loop(scop: Scop) -> tuple[Loop, bool]:
    """The loop around everything and whether it is a worksharing one."""
    tree, parallel = scop.tree, False
    while not isinstance(tree, Loop):
        if isinstance(tree, Sequence) and len(tree.children) == 1:
            (tree,) = tree.children
        elif isinstance(tree, Construct) and _keeps_order(tree):
            parallel = parallel or tree.kind is Kind.LOOP
            tree = tree.body
        else:
            raise NothingToGain(scop.span, "no single loop around the region")
    for node in walk(tree.body):
        if isinstance(node, Construct) and node.kind is not Kind.SIMD:
            raise NothingToGain(node.span, f"'{node.kind.value}' keeps its place")
    for access in (a for s in scop.statements for a in s.accesses):
        if access.commutes is not None or scop.arrays[access.array].external:
            raise NothingToGain(access.span, "an update or call keeps its place")
    return tree, parallel


def _keeps_order(construct: Construct) -> bool:
    """Whether the new code can say what a construct says: a static, plain worksharing loop."""
    clauses = dict(construct.clauses)
    scheduled = clauses.get("schedule", "static").replace(" ", "")
    plain = construct.collapse == 1 and scheduled == "static" and "ordered" not in clauses
    return construct.kind in (Kind.PARALLEL, Kind.LOOP, Kind.SIMD) and plain


def vectorize_innermost(scop: Scop, dependences: isl.UnionMap) -> Scop:
    """Mark the innermost loop as a vector loop where that is proved.

    The emitter says so only for those of its loops whose statements are straight code.
    """
    schedule = scop.target
    assert schedule is not None
    for position in reversed(range(len(schedule.dimensions))):
        dimension = schedule.dimensions[position]
        if dimension.role is Role.TILE or dimension.parallelism is not Parallelism.NONE:
            return scop
        if any(_moves(item, position) for item in schedule.maps.values()):
            attempt = simd(scop, position)
            return attempt if legality.check(attempt, dependences) is None else scop
    return scop


def _has_vectors(scop: Scop) -> bool:
    assert scop.target is not None
    return any(d.parallelism is Parallelism.SIMD for d in scop.target.dimensions)


def _moves(times: isl.Map, position: int) -> bool:
    """Whether a time entry is not a constant."""
    return bool(times.plain_get_val_if_fixed(isl.dim_type.out, position).is_nan())
