"""Two arrays that may exchange their roles: a copy between them, in each iteration, is not needed.

::

    for t: { X; A[W] = B[W]; }      ->      for t, t + 1: { X; X with A[W] and B[W] exchanged; }

``X`` is all that an iteration does but the copies, ``W`` the elements that are copied. Why both are
the same: let ``s`` exchange the contents of A and B within W. Executing X with the names exchanged
is executing ``s``, X and ``s`` again, whatever X does. Without the copy, A[W] has its old values
when the next iteration begins, B[W] the ones that should be in A: exchanged, A is right and B[W] is
stale. If X sets all of B[W] in each iteration, and reads none of it before, then nobody sees what
is stale. After two iterations the names are as they were, A is right and B[W] is stale; one more
iteration as it stands in the source leaves B as it should be.

Where the copies come first in an iteration, they belong to the end of the one before.
"""

from __future__ import annotations

import islpy as isl

from s2s.scop.nodes import Access, Loop, Scop, Statement, Tree
from s2s.scop.trees import paths
from s2s.source.records import dataclass

_SET, _IN, _OUT = isl.dim_type.set, isl.dim_type.in_, isl.dim_type.out


class NotExchangeable(Exception):
    """Why a loop has no arrays that may exchange their roles, and at which statement."""

    def __init__(self, statement: Statement | None, reason: str) -> None:
        super().__init__(reason)
        self.statement = statement


@dataclass(frozen=True)
class Swap:
    """A pair of arrays: ``copies`` (statements) set ``elements`` of ``kept`` to those of ``other``.

    ``elements`` are subscripts, the same of both arrays, in a space without a name.
    """

    kept: str
    other: str
    copies: tuple[str, ...]
    elements: isl.Set

    def partner(self, array: str) -> str:
        return self.other if array == self.kept else self.kept


@dataclass(frozen=True)
class Parts:
    """Sets of points in time, iterations of the loop counted upwards.

    The ``first`` and ``second`` iterations of pairs, and what runs as in the source: ``rest`` of
    what is not copied, ``copied`` of the copies.
    """

    first: isl.Set
    second: isl.Set
    rest: isl.Set
    copied: isl.Set


@dataclass(frozen=True)
class Roles:
    """A loop in which pairs of arrays may exchange roles.

    ``position`` is its place in time vectors. ``leading``: the copies come first in an iteration,
    else last.
    """

    loop: Loop
    position: int
    swaps: tuple[Swap, ...]
    leading: bool
    parts: Parts

    @property
    def copies(self) -> frozenset[str]:
        return frozenset(name for swap in self.swaps for name in swap.copies)

    def time(self, statement: Statement) -> isl.Map:
        """From a statement's instances to iterations of the loop."""
        return _entry(statement, self.position)

    def when(self, statement: Statement, times: isl.Set) -> isl.Set:
        """The instances of a statement that run in some iterations."""
        return self.time(statement).intersect_range(times).domain()

    def swap_of(self, array: str) -> Swap | None:
        return next((s for s in self.swaps if array in (s.kept, s.other)), None)


def roles(scop: Scop) -> Roles:
    """The pairs of arrays of the outermost loop. Raises NotExchangeable."""
    if scop.order is not None or scop.guards or scop.tested or scop.carried or scop.storage:
        raise NotExchangeable(None, "the order of the statements depends on data or blocks")
    loop = _outer_loop(scop)
    if abs(loop.step) != 1:
        raise NotExchangeable(None, "the outer loop leaves out iterations")
    found = _copies(scop)
    position = _position(scop, found[0])
    range_ = _range(scop, position)
    swaps = _exchangeable(scop, found, position, range_)
    copies = [scop.statement(name) for swap in swaps for name in swap.copies]
    others = [s for s in scop.statements if s not in copies]
    if not others:
        raise NotExchangeable(copies[0], "the loop does nothing but copy")
    leading = _leading(others, copies, position)
    return Roles(loop, position, swaps, leading, _parts(range_, leading=leading))


def _exchangeable(
    scop: Scop, found: tuple[Swap, ...], position: int | None, range_: isl.Set
) -> tuple[Swap, ...]:
    """The pairs that may exchange their roles, each for itself. Raises NotExchangeable."""
    swaps, problems = [], []
    for swap in found:
        try:
            _check_elements(scop, swap, position, range_)
            check_sets(scop, swap, position, range_)
            swaps.append(swap)
        except NotExchangeable as problem:
            problems.append(problem)
    if not swaps:
        raise problems[-1]
    arrays = [name for swap in swaps for name in (swap.kept, swap.other)]
    if len(set(arrays)) < len(arrays):
        raise NotExchangeable(None, "an array takes part in several copies")
    return tuple(swaps)


# -- the loop and its copies ----------------------------------------------------------------


def _outer_loop(scop: Scop) -> Loop:
    """The loop around all statements."""
    found: set[int] = set()
    loop: Loop | None = None
    for statement in scop.statements:
        loop = next((n for n in _path(scop, statement) if isinstance(n, Loop)), None)
        found.add(id(loop))
    if len(found) != 1 or loop is None:
        raise NotExchangeable(None, "no loop around a copy between arrays")
    return loop


def _path(scop: Scop, statement: Statement) -> tuple[Tree, ...]:
    return paths(scop.tree).get(statement.name, ())


def _copies(scop: Scop) -> tuple[Swap, ...]:
    """The pairs of arrays between which the loop copies. Raises NotExchangeable."""
    found: dict[tuple[str, str], tuple[tuple[str, ...], isl.Set]] = {}
    for statement in scop.statements:
        pair = copied_arrays(scop, statement)
        if pair is None:
            continue
        elements = statement.accesses[0].relation.intersect_domain(statement.domain).range()
        elements = elements.reset_tuple_id()
        names, known = found.get(pair, ((), None))
        elements = elements if known is None else known.union(elements).coalesce()
        found[pair] = ((*names, statement.name), elements)
    if not found:
        raise NotExchangeable(None, "no copy between two arrays")
    return tuple(Swap(*pair, *item) for pair, item in found.items())


def copied_arrays(scop: Scop, statement: Statement) -> tuple[str, str] | None:
    """The array that a statement sets to elements of another one, and the other one.

    None where it does anything else, or where the subscripts or the shapes differ.
    """
    assignment = statement.assignment
    if assignment is None or assignment.operation or assignment.copied is None:
        return None
    writes = [a for a in statement.accesses if a.write]
    reads = [a for a in statement.accesses if not a.write]
    if len(writes) != 1 or len(reads) != 1 or assignment.copied not in reads[0].spans:
        return None
    (write,), (read,) = writes, reads
    one, other = scop.arrays[write.array], scop.arrays[read.array]
    shapes = [(a.rank, a.row_rank, a.sizes, a.flat, a.element_size) for a in (one, other)]
    exact = write.exact and read.exact and write.relation.is_single_valued()
    if not exact or shapes[0] != shapes[1] or not one.rank or one.row_rank or one is other:
        return None
    same = read.relation.set_tuple_name(_OUT, one.name).is_equal(write.relation)
    typed = write.type == read.type and bool(write.type) and bool(one.base and other.base)
    return (one.name, other.name) if same and typed else None


# -- time -----------------------------------------------------------------------------------


def _position(scop: Scop, swap: Swap) -> int:
    """The place of the outer loop in all time vectors."""
    statement = scop.statement(swap.copies[0])
    for position in range(statement.schedule.dim(_OUT)):
        if statement.schedule.plain_get_val_if_fixed(_OUT, position).is_nan():
            return position
    raise NotExchangeable(statement, "no loop around a copy between arrays")


def _entry(statement: Statement, position: int | None) -> isl.Map:
    """One entry of a statement's time vectors; without a position all is one iteration."""
    if position is None:
        return isl.Map.from_domain_and_range(statement.domain, isl.Set("{ [0] }"))
    time = statement.schedule.intersect_domain(statement.domain)
    time = time.project_out(_OUT, position + 1, time.dim(_OUT) - position - 1)
    return time.project_out(_OUT, 0, position)


def _range(scop: Scop, position: int) -> isl.Set:
    """The iterations of the outer loop, which have no gaps."""
    known = scop.assumptions.intersect(scop.context)
    found: isl.Set | None = None
    for statement in scop.statements:
        times = _entry(statement, position).range()
        found = times if found is None else found.union(times)
    assert found is not None
    found = found.intersect_params(known).coalesce()
    ends = found.lexmin().flat_product(found.lexmax())
    between = isl.Map("{ [l, h] -> [t] : l <= t <= h }").intersect_domain(ends).range()
    if not between.is_subset(found):
        raise NotExchangeable(None, "the outer loop leaves out iterations")
    return found


def _parts(range_: isl.Set, *, leading: bool) -> Parts:
    """How iterations are paired; one or two stay, so that the last one is as in the source."""
    known = range_.flat_product(range_.lexmin()).flat_product(range_.lexmax())

    def where(condition: str) -> isl.Set:
        chosen = known.intersect(isl.Set(f"{{ [t, l, h] : {condition} }}"))
        return chosen.project_out(_SET, 1, 2).coalesce()

    pairs = "2 * floor((h - l) / 2)"
    return Parts(
        first=where("(t - l) mod 2 = 0 and t + 2 <= h"),
        second=where("(t - l) mod 2 = 1 and t + 1 <= h"),
        rest=where(f"t - l >= {pairs}"),
        copied=where(f"t = l or t - l > {pairs}" if leading else f"t - l >= {pairs}"),
    )


def _leading(others: list[Statement], copies: list[Statement], position: int | None) -> bool:
    """Whether all copies of an iteration run before the rest of it; False for all after it."""
    before = after = False
    for copy in copies:
        for other in others:
            pairs = together(copy, other, position)
            before = before or not pairs.intersect(_earlier(copy, other)).is_empty()
            after = after or not pairs.intersect(_later(copy, other)).is_empty()
    if before and after:
        raise NotExchangeable(copies[0], "the copy is in the middle of an iteration")
    return before


def is_behind(one: Statement, other: Statement) -> bool:
    """Whether no instance of a statement runs before one of another."""
    pairs = isl.Map.from_domain_and_range(one.domain, other.domain)
    return bool(pairs.intersect(_earlier(one, other)).is_empty())


def together(one: Statement, other: Statement, position: int | None) -> isl.Map:
    """Pairs of instances in one iteration of the outer loop."""
    return _entry(one, position).apply_range(_entry(other, position).reverse())


def _earlier(one: Statement, other: Statement) -> isl.Map:
    return one.schedule.lex_lt_map(other.schedule)


def _later(one: Statement, other: Statement) -> isl.Map:
    return one.schedule.lex_gt_map(other.schedule)


# -- elements -------------------------------------------------------------------------------


def _check_elements(scop: Scop, swap: Swap, position: int | None, range_: isl.Set) -> None:
    """Each iteration copies the same elements, of arrays that nothing else may touch."""
    everything = isl.Map.from_domain_and_range(range_, swap.elements)
    if not everything.is_subset(_at(scop, swap.copies, swap.kept, position)):
        where = scop.statement(swap.copies[0])
        raise NotExchangeable(where, "iterations copy different elements")
    for pair in scop.may_alias:
        if pair & {swap.kept, swap.other}:
            names = " and ".join(sorted(f"'{scop.arrays[n].spelling}'" for n in pair))
            raise NotExchangeable(scop.statement(swap.copies[0]), f"{names} may overlap")


def _at(scop: Scop, statements: tuple[str, ...], array: str, position: int | None) -> isl.Map:
    """From iterations of the outer loop to elements that statements are sure to write then."""
    rank = scop.arrays[array].rank
    found = isl.Map(f"{{ [t] -> [{', '.join(f'e{i}' for i in range(rank))}] : false }}")
    for name in statements:
        statement = scop.statement(name)
        for access in statement.accesses:
            if access.array == array and access.write and access.exact:
                item = _entry(statement, position).reverse().apply_range(access.relation)
                found = found.union(item.reset_tuple_id(_OUT))
    return found


def check_sets(scop: Scop, swap: Swap, position: int | None, range_: isl.Set) -> None:
    """Each iteration sets all of the elements that it copies, and reads none of them before."""
    others = [s for s in scop.statements if s.name not in swap.copies]
    name = scop.arrays[swap.other].spelling
    everything = isl.Map.from_domain_and_range(range_, swap.elements)
    if not everything.is_subset(_at(scop, tuple(s.name for s in others), swap.other, position)):
        where = scop.statement(swap.copies[0])
        raise NotExchangeable(where, f"not all of what is copied from '{name}' is set before")
    elements = swap.elements.set_tuple_name(swap.other)
    writes = [
        (s, a) for s in others for a in s.accesses
        if a.array == swap.other and a.write and a.exact
    ]  # fmt: skip
    for statement in others:
        for access in statement.accesses:
            if access.array != swap.other or access.write:
                continue
            read = access.relation.intersect_domain(statement.domain).intersect_range(elements)
            if not read.is_single_valued():
                raise NotExchangeable(
                    statement, f"which elements of '{name}' are read is not known"
                )
            for writer, write in writes:
                pairs = read.apply_range(write.relation.intersect_domain(writer.domain).reverse())
                pairs = pairs.intersect(together(statement, writer, position))
                read = read.subtract(
                    read.intersect_domain(pairs.intersect(_later(statement, writer)).domain())
                )
            if not read.is_empty():
                raise NotExchangeable(statement, f"'{name}' is read before it is set again")


def sides(swap: Swap, access: Access, domain: isl.Set) -> tuple[isl.Set, isl.Set]:
    """Instances of a domain all of whose elements are exchanged, and those with none of them."""
    relation = access.relation.intersect_domain(domain)
    inside = relation.intersect_range(swap.elements.set_tuple_name(access.array))
    touching = relation.domain()
    return touching.subtract(relation.subtract(inside).domain()), domain.subtract(inside.domain())
