"""Parallel loops where the source has none: the outermost ones that carry no dependence.

::

    for t: {                                  for t: {
        for i: a[i][...] = f(b[i]...);            parallel for i: a[i][...] = f(b[i]...);
        for i: b[i][...] = g(a[...][i]);   ->     parallel for i: b[i][...] = g(a[...][i]);
    }                                         }

The order stays as it is (R. Allen and K. Kennedy, "Optimizing Compilers for Modern Architectures",
section 6.2: loops parallel outside). It is asked with ``--parallel`` about what no pass reorders.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import field, replace
from typing import ClassVar

import islpy as isl

from s2s.analyses import legality
from s2s.analyses.extents import constant, extent, share_of, time_extent
from s2s.analyses.vector_cost import VECTOR_BYTES, Compiler, cycles
from s2s.scop.nodes import Construct, Scop, Statement, walk
from s2s.scop.schedule import Parallelism
from s2s.source.records import dataclass
from s2s.transforms.carry_elements import chains_inside
from s2s.transforms.errors import NotApplicable, NothingToGain, OtherKind
from s2s.transforms.parallelize import doall
from s2s.transforms.reschedule import source_order
from s2s.transforms.scop_pass import Form, Look, ScopPass
from s2s.transforms.simd import vectorize_blocked
from s2s.transforms.transformed import Transformed

_SET, _IN, _OUT = isl.dim_type.set, isl.dim_type.in_, isl.dim_type.out
# A loop that never has more iterations than this is left to one thread if others can be shared.
_FEW = 16
# Iterations of the shared loop for each thread, whatever is inside.
_LEAST_ROWS = 2
# A loop inside of a statement's text has so many iterations, where nothing says how many.
_UNKNOWN = 20
# One that touches no elements but computes: so many of three cycles each.
_COMPUTED = 60
# No iteration is cheaper, in cycles.
_LEAST_CYCLES = 1 / 64


@dataclass(frozen=True)
class Doall(ScopPass):
    """The pass: to each thread ``work`` estimated cycles, at least, of a parallel loop.

    Threads that wait in a loop start in 1 to 5 us, threads that sleep (``OMP_WAIT_POLICY=passive``,
    busy processors) in up to 50: as long as ``work`` takes at 3 GHz. The cycles of an iteration are
    those of ``vector_cost``. What numbers leave of them is asked of the product of the others.
    """

    name: ClassVar[str] = "doall"
    form: ClassVar[Form] = Form.REST
    looks_for: ClassVar[frozenset[Look]] = frozenset({Look.LOOP, Look.OUTER})
    own_loops: ClassVar[bool] = True
    work: int = field(
        default=131072, metadata={"help": "estimated cycles for each thread", "least": 1}
    )
    parallel: bool = field(default=False, metadata={"help": "add parallel loops"})
    force: bool = field(default=False, metadata={"help": "for all sizes"})
    compiler: Compiler = field(
        default="gcc", metadata={"help": "the compiler that has to vectorize the new code"}
    )

    def run(self, scop: Scop, dependences: isl.UnionMap) -> Transformed:
        """Keep the source's order. Raises NotApplicable with the reason."""
        if not self.parallel:
            raise OtherKind(scop.span, "parallel loops are added with --parallel")
        check_movable(scop)
        place, planned = share_outermost(scop, dependences)
        if self.compiler == "gcc":
            threads = replace(planned, outlined=True)
            planned = replace(vectorize_blocked(threads, dependences), outlined=scop.outlined)
        each = iteration_cycles(scop, planned, place, dependences, self.compiler)
        return self._where_long(planned, place, each)

    def with_chains(self, scop: Scop, dependences: isl.UnionMap) -> Transformed:
        """The same with locals that carry elements along innermost loops. Raises NotApplicable."""
        done = self.run(scop, dependences)
        chains = chains_inside(done.scop)
        if not any(chain.needed for chain in chains):
            raise NothingToGain(scop.span, "compilers see which elements are read again")
        assert done.scop.target is not None
        words = f"{done.scop.history[0]}, elements carried in locals"
        target = replace(done.scop.target, rotated=chains)
        scop = replace(done.scop, target=target, history=(words,))
        return replace(done, scop=scop, shares=False)

    def _where_long(self, scop: Scop, place: int, each: float) -> Transformed:
        """The result with the sizes for which each thread has enough to do.

        An innermost iteration takes ``each`` cycles.
        """
        assert scop.target is not None
        deepest = _deepest(scop, scop.target.dimensions[place].statements)
        depth = depth_of(scop, deepest, place)
        name = deepest.iterators[depth].spelling
        enough = isl.Set.universe(scop.context.get_space()) if self.force else given(scop)
        outer = _in_numbers(time_extent(scop, place), enough)
        extents = (_in_numbers(e, enough) for e in extents_inside(deepest, depth + 1))
        inner, work = share_of(extents, math.ceil(self.work / each))
        for length in inner:
            enough = enough.intersect(length.add_constant_val(isl.Val(-1)).nonneg_set())
        least = work if not inner else _LEAST_ROWS
        enough_rows = outer.add_constant_val(isl.Val(-2 * least)).nonneg_set()
        if scop.context.intersect(enough).intersect(enough_rows).is_empty():
            raise NothingToGain(scop.span, "the loops are too short for threads")
        done = replace(scop, history=(f"parallel loop over '{name}'",))
        together = ((outer, *inner), work) if inner else None
        return Transformed(done, enough, ((outer, least),), work=together, shares=True)


def check_movable(scop: Scop) -> None:
    """Raise NotApplicable for what keeps its place."""
    for node in walk(scop.tree):
        if isinstance(node, Construct):
            raise NothingToGain(node.span, f"'{node.kind.value}' keeps its place")
    if scop.carried:
        name = next(iter(scop.carried.values())).spelling
        raise NotApplicable(scop.span, f"'{name}' carries values between the loops")
    for access in (a for s in scop.statements for a in s.accesses):
        if access.commutes is not None or scop.arrays[access.array].external:
            raise NothingToGain(access.span, "an update or call keeps its place")


def given(scop: Scop) -> isl.Set:
    """The parameters with the numbers that all calls in sight give the function.

    Threads run the loops in a function of their own, where compilers do not know of these numbers;
    so the new code is for them alone, and spells them.
    """
    everything = isl.Set.universe(scop.context.get_space())
    numbers = scop.given() if scop.given is not None else {}
    asked = [f"{p.name} = {numbers[p.spelling]}" for p in scop.parameters if p.spelling in numbers]
    if not asked:
        return everything
    names = ", ".join(scop.parameter_names())
    found = isl.Set(f"[{names}] -> {{ : {' and '.join(asked)} }}")
    found = found.align_params(everything.get_space())
    return everything if found.intersect(scop.context).is_empty() else found


def _in_numbers(length: isl.PwAff, known: isl.Set) -> isl.PwAff:
    """The length of a loop, as a number where it is one for the parameters that are known."""
    held = length.intersect_params(known)
    if known.is_equal(isl.Set.universe(known.get_space())) or held.domain().is_empty():
        return length
    least, most = held.min_val(), held.max_val()
    if not (least.is_int() and least.eq(most)):
        return length
    return isl.PwAff.val_on_domain(length.domain().params(), most)


# -- which loop ---------------------------------------------------------------------------------


def share_outermost(scop: Scop, dependences: isl.UnionMap) -> tuple[int, Scop]:
    """The outermost loop that can be shared, by its place, and the SCoP with it marked.

    A loop over several statements or nests may be one for some of them only. The order is the
    source's. Raises NotApplicable.
    """
    scop = replace(scop, target=source_order(scop))
    assert scop.target is not None
    short: tuple[int, Scop] | None = None
    for place in range(len(scop.target.dimensions)):
        looping = {s.name for s in scop.statements if _is_loop(scop, s, place)}
        planned = _shared(scop, place, looping, dependences) if looping else None
        if planned is None:
            continue
        number = constant(time_extent(scop, place))
        if number is None or number > _FEW:
            return place, planned
        short = short or (place, planned)
    if short is None:
        raise NotApplicable(scop.span, "every loop carries a dependence")
    return short


def _shared(scop: Scop, place: int, looping: set[str], dependences: isl.UnionMap) -> Scop | None:
    """All loops there are shared, else those of them for which that is legal; or None."""
    everywhere = doall(scop, place)
    if len(looping) == len(scop.statements) and _is_legal(everywhere, dependences):
        return everywhere
    assert scop.target is not None
    found: Scop | None = None
    names: frozenset[str] = frozenset()
    for inside in _loops(scop, place):
        if not inside <= looping:
            continue
        dimension = replace(
            scop.target.dimensions[place],
            parallelism=Parallelism.DOALL, statements=names | inside,
        )  # fmt: skip
        attempt = replace(scop, target=scop.target.with_dimension(place, dimension))
        if _is_legal(attempt, dependences):
            found, names = attempt, names | inside
    return found


def _loops(scop: Scop, place: int) -> list[frozenset[str]]:
    """The loops at an entry of the time vectors, each as the statements inside.

    Statements are in one loop where the entries before it may be the same.
    """
    assert scop.target is not None
    found: list[tuple[isl.Set, frozenset[str]]] = []
    for statement in scop.statements:
        times = scop.target.maps[statement.name].intersect_domain(statement.domain).range()
        around = times.project_out(_SET, place, times.dim(_SET) - place)
        inside = frozenset({statement.name})
        apart = []
        for other, names in found:
            if other.is_disjoint(around):
                apart.append((other, names))
            else:
                around, inside = around.union(other), inside | names
        found = [*apart, (around, inside)]
    return [names for _, names in found]


def _fixed(scop: Scop, statement: Statement, place: int) -> int | None:
    """The number that an entry of a statement's time vectors always is, if it is one."""
    assert scop.target is not None
    times = scop.target.maps[statement.name].intersect_domain(statement.domain).range()
    value = times.plain_get_val_if_fixed(_SET, place)
    return None if value.is_nan() else int(value.to_python())


def _is_legal(scop: Scop, dependences: isl.UnionMap) -> bool:
    return legality.check(scop, dependences) is None


def _is_loop(scop: Scop, statement: Statement, place: int) -> bool:
    """Whether an entry of a statement's time vectors varies."""
    return _fixed(scop, statement, place) is None


def shared_loops(scop: Scop) -> Iterator[str]:
    """The iterators, by their names in isl, of the outermost loops that threads share."""
    assert scop.target is not None
    dimensions = enumerate(scop.target.dimensions)
    sequential = (Parallelism.NONE, Parallelism.SIMD)
    place, dimension = next((p, d) for p, d in dimensions if d.parallelism not in sequential)
    for statement in scop.statements:
        if dimension.holds_for((statement.name,)) and _is_loop(scop, statement, place):
            yield statement.iterators[depth_of(scop, statement, place)].name


def depth_of(scop: Scop, statement: Statement, place: int) -> int:
    """Which of its iterators an entry of a statement's time vectors counts.

    Raises NotApplicable.
    """
    assert scop.target is not None
    times = scop.target.maps[statement.name]
    times = times.project_out(_OUT, place + 1, times.dim(_OUT) - place - 1)
    entry = times.project_out(_OUT, 0, place).gist_domain(statement.domain)
    for depth in range(statement.depth):
        if entry.involves_dims(_IN, depth, 1):
            return depth
    raise NothingToGain(scop.span, "the loop never runs, or once")


# -- how long it runs ---------------------------------------------------------------------------


def _deepest(scop: Scop, shared: frozenset[str] | None) -> Statement:
    """The statement that runs most often among those that threads share."""
    among = [s for s in scop.statements if shared is None or s.name in shared]
    return max(among, key=lambda s: len(extents_inside(s, 0)))


def shares_deepest(scop: Scop, place: int) -> bool:
    """Whether threads share one of the statements that run most often, by the loops around them."""
    assert scop.target is not None
    shared = scop.target.dimensions[place].statements
    depths = {s.name: _varying(s) for s in scop.statements}
    return max(d for n, d in depths.items() if shared is None or n in shared) == max(
        depths.values()
    )


def _varying(statement: Statement) -> int:
    """How many of the loops around a statement have more than one iteration."""
    return sum(constant(length) != 1 for length in extents_inside(statement, 0))


def iteration_cycles(
    scop: Scop, planned: Scop, place: int, dependences: isl.UnionMap, compiler: Compiler
) -> float:
    """Estimated cycles of an innermost iteration of what threads share, one loop by another.

    Of a statement that is kept whole with loops of known lengths inside, a compiler makes vectors:
    it writes these loops out.
    """
    assert planned.target is not None
    each = cycles(replace(scop, target=source_order(scop)), dependences, compiler)
    deepest = _deepest(planned, planned.target.dimensions[place].statements)
    inside = extents_inside(deepest, deepest.depth)
    if inside and all((constant(length) or _FEW + 1) <= _FEW for length in inside):
        touched = {a.array for a in deepest.accesses if scop.arrays[a.array].rank}
        widest = max((scop.arrays[name].element_size or 4 for name in touched), default=4)
        each *= widest / VECTOR_BYTES
    return max(each, _LEAST_CYCLES)


def extents_inside(statement: Statement, first: int) -> list[isl.PwAff]:
    """How often loops run at most: those from the ``first`` on, then those in the text itself.

    A statement that is kept whole has as many iterations as one instance may touch elements of the
    array of which it touches most.
    """
    domain = statement.domain.reset_tuple_id()
    found = [extent(domain, place) for place in range(first, statement.depth)]
    if not statement.opaque:
        return found
    touched = (a.relation.intersect_domain(statement.domain) for a in statement.accesses)
    inside = max(map(_free, touched), key=len, default=[])
    if not inside and statement.loops:
        inside = [isl.PwAff.val_on_domain(statement.domain.params(), isl.Val(_COMPUTED))]
    return found + inside


def _free(relation: isl.Map) -> list[isl.PwAff]:
    """The extents of an access along those subscripts that one instance does not determine.

    Subscripts that data decide have a few values.
    """
    return [_width(relation, place) for place in _undetermined(relation)]


def _width(relation: isl.Map, place: int) -> isl.PwAff:
    """How many values a subscript may have for one instance, at most."""
    alone = relation.project_out(_OUT, place + 1, relation.dim(_OUT) - place - 1)
    alone = alone.project_out(_OUT, 0, place)
    if not alone.range().dim_is_bounded(_SET, 0):
        return isl.PwAff.val_on_domain(relation.params(), isl.Val(_UNKNOWN))
    width = alone.dim_max(0).sub(alone.dim_min(0)).add_constant_val(isl.Val(1))
    return isl.Map.from_pw_aff(width).range().dim_max(0).coalesce()


def _undetermined(relation: isl.Map) -> Iterator[int]:
    count = relation.dim(_OUT)
    for place in range(count):
        alone = relation.project_out(_OUT, place + 1, count - place - 1)
        if not alone.project_out(_OUT, 0, place).is_single_valued():
            yield place
