"""What innermost loops cost after a compiler has, or has not, made vector loops of them.

The numbers are cycles for each iteration of the source's loop on a core with 32-byte vectors, so
coarse that only their ratio means something. What a compiler vectorizes is in ``vectorizers.py``;
docs/cost-model.md explains the numbers and says where they are wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import islpy as isl

from s2s.analyses import forwarding, registers, vectorizers
from s2s.analyses.dependence_graph import Kind
from s2s.analyses.extents import constant, extent
from s2s.analyses.loop_carried import Body, Carried, InnerLoop, bodies, inner_loop
from s2s.analyses.needed_statements import is_all_needed, needed
from s2s.analyses.vectorizers import VECTOR_BYTES, Compiler
from s2s.scop.fixed import Fixed, are_apart, fixed_outputs
from s2s.scop.nodes import Access, Scop, Statement
from s2s.scop.schedule import Role
from s2s.source.records import dataclass

__all__ = [
    "VECTOR_BYTES",
    "Body",
    "Compiler",
    "bodies",
    "carries",
    "cycles",
    "is_at_best",
    "is_uniform",
    "least_cycles",
    "say_why_blocked",
    "vectorizes",
]

# Instructions for each cycle, of scalars and of vectors; a loop's own instructions.
_ISSUE, _VECTOR_ISSUE, _OVERHEAD = 5.0, 3.0, 3.0
# Bytes that the second-level cache gives for each cycle.
_BANDWIDTH = 28.0
# An operation on floating point; a value that goes through memory to the next iteration.
_LATENCY, _FORWARDING = 4.0, 5.0
# Putting a vector together, or taking it apart, by elements: instructions for each.
_ELEMENT = 2.0
# Turning a vector round: instructions.
_REVERSAL = 1.0
# An access to another line with each iteration, in steps that few sets of a cache share.
_OTHER_LINE = 6.0
_LINE_BYTES = 64
# A call of a function like ``exp``, or ``expf``. It may change all vector registers, so that what
# is more in its loop than so many instructions takes so much longer.
_CALL, _SINGLE_CALL, _BESIDE, _SPILLED = 12.0, 6.0, 8.0, 3.5
# Starting the loops over a strip, for each iteration: 20 cycles in strips of 256.
_STRIP = 0.1
# Instances of a statement that do not count.
_FEW = 16
# A loop around an innermost one has so many iterations of that one in each of its own.
_INNER_COUNT = 64.0


def cycles(
    scop: Scop, dependences: isl.UnionMap, compiler: Compiler, *, reassociate: bool = False
) -> float:
    """Estimated cycles of one iteration of all innermost loops of a schedule together."""
    loops = [inner_loop(scop, body, dependences) for body in bodies(scop)]
    if not loops:
        return 0.0
    strips = scop.target is not None and scop.target.count(Role.TILE) > 0
    weights = _weights(scop, loops)
    work = sum(
        weight * _cycles(loop, compiler, reassociate=reassociate)
        for loop, weight in zip(loops, weights, strict=True)
    )
    if strips:
        return max(work, _bytes(loops) / _BANDWIDTH) + _STRIP * len(loops)
    traffic = (weight * _bytes([loop]) / _BANDWIDTH
               for loop, weight in zip(loops, weights, strict=True))  # fmt: skip
    return max(work, sum(traffic))


def least_cycles(scop: Scop, dependences: isl.UnionMap) -> float:
    """Cycles of an iteration of the innermost loops that no way to write them goes below.

    Whatever is renamed, reordered, cut or distributed: what is seen behind the region is set once
    and what it is made of is read, where the region does not set that itself and might have it in
    a local. Nothing is said of what waits, of vectors, and of what an assignment might overwrite.
    """
    return sum(_least(inner_loop(scop, body, dependences)) for body in bodies(scop))


def _least(loop: InnerLoop) -> float:
    written = {a.array for s in loop.scop.statements for a in s.accesses if a.write}
    users = [(s, a) for s in needed(loop) for a in s.accesses
             if a.write or a.array not in written]  # fmt: skip
    work = _Work.among(loop, users)
    once = work.unit + work.reversed + len(work.strided)
    packed = once / VECTOR_BYTES / _VECTOR_ISSUE
    return packed + work.by_element / _ISSUE + _OTHER_LINE * work.other_lines


def is_at_best(
    scop: Scop, dependences: isl.UnionMap, compiler: Compiler, *, reassociate: bool = False
) -> bool:
    """Whether all innermost loops are vector loops that nothing keeps from being fast.

    Full vectors of elements in a row, no waiting, and no assignment that another one makes useless:
    what else can be made of such a loop has all that it does, and more.
    """
    loops = [inner_loop(scop, body, dependences) for body in bodies(scop)]
    return all(_is_at_best(loop, compiler, reassociate=reassociate) for loop in loops)


def _is_at_best(loop: InnerLoop, compiler: Compiler, *, reassociate: bool) -> bool:
    work = _Work.of(loop)
    if work.unit != work.instructions - work.operations or not is_all_needed(loop):
        return False
    accesses = [a for s in loop.statements for a in s.accesses]
    sizes = {loop.scop.arrays[a.array].element_size or 4 for a in accesses}
    lanes = vectorizers.lanes(loop, compiler)
    if len(sizes) != 1 or lanes * max(sizes) != VECTOR_BYTES or _latency(loop):
        return False
    _, vector = _scalar_and_vector(loop, compiler, reassociate=reassociate)
    return vector is not None and not forwarding.stall(loop, lanes, compiler)


def say_why_blocked(
    scop: Scop, body: Body, dependences: isl.UnionMap, *,
    compiler: Compiler = "gcc", reassociate: bool = False,
) -> str | None:  # fmt: skip
    """Why a compiler does not make a vector loop of this one; None if it does."""
    loop = inner_loop(scop, body, dependences)
    return vectorizers.obstacle(loop, compiler, reassociate=reassociate)


def vectorizes(
    scop: Scop, body: Body, dependences: isl.UnionMap, *,
    compiler: Compiler, reassociate: bool = False,
) -> bool:  # fmt: skip
    """Whether a compiler can and will make a vector loop of this one."""
    loop = inner_loop(scop, body, dependences)
    return _scalar_and_vector(loop, compiler, reassociate=reassociate)[1] is not None


def waiting(scop: Scop, body: Body, dependences: isl.UnionMap) -> tuple[float, float]:
    """Cycles of an iteration without vectors that are work, and that it waits for the last one.

    Of a sum only the terms after the one from the last iteration are waited for.
    """
    loop = inner_loop(scop, body, dependences)
    work = (_Work.of(loop).instructions + _OVERHEAD) / _ISSUE
    return work, max((_behind(loop, item) for item in loop.carried), default=0.0)


def carries(scop: Scop, body: Body, dependences: isl.UnionMap) -> bool:
    """Whether vectors of whole statements would not keep to a loop's dependences."""
    loop = inner_loop(scop, body, dependences)
    return any(
        item.source != item.target or item.kind is not Kind.ANTI or item.distance is None
        for item in loop.carried
    )


def is_uniform(pairs: isl.Map) -> bool:
    """Whether the distance between instances of one statement is always the same."""
    return bool(pairs.is_empty() or pairs.deltas().is_singleton())


def _weights(scop: Scop, loops: Sequence[InnerLoop]) -> list[float]:
    """How often an iteration of each loop runs for one of the deepest loop's."""
    depths = [max(s.depth for s in loop.statements) for loop in loops]
    weights = [_INNER_COUNT ** (depth - max(depths)) for depth in depths]
    seldom = [all(_runs_seldom(s) for s in loop.statements) for loop in loops]
    if all(seldom):
        return weights
    return [0.0 if few else weight for few, weight in zip(seldom, weights, strict=True)]


def _runs_seldom(statement: Statement) -> bool:
    """Whether a statement has but a few instances: at the ends of a loop, say."""
    count = constant(extent(statement.domain, 0)) if statement.depth == 1 else None
    return count is not None and count <= _FEW


def _cycles(loop: InnerLoop, compiler: Compiler, *, reassociate: bool) -> float:
    """Cycles of an iteration but for the traffic between caches."""
    scalar, vector = _scalar_and_vector(loop, compiler, reassociate=reassociate)
    if vector is None:
        return scalar
    lanes = vectorizers.lanes(loop, compiler)
    return vector + forwarding.stall(loop, lanes, compiler)


def _scalar_and_vector(
    loop: InnerLoop, compiler: Compiler, *, reassociate: bool
) -> tuple[float, float | None]:
    """Cycles without and with vectors, the latter None where the compiler makes none.

    It compares the two as well, and does not know of stalls.
    """
    work = _Work.of(loop)
    far = _OTHER_LINE * work.other_lines
    calls = sum(_call(name) for s in loop.statements for name in s.calls)
    instructions = work.instructions + _OVERHEAD
    if calls:
        instructions = max(0.0, _SPILLED * (instructions - _BESIDE))
    scalar = calls + max(instructions / _ISSUE + far, 0.0 if calls else _latency(loop))
    if vectorizers.obstacle(loop, compiler, reassociate=reassociate) is not None:
        return scalar, None
    lanes = vectorizers.lanes(loop, compiler)
    copies = lanes * vectorizers.interleaving(compiler)
    vector = work.vector_instructions(lanes) / _VECTOR_ISSUE + _OVERHEAD / _ISSUE / copies + far
    vector = calls / lanes + max(vector, _latency(loop) / copies)
    return scalar, vector if vector < scalar else None


def _call(name: str) -> float:
    return _SINGLE_CALL if name[-1:] == "f" and name != "erf" else _CALL


@dataclass(frozen=True)
class _Work:
    """What an iteration does: operations, and accesses by how far they move with an iteration.

    ``reversed`` go backwards; of ``strided`` loads there are the small steps; ``other_lines`` are
    those, among the ones ``by_element``, that walk across rows.
    """

    operations: int
    unit: int
    reversed: int
    strided: tuple[int, ...]
    by_element: int
    other_lines: int

    @classmethod
    def of(cls, loop: InnerLoop) -> _Work:
        """All that an iteration does."""
        return cls.among(loop, _in_order(loop))

    @classmethod
    def among(cls, loop: InnerLoop, users: Iterable[tuple[Statement, Access]]) -> _Work:
        """What an iteration does for some of its accesses."""
        distinct = _distinct(users)
        found = [(a, loop.steps(s, a)) for s, a in distinct if not loop.is_scalar(s, a)]
        last = [(a, steps[-1] if steps and not any(steps[:-1]) else None) for a, steps in found]
        strided = [abs(step) for a, step in last if step and not a.write and 1 < abs(step) < 5]
        near = sum(step in (1, -1) for _, step in last)
        return cls(
            operations=sum(_operations(s) for s in loop.statements),
            unit=sum(step == 1 for _, step in last),
            reversed=sum(step == -1 for _, step in last),
            strided=tuple(strided),
            by_element=len(last) - near - len(strided),
            other_lines=sum(
                step is None and _is_known(steps)
                for (_, step), (_, steps) in zip(last, found, strict=True)
            ),
        )

    @property
    def instructions(self) -> int:
        """Of an iteration without vectors."""
        return self.operations + self.unit + self.reversed + len(self.strided) + self.by_element

    def vector_instructions(self, lanes: int) -> float:
        """For each iteration of the source's; a vector with gaps is shuffled out of several."""
        gaps = sum(2 * step - 1 for step in self.strided)
        whole = self.operations + self.unit + (1 + _REVERSAL) * self.reversed + gaps
        return whole / lanes + _ELEMENT * self.by_element


def _is_known(steps: Iterable[int | None]) -> bool:
    """Whether an access walks across rows; what a table of subscripts says is near, perhaps."""
    return any(step for step in steps) and all(step is not None for step in steps)


def _operations(statement: Statement) -> int:
    """Arithmetic in a statement, of which nothing is known but what it reads: at least one."""
    return max(1, sum(not a.write for a in statement.accesses) - 1)


def _in_order(loop: InnerLoop) -> Iterator[tuple[Statement, Access]]:
    """The accesses of an iteration: statements read before they write."""
    for statement in loop.statements:
        for access in sorted(statement.accesses, key=lambda a: a.write):
            yield statement, access


def _distinct(
    users: Iterable[tuple[Statement, Access]],
) -> Iterator[tuple[Statement, Access]]:
    """Accesses to memory: what an iteration has read or written before is in a register."""
    seen: dict[str, list[tuple[Fixed, Access]]] = {}
    for statement, access in users:
        known = seen.setdefault(access.array, [])
        fixed = fixed_outputs(access.relation)
        near = [a for other, a in known if not are_apart(other, fixed)]
        same = [a for a in near if vectorizers.same_element(a, access)]
        if not same or (access.write and not any(a.write for a in same)):
            yield statement, access
        known.append((fixed, access))


def _bytes(loops: Sequence[InnerLoop]) -> float:
    """Bytes of arrays that an iteration moves through the caches; each array counts once."""
    found: dict[str, float] = {}
    for loop in loops:
        own = {storage.name for storage in loop.scop.storage}
        for statement in loop.statements:
            for access in statement.accesses:
                if loop.is_scalar(statement, access) or access.array in own:
                    continue
                size = loop.scop.arrays[access.array].element_size or 4
                steps = loop.steps(statement, access)
                step = steps[-1] if not any(steps[:-1]) else None
                moved = _LINE_BYTES if step is None else min(_LINE_BYTES, abs(step) * size)
                found[access.array] = max(found.get(access.array, 0.0), moved)
    return sum(found.values())


# -- waiting -------------------------------------------------------------------------------------


def _latency(loop: InnerLoop) -> float:
    """Cycles from an iteration to the next that it waits for, where there is a recurrence."""
    scalars = [
        _LATENCY + (_FORWARDING if registers.stays_in_memory(loop.scop, item.array) else 0.0)
        for item in vectorizers.flows_of_scalars(loop)
        if vectorizers.is_cyclic(loop, item) and not vectorizers.is_induction(loop, item.array)
    ]
    return max([*scalars, *(_through_memory(loop, item) for item in loop.carried)], default=0.0)


def _behind(loop: InnerLoop, item: Carried) -> float:
    """Latency of a recurrence with the operations after the element that it reads; integers and
    what is no number need next to none.
    """
    if item.kind is not Kind.FLOW or item.accesses is None or not item.distance:
        return 0.0
    read = item.accesses[1]
    if not read.floating or not vectorizers.is_cyclic(loop, item):
        return 0.0
    others = [a for a in loop.scop.statement(item.target).accesses
              if not a.write and a.span.start > read.span.start]  # fmt: skip
    return _LATENCY * (1 + len(others)) / item.distance


def _through_memory(loop: InnerLoop, item: Carried) -> float:
    """Latency of a recurrence from element to element, for each iteration."""
    if item.kind is not Kind.FLOW or item.scalar or not vectorizers.is_cyclic(loop, item):
        return 0.0
    forwarding = 0.0 if item.source == item.target else _FORWARDING
    return (_LATENCY + forwarding) / (item.distance or 1)
