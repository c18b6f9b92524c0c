"""Loads of what a loop has stored a few iterations before: what they cost in vector loops.

A processor hands a store on to a load that comes soon after it, if the one store has all that the
load needs. Vectors that overlap do not: such a load waits until the stores have reached the cache.
gcc 12 makes such vector loops. clang 19 keeps in a register what the next iteration loads, and
makes no vectors where the distance is odd; docs/cost-model.md has what was measured.
"""

from __future__ import annotations

from collections.abc import Iterator

from s2s.analyses.dependence_graph import Kind
from s2s.analyses.loop_carried import Carried, InnerLoop
from s2s.scop.nodes import Access, Statement

__all__ = ["in_register", "is_copy", "may_interfere", "prevents_vectors", "stall"]

# Cycles of a load that has to wait, if the store is in the vector iteration before.
_WAIT = 26.0
# Vectors back from where on stores have reached the cache.
_FAR = 4


def stall(loop: InnerLoop, lanes: int, compiler: str) -> float:
    """Cycles for each iteration of the source's loop that a vector loop waits for its own stores.

    Loads that wait for the same statement's stores wait at the same time.
    """
    together = lanes * {"gcc": 1, "clang": 2}[compiler]
    waits: dict[str, float] = {}
    for item in _overlapping(loop, lanes):
        assert item.distance is not None
        if compiler == "clang" and in_register(loop, item):
            continue
        if compiler == "gcc" and _is_moved(loop, loop.scop.statement(item.source)):
            continue
        vectors = -(-item.distance // together)
        waits[item.source] = max(waits.get(item.source, 0.0), _WAIT / vectors)
    return sum(waits.values()) / together


def _overlapping(loop: InnerLoop, lanes: int) -> Iterator[Carried]:
    """Loads of parts of several vectors that an earlier statement has stored not long before."""
    for item in loop.carried:
        near = item.distance is not None and 0 < item.distance < _FAR * lanes
        if _is_forward_flow(loop, item) and near and (item.distance or 0) % lanes:
            yield item


def _is_forward_flow(loop: InnerLoop, item: Carried) -> bool:
    """Whether an iteration loads what an earlier statement has stored in an earlier one."""
    ahead = loop.place[item.source] < loop.place[item.target]
    return item.kind is Kind.FLOW and item.accesses is not None and not item.scalar and ahead


def _is_moved(loop: InnerLoop, statement: Statement) -> bool:
    """Whether gcc makes a call of ``memmove`` of a statement, and a loop of the others.

    (``-ftree-loop-distribute-patterns``)
    """
    return is_copy(statement) and all(
        loop.steps(statement, a)[-1:] == (1,) and not _is_temporary(loop, a.array)
        for a in statement.accesses
    )


def is_copy(statement: Statement) -> bool:
    """Whether a statement copies one element to another."""
    found = statement.assignment
    return found is not None and not found.operation and found.copied is not None


def _is_temporary(loop: InnerLoop, array: str) -> bool:
    """Whether a transformation has made an array, which may be a scalar in the end."""
    return any(storage.name == array for storage in loop.scop.storage)


def in_register(loop: InnerLoop, item: Carried) -> bool:
    """Whether clang keeps an element for the next iteration, which then does not load it.

    No other store may come between, as far as clang knows.
    """
    assert item.accesses is not None
    if item.distance != 1 or not all(a.exact for a in item.accesses):
        return False
    return not _is_temporary(loop, item.array) and not may_interfere(loop, item.accesses[0])


def may_interfere(loop: InnerLoop, access: Access) -> bool:
    """Whether the loop stores to another array that a compiler takes for the same memory."""
    pairs = loop.scop.may_alias | loop.scop.checked
    others = (other for statement in loop.statements for other in statement.accesses)
    return any(
        other.write and other.type == access.type and {other.array, access.array} in pairs
        for other in others
    )


def prevents_vectors(loop: InnerLoop, item: Carried, element_size: int) -> bool:
    """Whether clang makes no vectors, since they would keep stores from being handed on.

    Not even vectors of two elements: the rule of LLVM's loop access analysis.
    """
    if not _is_forward_flow(loop, item) or item.distance is None or in_register(loop, item):
        return False
    return item.distance % 2 == 1 and item.distance < 16 * element_size
