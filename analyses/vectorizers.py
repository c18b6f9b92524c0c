"""What the vectorizers of gcc 12 and clang 19 do with an innermost loop, as far as is known.

Both keep the order of statements: vectors of the first one, then of the second one, and so on. They
differ in what they make of scalars that carry a value into the next iteration, and in what they
clean up before (docs/cost-model.md says what was seen of which).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import islpy as isl

from s2s.analyses import forwarding, registers, run_time_checks
from s2s.analyses.dependence_graph import Kind
from s2s.analyses.loop_carried import Carried, InnerLoop
from s2s.scop.fixed import are_apart, fixed_outputs
from s2s.scop.nodes import Access, Statement
from s2s.scop.remembered import remembered
from s2s.scop.schedule import Parallelism

Compiler = Literal["gcc", "clang"]

VECTOR_BYTES = 32
LEAST_VECTOR_BYTES = 16
_IN = isl.dim_type.in_


def lanes(loop: InnerLoop, compiler: Compiler = "gcc") -> int:
    """Elements of a vector: of the widest type, and no more than a recurrence allows."""
    widest = VECTOR_BYTES // _element_size(loop)
    for item in _ordering(loop, compiler):
        if item.distance is not None and _is_backward(loop, item):
            while widest > item.distance:
                widest //= 2
    return max(1, widest)


def _element_size(loop: InnerLoop) -> int:
    sizes = [loop.scop.arrays[a.array].element_size or 4 for s in loop.statements
             for a in s.accesses]  # fmt: skip
    return max(1, min(VECTOR_BYTES, max(sizes, default=4)))


def obstacle(loop: InnerLoop, compiler: Compiler, *, reassociate: bool) -> str | None:
    """Why a compiler makes no vector loop of this one; None if it does."""
    if is_told(loop):
        return _not_in_lanes(loop, reassociate=reassociate)
    for statement in loop.statements:
        if any(loop.scop.arrays[a.array].external for a in statement.accesses):
            return "a call may do anything"
        reason = _condition(loop, statement, compiler, reassociate=reassociate)
        if reason:
            return reason
        for access in statement.accesses:
            one = access.write and _is_register(loop, access.array)
            if one and registers.stays_in_memory(loop.scop, access.array):
                spelled = loop.scop.arrays[access.array].spelling
                return f"'{spelled}' stays in memory: other pointers may lead to it"
    reason = _unknown_place(loop)
    if reason:
        return reason
    for item in flows_of_scalars(loop):
        reason = _recurrence(loop, item, compiler, reassociate=reassociate)
        if reason:
            return reason
    for item in _ordering(loop, compiler):
        reason = _order(loop, item, compiler) or _handing_on(loop, item, compiler)
        if reason:
            return reason
    return _comparisons(loop, compiler)


def _comparisons(loop: InnerLoop, compiler: Compiler) -> str | None:
    """More places that may be the same memory than a compiler compares; clang's limit is open."""
    if compiler != "gcc":
        return None
    pairs = run_time_checks.compared_pairs(loop)
    if pairs <= run_time_checks.LIMIT:
        return None
    return f"gcc would have to compare {pairs} pairs of places that may overlap"


def is_told(loop: InnerLoop) -> bool:
    """Whether the new code says that nothing speaks against vectors (``omp simd``)."""
    target = loop.scop.target
    if target is None or loop.body.position >= len(target.dimensions):
        return False
    dimension = target.dimensions[loop.body.position]
    return dimension.parallelism is Parallelism.SIMD and dimension.masked


def _not_in_lanes(loop: InnerLoop, *, reassociate: bool) -> str | None:
    """What a compiler cannot do in all lanes even if it is told to: calls, and stores under a
    condition to what the iteration does not store anyway.
    """
    for place, statement in enumerate(loop.statements):
        if statement.straight or (statement.assignment is not None and reassociate):
            continue
        if statement.assignment is not None:
            return "a call, or a choice, keeps to single iterations"
        before = [a for s in loop.statements[:place] if s.straight for a in s.accesses]
        own = statement.accesses
        for access in (a for a in own if a.write and not a.exact):
            sure = (a for a in (*before, *own) if a.write and a.exact)
            if not any(same_element(a, access) for a in sure):
                return "a condition decides what is stored"
    return None


def _unknown_place(loop: InnerLoop) -> str | None:
    """What is read at a place that data decide, while other pointers are stored through.

    Compilers compare the ends of what pointers lead to as a loop runs, and there are none here.
    """
    arrays = loop.scop.arrays
    unclear = {
        name for name, a in arrays.items()
        if a.pointed and (loop.scop.outlined or not a.restricted)
    }  # fmt: skip
    stored = {
        a.array for s in loop.statements for a in s.accesses if a.write and arrays[a.array].rank
    }
    for statement in loop.statements:
        for access in statement.accesses:
            array = arrays[access.array]
            if access.write or not array.rank or access.relation.is_single_valued():
                continue
            if any(not unclear.isdisjoint((array.name, name)) for name in stored - {array.name}):
                return f"data decide which element of '{array.spelling}' is read"
    return None


def _handing_on(loop: InnerLoop, item: Carried, compiler: Compiler) -> str | None:
    """What speaks against vectors although the order of the statements would be kept."""
    if compiler == "clang" and forwarding.prevents_vectors(loop, item, _element_size(loop)):
        return f"vectors of '{_spelled(loop, item)}' would wait for the stores before"
    return None


def _condition(
    loop: InnerLoop, statement: Statement, compiler: Compiler, *, reassociate: bool
) -> str | None:
    """What speaks against doing a conditional statement in all lanes."""
    guarded = any(statement.name in names for names in loop.scop.guards.values())
    if statement.straight and not guarded:
        return None
    if compiler == "gcc" and not reassociate:
        return "gcc keeps operations under a condition that may trap"
    for access in statement.accesses:
        array = loop.scop.arrays[access.array]
        lives_on = access.write and not array.rank and not array.dead
        if compiler == "clang" and lives_on and not _is_reduction(loop, access.array):
            return f"the last value of '{array.spelling}' depends on a condition"
    return None


def _order(loop: InnerLoop, item: Carried, compiler: Compiler) -> str | None:
    """What speaks against vectors of whole statements one after the other.

    Compilers check a distance that parameters tell as the loop runs. clang sees that elements are
    read before they are written, however far ahead.
    """
    if item.distance is None and item.uniform:
        return None
    ahead = compiler == "clang" and item.kind is Kind.ANTI and not _is_backward(loop, item)
    if item.distance is None and not ahead and not _is_in_order(item):
        return f"how far the uses of '{_spelled(loop, item)}' are apart is not known"
    if not _is_backward(loop, item) or _is_in_order(item):
        return None
    least = LEAST_VECTOR_BYTES // _element_size(loop)
    if item.distance is not None and item.distance >= max(2, least):
        return None
    return f"'{item.target}' needs what a later statement did in an earlier iteration"


def _is_in_order(item: Carried) -> bool:
    """Whether a vector store, element by element, does all that is to be done in order."""
    return item.distance is None and item.kind is Kind.OUTPUT and item.source == item.target


def _is_backward(loop: InnerLoop, item: Carried) -> bool:
    """Whether vectors of statements, in their order, would do the second of two accesses first.

    A statement reads all that it reads before it writes.
    """
    place = loop.place
    if item.source == item.target:
        return item.kind is not Kind.ANTI
    return place[item.source] > place[item.target]


def _ordering(loop: InnerLoop, compiler: Compiler) -> Iterator[Carried]:
    """The dependences that bind a compiler: not those of scalars, of which each lane has one.

    clang leaves out stores that the same iteration overwrites before it looks at dependences, and
    knows that an element copied to others of its array keeps its value.
    """
    dead = set(map(id, _overwritten(loop))) if compiler == "clang" else set()
    for item in loop.carried:
        if item.accesses is not None and any(id(a) in dead for a in item.accesses):
            continue
        if compiler == "clang" and _spreads(loop, item.array):
            continue
        if not (item.scalar and _is_register(loop, item.array)):
            yield item


def _spreads(loop: InnerLoop, array: str) -> bool:
    """Whether all that happens to an array is that one of its elements is copied to others."""
    found: list[Access] = []
    for statement in loop.statements:
        mine = [a for a in statement.accesses if a.array == array]
        reads = [a for a in mine if not a.write]
        if not mine:
            continue
        if not forwarding.is_copy(statement) or len(reads) != 1:
            return False
        if not loop.is_scalar(statement, reads[0]):
            return False
        steps = [loop.steps(statement, a) for a in mine if a.write]
        if any(s[-1:] not in ((1,), (-1,)) for s in steps):
            return False  # vectors of elements with gaps are not worth it
        found += reads
    return bool(found) and all(same_element(found[0], a) for a in found)


def _overwritten(loop: InnerLoop) -> Iterator[Access]:
    """Writes of elements that a later statement of the same iteration writes, too."""
    for place, statement in enumerate(loop.statements):
        for write in (a for a in statement.accesses if a.write and a.exact):
            later = loop.statements[place + 1 :]
            overwritten = any(_overwrites(other, statement, write) for other in later)
            if overwritten and not forwarding.may_interfere(loop, write):
                yield write


def _overwrites(later: Statement, earlier: Statement, write: Access) -> bool:
    """Whether a statement writes, each time, what another one has written in the iteration."""
    for access in later.accesses:
        if access.write and access.exact and access.array == write.array:
            there = access.relation.intersect_domain(later.domain)
            here = write.relation.intersect_domain(earlier.domain)
            if there.set_tuple_name(_IN, "S").is_equal(here.set_tuple_name(_IN, "S")):
                return True
    return False


def _is_register(loop: InnerLoop, array: str) -> bool:
    """Whether what is touched of an array is one element for all iterations, each time."""
    if not loop.scop.arrays[array].rank:
        return True
    return all(
        loop.is_scalar(s, a) for s in loop.statements for a in s.accesses if a.array == array
    )


# -- values that scalars carry into the next iteration -----------------------------------------


def flows_of_scalars(loop: InnerLoop) -> Iterator[Carried]:
    """Values of an iteration that a later one reads from a scalar before it sets it."""
    for item in loop.carried:
        if not (item.scalar and item.kind is Kind.FLOW and _is_register(loop, item.array)):
            continue
        before = loop.statements[: loop.place[item.target]]
        if not any(_sets(loop, s, item) for s in before):
            yield item


def _sets(loop: InnerLoop, statement: Statement, item: Carried) -> bool:
    """Whether a statement sets the scalar that a dependence is about, in every iteration."""
    assert item.accesses is not None
    read = item.accesses[1]
    target = loop.scop.statement(item.target)
    for access in statement.accesses:
        if access.write and access.exact and access.array == item.array:
            here = access.relation.intersect_domain(statement.domain).set_tuple_name(_IN, "S")
            there = read.relation.intersect_domain(target.domain).set_tuple_name(_IN, "S")
            if there.is_subset(here):
                return True
    return False


def _recurrence(
    loop: InnerLoop, item: Carried, compiler: Compiler, *, reassociate: bool
) -> str | None:
    """What speaks against vectors where a scalar carries a value."""
    name = _spelled(loop, item)
    if is_cyclic(loop, item):
        if is_induction(loop, item.array) or (reassociate and _is_reduction(loop, item.array)):
            return None
        return f"'{name}' of an iteration depends on that of the one before"
    if compiler == "gcc":
        return f"gcc does not vectorize the use of the last iteration's '{name}'"
    if not _is_known_in_time(loop, item):
        return f"'{name}' is used before its next value is known"
    return None


def _is_known_in_time(loop: InnerLoop, item: Carried) -> bool:
    """Whether the new value is there where the last iteration's is used, as clang wants it.

    That is so for a copy of a scalar, or of an element that is read by then.
    """
    reads = [a for a in loop.scop.statement(item.source).accesses if not a.write]
    if loop.place[item.source] < loop.place[item.target]:
        return True
    if len(reads) != 1:
        return False
    if not loop.scop.arrays[reads[0].array].rank:
        return True
    by_then = loop.statements[: loop.place[item.target] + 1]
    return any(same_element(reads[0], a) for s in by_then for a in s.accesses)


def same_element(first: Access, second: Access) -> bool:
    """Whether two accesses of an iteration are of one element."""
    if first.array != second.array:
        return False
    if are_apart(fixed_outputs(first.relation), fixed_outputs(second.relation)):
        return False
    return _is_same(first.relation, second.relation)


@remembered
def _is_same(first: isl.Map, second: isl.Map) -> bool:
    """Whether relations of two statements are plainly the same."""
    return bool(first.set_tuple_name(_IN, "S").plain_is_equal(second.set_tuple_name(_IN, "S")))


def is_induction(loop: InnerLoop, array: str) -> bool:
    """Whether a scalar's new values depend on nothing but its last one: a counter, perhaps."""
    writers = [s for s in loop.statements if any(a.write and a.array == array for a in s.accesses)]
    return all(a.array == array and a.exact for s in writers for a in s.accesses)


def _is_reduction(loop: InnerLoop, array: str) -> bool:
    """Whether statements that use a scalar do nothing but update it."""
    for statement in loop.statements:
        mine = [a for a in statement.accesses if a.array == array]
        if mine and len({a.write for a in mine}) == 1:
            return False
        if mine and any(a.write and a.array != array for a in statement.accesses):
            return False
    return True


def is_cyclic(loop: InnerLoop, item: Carried) -> bool:
    """Whether the value that a scalar carries depends on the value that it had before."""
    assert item.accesses is not None
    if not item.accesses[0].exact:
        return True  # it keeps its value where it is not set
    reached, left = {item.target}, [item.target]
    while left:
        for name in _users(loop, left.pop()):
            if name not in reached:
                reached.add(name)
                left.append(name)
    return item.source in reached


def _users(loop: InnerLoop, name: str) -> Iterator[str]:
    """The statements that depend on a statement in the same iteration."""
    yield from (n for n in sorted(loop.scop.guards.get(name, ())) if n in loop.place)
    statement = loop.scop.statement(name)
    written = {a.array for a in statement.accesses if a.write}
    for later in loop.statements[loop.place[name] + 1 :]:
        if any(not a.write and a.array in written for a in later.accesses):
            yield later.name


def _spelled(loop: InnerLoop, item: Carried) -> str:
    array = loop.scop.arrays.get(item.array)
    return array.spelling if array is not None else item.array


def interleaving(compiler: Compiler) -> int:
    """How many vectors of each statement an iteration of the vector loop has."""
    return {"gcc": 1, "clang": 4}[compiler]
