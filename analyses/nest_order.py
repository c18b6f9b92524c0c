"""What gcc 12 does by itself about the order of loops (``-floop-interchange``, on at ``-O3``).

It exchanges the two loops of a perfect nest where every distance between dependent iterations is a
number, no pointers may lead to the same memory, and the strides become smaller. Such a nest is
left to it: written with its loops exchanged it becomes the same machine code at best. clang 19
exchanges none.

The conditions here are narrower than gcc's: where they hold it was seen to act. Elsewhere it acts
now and then (bounds that are no numbers, say), and nothing is lost if we do, too.
"""

from __future__ import annotations

import islpy as isl

from s2s.analyses.dependences import by_statements
from s2s.analyses.extents import constant, extent
from s2s.analyses.locality import coefficient
from s2s.scop.nodes import Access, Leaf, Loop, Scop, Sequence, Statement, Tree

_SET = isl.dim_type.set
# Iterations: gcc writes out loops of a few before it looks at the order of loops.
_LEAST = 17


def is_exchanged(scop: Scop, dependences: isl.UnionMap) -> bool:
    """Whether gcc makes the inner loop of a nest of two the outer one.

    What a statement computes of an iterator it may compute between the loops: then the nest is no
    perfect one.
    """
    return (
        _is_perfect(scop.tree)
        and not scop.checked
        and all(s.depth == 2 and s.straight and _is_plain(scop, s) for s in scop.statements)
        and all(r.deltas().is_singleton() for r in _pairs(scop, dependences))
    )


def _pairs(scop: Scop, dependences: isl.UnionMap) -> list[isl.Map]:
    """Dependences between iterations, whichever statements they are of."""
    relations = []
    for _, relation in sorted(by_statements(dependences).items()):
        relation = relation.set_tuple_name(isl.dim_type.in_, "S")
        relations.append(relation.set_tuple_name(isl.dim_type.out, "S"))
    return relations


def _is_perfect(tree: Tree) -> bool:
    """Whether a tree is a loop with nothing but a loop in it, both of which count up by one."""
    depth = 0
    while not isinstance(tree, Leaf):
        if isinstance(tree, Loop) and tree.step == 1:
            depth += 1
            tree = tree.body
        elif isinstance(tree, Sequence) and len(tree.children) == 1:
            (tree,) = tree.children
        else:
            leaves = isinstance(tree, Sequence) and all(isinstance(t, Leaf) for t in tree.children)
            return leaves and depth == 2
    return depth == 2


def _is_plain(scop: Scop, statement: Statement) -> bool:
    """Whether all that a statement does in its rectangle is to touch what is nearer in the new
    order.
    """
    return (
        not statement.values
        and _is_rectangle(statement.domain)
        and all(_is_nearer(scop, access) for access in statement.accesses)
    )


def _is_rectangle(domain: isl.Set) -> bool:
    """Whether both loops have the same bounds each time, which are numbers and not close."""
    domain = domain.reset_tuple_id()
    if domain.involves_dims(isl.dim_type.param, 0, domain.dim(isl.dim_type.param)):
        return False
    outer, inner = (domain.project_out(_SET, other, 1) for other in (1, 0))
    counts = [constant(extent(side, 0)) for side in (outer, inner)]
    if any(count is None or count < _LEAST for count in counts):
        return False
    return bool(domain.is_equal(outer.flat_product(inner)))


def _is_nearer(scop: Scop, access: Access) -> bool:
    """Whether an element lies farther from the next one of the inner loop than of the outer one."""
    array = scop.arrays[access.array]
    rank = access.relation.dim(isl.dim_type.out)
    sizes = [s for s in array.sizes[1:rank] if s is not None and s.isdigit()]
    if array.external or array.row_rank or array.flat or not access.exact or rank < 2:
        return False
    if access.commutes is not None or len(sizes) < rank - 1:
        return False
    steps = []
    for iterator in range(2):
        step = 0
        for row in range(rank):
            moved = coefficient(access, row, iterator)
            if moved is None:
                return False
            step = step * (int(sizes[row - 1]) if row else 1) + moved
        steps.append(abs(step))
    return 0 < steps[0] < steps[1]
