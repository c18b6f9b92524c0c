"""Several shared loops inside of sequential ones become one shared loop over lines.

::

    for j: for k: { shared for i: w[i] = f(a[i][j][k]);
                    shared for i: b[i][j][k] = w[i - 1]; }   ->  shared for j: ...

Threads wait for each other once, in place of after each of the loops for each ``j`` and ``k``.
Lines depend on nothing of each other when they have copies of the arrays that each of them fills
before it reads them (``work_arrays.py``), and no threads share one of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import islpy as isl

from s2s.analyses import legality
from s2s.analyses.extents import time_extent
from s2s.analyses.locality import innermost_cost
from s2s.scop.nodes import Branch, Construct, Kind, Loop, Scop, Tree
from s2s.scop.nodes import Sequence as Block
from s2s.transforms.errors import NotApplicable, NothingToGain, OtherKind
from s2s.transforms.parallelize import simd
from s2s.transforms.transformed import Transformed
from s2s.transforms.work_arrays import CopiesProof, Line, with_copies, work_arrays

# How many fewer cache lines a loop has to touch to become the innermost one.
_GAIN = 1.5


def in_lines(scop: Scop, least: int) -> Transformed:
    """The region in lines of one of the loops around. Raises NotApplicable."""
    around = _loops_around(scop)
    for statement in scop.statements:
        for access in statement.accesses:
            if access.commutes is not None or scop.arrays[access.array].external:
                raise NothingToGain(access.span, "an update or call keeps its place")
    if scop.carried or scop.storage or scop.guards or scop.order is not None:
        raise NothingToGain(scop.span, "statements have no order that could be changed")
    names = work_arrays(scop, len(around))
    if not names:
        raise NothingToGain(scop.span, "no array is filled anew in each iteration")
    reason = NotApplicable(scop.span, "no loop around can be shared")
    for line in _lines(scop, len(around)):
        try:
            return _in_lines(scop, around, names, line, least)
        except NotApplicable as problem:
            reason = problem
    raise reason


def _in_lines(
    scop: Scop, around: Sequence[Loop], names: Sequence[str], line: Line, least: int
) -> Transformed:
    made, provenance = with_copies(scop, len(around), names, line)
    proof = CopiesProof(provenance)
    dependences = proof.dependences(scop, made, isl.UnionMap("{}"))
    if dependences is None:
        raise NotApplicable(scop.span, "values of a work array come from other iterations")
    violation = legality.check(made, dependences)
    if violation is not None:
        raise NotApplicable(scop.span, f"lines depend on each other: {violation.reason}")
    if line.innermost is not None:
        assert made.target is not None
        names_of = [d.name for d in made.target.dimensions]
        place = names_of.index(around[line.innermost].variable.spelling)
        vector = simd(made, place)
        made = vector if legality.check(vector, dependences) is None else made
    spelled = around[line.shared].variable.spelling
    words = f"shared '{spelled}' in place of {_count(scop)} loops inside, with copies of "
    words += " and ".join(f"'{scop.arrays[n].spelling}'" for n in names)
    enough = ((time_extent(made, 0), least),)
    space = scop.context.get_space()
    done = replace(made, history=(words,))
    return Transformed(done, isl.Set.universe(space), enough, proof=proof)


def _lines(scop: Scop, around: int) -> list[Line]:
    """What may be tried: outer loops first, with the loop innermost that touches fewer lines, and
    last those along which threads would have neighbouring elements.
    """
    now = sum(innermost_cost(scop, s, s.depth - 1) for s in scop.statements)
    cost = [sum(innermost_cost(scop, s, i) for s in scop.statements) for i in range(around)]
    found: list[Line] = []
    for shared in sorted(range(around), key=lambda i: cost[i] < now):
        best = min((i for i in range(around) if i != shared), key=lambda i: cost[i], default=None)
        if best is not None and cost[best] * _GAIN <= now:
            found.append(Line(shared, best))
        found.append(Line(shared))
    return found


def _count(scop: Scop) -> int:
    return sum(1 for _ in _shared(scop.tree))


def _shared(tree: Tree) -> Iterator[Construct]:
    if isinstance(tree, Construct) and tree.kind is Kind.LOOP:
        yield tree
    for child in _children(tree):
        yield from _shared(child)


def _children(tree: Tree) -> tuple[Tree, ...]:
    if isinstance(tree, Block):
        return tree.children
    if isinstance(tree, Loop | Construct):
        return (tree.body,)
    if isinstance(tree, Branch):
        return (tree.then,) if tree.otherwise is None else (tree.then, tree.otherwise)
    return ()


def _loops_around(scop: Scop) -> list[Loop]:
    """The sequential loops of a parallel region around all of its shared loops."""
    loops: list[Loop] = []
    tree: Tree = scop.tree
    inside = False
    while True:
        if isinstance(tree, Block) and len(_working(tree)) == 1:
            (tree,) = _working(tree)
        elif isinstance(tree, Construct) and tree.kind is Kind.PARALLEL and not inside:
            inside, loops = True, []
            tree = tree.body
        elif isinstance(tree, Loop) and inside:
            loops.append(tree)
            tree = tree.body
        else:
            break
    if not loops or not _all_shared(tree):
        raise OtherKind(scop.span, "no sequential loop around shared loops")
    return loops


def _working(tree: Block) -> list[Tree]:
    return [c for c in tree.children if not isinstance(c, Block) or _working(c)]


def _all_shared(tree: Tree) -> bool:
    """Whether all statements are in shared loops, between which there is nothing else."""
    if isinstance(tree, Construct):
        alone = not list(_shared(tree.body)) and _is_plain(tree.body)
        return tree.kind is Kind.BARRIER or (tree.kind is Kind.LOOP and alone)
    if isinstance(tree, Block):
        return all(_all_shared(c) for c in tree.children)
    return False


def _is_plain(tree: Tree) -> bool:
    return not isinstance(tree, Construct) and all(_is_plain(c) for c in _children(tree))
