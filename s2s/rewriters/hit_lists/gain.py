"""Whether a list is expected to pay: what it takes to fill it against what it saves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

from s2s.frontends.c.syntax import Decl, Node
from s2s.rewriters.expressions import index_of, variables
from s2s.rewriters.hit_lists.costs import COMPARISONS, cost
from s2s.rewriters.hit_lists.nests import Nest, constant_loops
from s2s.rewriters.hit_lists.proof import Proof
from s2s.rewriters.hit_lists.ranges import split
from s2s.rewriters.idioms.loops import Unsuitable

# Below, vectors save less than the list takes; the work has to hide what is computed twice.
_LEAST_AHEAD, _LEAST_WORK = 4, 20
# Neighbouring iterations read elements that are at most so many elements apart.
_MOST_STRIDE = 4


def check_work(nest: Nest, terms: Sequence[Node]) -> None:
    """Raises Unsuitable where a list, by these terms, is expected to save nothing."""
    trips = constant_loops(nest.inner.body)
    ahead = cost((*nest.setup, *terms), trips)
    if ahead < _LEAST_AHEAD:
        raise Unsuitable(nest.branch, "little is computed before the condition")
    if cost(nest.work, trips) < max(_LEAST_WORK, ahead):
        raise Unsuitable(nest.branch, "what the condition picks is not more than a list costs")
    set_ = {d for s in nest.setup for d in s.assigned}
    if not any(_depends_on_numbers(t, set_) for t in terms):
        raise Unsuitable(nest.condition, "the condition does not compare what is computed")


def check_strides(nest: Nest, proof: Proof) -> None:
    """Raises Unsuitable where what is computed ahead makes no vectors."""
    trips = constant_loops(nest.inner.body)
    counter = nest.inner.counter.decl
    for place in proof.reads.places:
        _check_stride(place, counter, proof.local - trips.keys())


def _depends_on_numbers(term: Node, local: Set[Decl]) -> bool:
    """Whether a term compares floating-point values that the setup computes, or loads."""
    term = _without_nots(term)
    if term.op not in COMPARISONS:
        return False
    floats = any(child.bare.type.kind == "float" for child in term.children)
    loads = any(n.kind in ("ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR") for n in term.walk())
    return floats and (loads or bool(variables(term) & local))


def element_size(terms: Iterable[Node]) -> int:
    """The bytes of the widest number that is compared."""
    return max(
        (
            child.type.size
            for term in map(_without_nots, terms)
            for child in term.children
            if child.type.kind == "float"
        ),
        default=4,
    )


def _without_nots(term: Node) -> Node:
    """What a term says not to hold, ``a < b`` of ``!(a < b)``, or the term."""
    while term.op == "!":
        term = term.children[0].bare
    return term


def _check_stride(place: Node, counter: Decl, local: frozenset[Decl]) -> None:
    """Iterations read neighbouring elements, or all the same ones. Raises Unsuitable."""
    indices, pointer = split(place)
    if pointer is not None and counter in variables(pointer):
        raise Unsuitable(place, "iterations follow pointers of their own")
    for index in indices:
        found = index_of(index, {counter})
        if found is None or variables(index) & local:
            raise Unsuitable(place, "iterations read elements that are anywhere")
    stride = sum(abs(_bytes(index, place, counter)) for index in indices)
    if stride > _MOST_STRIDE * max(place.type.size, 1):
        raise Unsuitable(place, "iterations read elements that are far apart")


def _bytes(index: Node, place: Node, counter: Decl) -> int:
    """How far apart in memory neighbouring iterations are by one subscript."""
    found = index_of(index, {counter})
    if found is None or found.variable is None:
        return 0
    for node in place.walk():
        if node.kind == "ARRAY_SUBSCRIPT_EXPR" and any(c.bare is index for c in node.children):
            return found.coefficient * node.type.size
    return 1 << 20
