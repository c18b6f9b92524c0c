"""PoPP: explicit parallelism as happens-before, then fusion, skewing, tiling and a pipeline.

Chapter 3 of the dissertation by Chatarasi. Tasks or parallel loops inside a sequential loop (time,
mostly) become one permutable band; tiles of it run as a doacross nest. The gain is locality: a tile
uses rows again while they are in the cache, where the source sweeps over whole arrays.

Where the source says nothing of parallelism its order is all that happens before, and the same
schedule is looked for. Tiles run one after another then, or as a doacross nest with ``--parallel``.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import ClassVar, Literal

import islpy as isl

from s2s.analyses import legality, synchronization
from s2s.analyses.extents import iteration_count
from s2s.scop.nodes import Construct, Kind, Loop, Scop, Sequence, Tree, walk
from s2s.scop.schedule import Role
from s2s.scop.trees import paths
from s2s.source.records import dataclass
from s2s.transforms.errors import NotApplicable, NothingToGain, OtherKind
from s2s.transforms.parallelize import wait_for_tiles
from s2s.transforms.reschedule import reschedule
from s2s.transforms.rows import check_rows, one_after_another, reads_beside
from s2s.transforms.scop_pass import ScopPass
from s2s.transforms.side_by_side import side_by_side
from s2s.transforms.tile import tile
from s2s.transforms.transformed import Transformed
from s2s.transforms.units import Unit, find_units

# isl's time grows with the cube of this, and it does not count it towards its budget.
_MOST_UNITS = 12
# What gains where the caches hold everything.
_WITHOUT_TILES = ("copies",)
# How many times the rows that a tile along time needs there are, for sequential loops.
_TILES = 4
_PARALLEL = frozenset({Kind.TASK, Kind.TASKLOOP, Kind.LOOP})


@dataclass(frozen=True)
class Popp(ScopPass):
    """The pass: its option fields are the tile sizes along the sequential loop and the next one."""

    name: ClassVar[str] = "popp"
    sizes: tuple[int, ...] = field(
        default=(16, 8),
        metadata={
            "help": "tile sizes along time and rows",
            "tune": ((8, 8), (16, 16), (32, 8), (32, 16)),
        },
    )
    plane_sizes: tuple[int, ...] = field(
        default=(4, 8, 8),
        metadata={
            "help": "tile sizes along time, planes and rows",
            "tune": ((4, 4, 16), (8, 8, 8), (4, 16, 16)),
        },
    )
    chunk: int = field(
        default=32, metadata={"help": "tiles along time between two barriers", "least": 1}
    )
    emit: Literal["auto", "doacross", "wavefront", "tasks"] = field(
        default="auto", metadata={"help": "how tiles run in parallel"}
    )
    least_steps: int = field(
        default=4, metadata={"help": "iterations of the sequential loop for each thread"}
    )
    pipeline_fill: int = field(
        default=2, metadata={"help": "rows for each thread, in skews of a tile along time"}
    )
    least_bytes: int = field(
        default=768 * 1024, metadata={"help": "memory below which caches hold everything anyway"}
    )
    line_sizes: tuple[int, ...] = field(
        default=(32, 1024),
        metadata={
            "help": "tile sizes along time and arrays of one dimension",
            "tune": ((8, 512), (16, 1024), (32, 2048), (64, 1024)),
        },
    )
    shortest: int = field(
        default=64, metadata={"help": "elements of rows below which sequential loops stay"}
    )
    pair_gain: float = field(
        default=1.2, metadata={"help": "how many times less two rows load together to be a pair"}
    )
    parallel: bool = field(
        default=False, metadata={"help": "run tiles of sequential loops in parallel, too"}
    )

    def run(self, scop: Scop, dependences: isl.UnionMap) -> Transformed:
        """Fuse, skew, tile and pipeline a region. Raises NotApplicable with the reason."""
        outer = _sequential_loop(scop)
        declared = _declares_parallelism(outer)
        _check_statements(scop)
        lines = max(statement.depth for statement in scop.statements) == 2
        units = find_units(scop, rows=not lines)
        sizes = self.line_sizes if lines else self._tile_sizes(scop, units)
        _check_reuse(scop, outer)
        if not declared or lines:
            check_rows(scop, dependences)
        if not (declared or reads_beside(scop)):
            raise NotApplicable(outer.span, "steps do not read what earlier ones left beside")
        if len(units) > _MOST_UNITS:
            raise NotApplicable(scop.span, f"{len(units)} statements are too many for one schedule")
        planned = reschedule(scop, dependences, rows=not lines)
        if legality.permutable_band(planned, dependences) < len(sizes):
            raise NotApplicable(outer.span, f"no {len(sizes)} loops can be permuted, even skewed")
        if declared or self.parallel:
            done = self._pipelined(planned, dependences, units, sizes, lines)
            return done if declared else replace(done, otherwise=_WITHOUT_TILES)
        tiled = tile(planned, sizes)
        if lines:
            tiled = one_after_another(tiled, units, len(sizes))
        else:
            tiled = self._in_pairs(tiled, dependences, units, sizes)
        words = ", ".join(_steps(tiled, len(units))) + f" and tiled {_spelled(sizes)}"
        return Transformed(
            replace(tiled, history=(words,)), self._is_large(scop, sizes), (), self.least_bytes,
            otherwise=_WITHOUT_TILES,
        )  # fmt: skip

    def _pipelined(
        self, planned: Scop, dependences: isl.UnionMap, units: tuple[Unit, ...],
        sizes: tuple[int, ...], lines: bool,
    ) -> Transformed:  # fmt: skip
        """The band in tiles that threads share."""
        form = self._form(planned, sizes)
        # A diagonal has no strips of any width, and no row at which all its tiles begin.
        single = form != "wavefront"
        tiled = tile(planned, sizes, chunk=self.chunk * sizes[0], elastic=single)
        tiled = one_after_another(tiled, units, len(sizes)) if lines else tiled
        done = wait_for_tiles(tiled, form, first=1)
        done = self._in_pairs(done, dependences, units, sizes) if single and not lines else done
        steps = _steps(tiled, len(units))
        words = ", ".join([*steps, f"tiled {_spelled(sizes)} and {_FORMS[form]}"])
        counts = [self._least_steps(sizes), self._least_rows(sizes)]
        deep = _deepest(planned)
        per_thread = tuple((iteration_count(deep, i), n) for i, n in enumerate(counts))
        everywhere = isl.Set.universe(planned.context.get_space())
        return Transformed(
            replace(done, history=(words,)), everywhere, per_thread, self.least_bytes
        )

    def _in_pairs(
        self, tiled: Scop, dependences: isl.UnionMap, units: tuple[Unit, ...],
        sizes: tuple[int, ...],
    ) -> Scop:  # fmt: skip
        """Tiles with pairs of rows in them, where that gains and is legal."""
        changed = side_by_side(tiled, units, len(sizes), gain=self.pair_gain)
        legal = changed is not None and legality.check(changed, dependences) is None
        return changed if changed is not None and legal else tiled

    def _least_steps(self, sizes: tuple[int, ...]) -> int:
        """Iterations of the sequential loop that a thread has to get."""
        return min(self.least_steps, sizes[0])

    def _least_rows(self, sizes: tuple[int, ...]) -> int:
        """Rows, or elements of a line, that a thread has to get."""
        return self.pipeline_fill * max(2 * sizes[0], sizes[1] if sizes == self.line_sizes else 0)

    def _is_large(self, scop: Scop, sizes: tuple[int, ...]) -> isl.Set:
        """That tiles of one thread gain: enough steps, many times a tile's rows, long ones."""
        deep = _deepest(scop)
        least = [self._least_steps(sizes), self._least_rows(sizes)]
        if sizes != self.line_sizes:
            # A tile along time goes through its own rows and two more for each step.
            least[1] = max(least[1], _TILES * (sizes[1] + 2 * sizes[0]))
            least += [1] * (len(sizes) - 2) + [self.shortest]
        result = isl.Set.universe(scop.context.get_space())
        for place, count in enumerate(least):
            more = iteration_count(deep, place).add_constant_val(isl.Val(-count))
            result = result.intersect(more.nonneg_set())
        if result.is_empty():
            raise NotApplicable(
                scop.span, "there are too few rows for tiles, or they are too short"
            )
        return result.coalesce()

    def _form(self, planned: Scop, sizes: tuple[int, ...]) -> synchronization.Form:
        """How tiles wait for each other: as asked for, or what is estimated to be cheapest."""
        if self.emit != "auto":
            return self.emit
        return synchronization.cheapest(
            synchronization.grids(planned, sizes, chunk=self.chunk, elastic=True)
        )

    def _tile_sizes(self, scop: Scop, units: tuple[Unit, ...]) -> tuple[int, ...]:
        """One size for each loop around the rows of the deepest statements."""
        depth = max(unit.depth for unit in units)
        if depth not in (2, 3):
            raise NothingToGain(scop.span, "statements are not in two or three loops around a row")
        if not any(s.depth > u.depth for u in units for s in map(scop.statement, u.statements)):
            raise NotApplicable(scop.span, "the pipeline's iterations would be too small")
        return self.sizes if depth == 2 else self.plane_sizes


_FORMS = {
    "doacross": "pipelined 2 loops",
    "wavefront": "ran 2 loops as wavefronts",
    "tasks": "made tasks of 2 loops",
}


def _deepest(scop: Scop) -> Scop:
    """The region with the deepest statements alone: rows of boundaries count for nothing."""
    depth = max(statement.depth for statement in scop.statements)
    return replace(scop, statements=tuple(s for s in scop.statements if s.depth == depth))


def _steps(scop: Scop, units: int) -> list[str]:
    """What was done before tiling, in words."""
    return ["fused"] * (units > 1) + ["skewed"] * _is_skewed(scop)


def _spelled(sizes: tuple[int, ...]) -> str:
    return "x".join(map(str, sizes))


def _is_skewed(scop: Scop) -> bool:
    """Whether a BAND dimension combines several iterators."""
    assert scop.target is not None
    first = scop.target.count(Role.TILE)
    for position, dimension in enumerate(scop.target.dimensions):
        if dimension.role is Role.BAND and position > first:
            for item in scop.target.maps.values():
                row = item.project_out(isl.dim_type.out, position + 1,
                                       item.dim(isl.dim_type.out) - position - 1)  # fmt: skip
                row = row.project_out(isl.dim_type.out, 0, position)
                if row.involves_dims(isl.dim_type.in_, 0, 1):
                    return True
    return False


def _sequential_loop(scop: Scop) -> Loop:
    """The outermost loop, when it runs in order and has parallel constructs inside."""
    tree: Tree = scop.tree
    while True:
        if isinstance(tree, Construct) and tree.kind in (Kind.PARALLEL, Kind.SINGLE, Kind.MASTER):
            tree = tree.body
        elif isinstance(tree, Sequence) and len(_working(tree)) == 1:
            (tree,) = _working(tree)
        else:
            break
    if not isinstance(tree, Loop):
        raise OtherKind(scop.span, "no sequential loop around the parallel constructs")
    if not _declares_parallelism(tree):
        _check_sequential(tree)
        return tree
    for path in paths(scop.tree).values():
        if not _is_parallel(path, tree):
            where = path[-1].span if tree in path else tree.span
            raise NotApplicable(where, "this part of the loop is not parallel")
    return tree


def _declares_parallelism(loop: Loop) -> bool:
    """Whether there are tasks or worksharing loops inside."""
    return any(isinstance(n, Construct) and n.kind in _PARALLEL for n in walk(loop.body))


def _check_sequential(loop: Loop) -> None:
    """Raise NotApplicable for what keeps its place in a loop without parallel constructs."""
    for node in walk(loop.body):
        if isinstance(node, Construct) and node.kind is not Kind.SIMD:
            raise OtherKind(node.span, f"'{node.kind.value}' keeps its place")
    if not any(isinstance(node, Loop) for node in walk(loop.body)):
        raise OtherKind(loop.span, "there are no loops inside of the loop")


def _working(tree: Sequence) -> list[Tree]:
    """A sequence without waiting points, which the end of the new region implies."""
    return [
        c for c in tree.children
        if not (isinstance(c, Construct) and c.kind in (Kind.TASKWAIT, Kind.BARRIER))
    ]  # fmt: skip


def _is_parallel(path: tuple[Tree, ...], outer: Loop) -> bool:
    """Whether a statement is in a task or distributed loop below ``outer`` (waits are)."""
    below = path[path.index(outer) + 1 :] if outer in path else path
    last = path[-1]
    if isinstance(last, Construct):
        return True
    return any(isinstance(n, Construct) and n.kind in _PARALLEL for n in below)


def _check_statements(scop: Scop) -> None:
    for statement in scop.statements:
        for access in statement.accesses:
            if access.commutes is not None:
                raise NotApplicable(statement.span, "atomic and critical updates keep their place")
            if scop.arrays[access.array].external:
                raise NotApplicable(access.span, "a call may do anything")


def _check_reuse(scop: Scop, outer: Loop) -> None:
    """Iterations of the outer loop touch again what earlier ones have written."""
    written = {a.array for s in scop.statements for a in s.accesses if a.write}
    name = outer.variable.spelling
    for access in (a for s in scop.statements for a in s.accesses):
        swept = access.array in written and scop.arrays[access.array].rank > 0
        if swept and not _comes_back(access.relation):
            raise NothingToGain(access.span, f"iterations of '{name}' use different elements")


def _comes_back(relation: isl.Map) -> bool:
    """Whether an element is touched by iterations of the outermost loop that are two apart."""
    depth = relation.dim(isl.dim_type.in_)
    outer = relation.project_out(isl.dim_type.in_, 1, depth - 1).reset_tuple_id(isl.dim_type.in_)
    later = isl.Map("{ [t] -> [t + 2] }").apply_range(outer)
    return not outer.intersect(later).is_empty()
