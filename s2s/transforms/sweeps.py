"""Shift and fuse: sweeps over the same arrays run together, later ones some rows behind.

::

    for t: {                                    for t: {
        for i: for j: B[i][j] = f(A)                for i: {
        for i: for j: A[i][j] = g(B)    ->              for j: B[i][j] = f(A)
    }                                                   for j: A[i - 1][j] = g(B) } }

A row is still in the cache when the next sweep reads it: arrays that no cache holds come from
memory once and not once for each sweep. The least shifts that dependences allow, as in N. Manjikian
and T. S. Abdelrahman, "Fusion of loops for parallelism and locality", 1997, section 3. No value
changes: each statement instance computes what it did.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace
from typing import ClassVar

import islpy as isl

from s2s.analyses import legality
from s2s.scop.nodes import Branch, Construct, Loop, Scop, Sequence, Tree, walk
from s2s.scop.schedule import Dimension, Role
from s2s.scop.trees import paths
from s2s.source.records import dataclass
from s2s.transforms.errors import NotApplicable, NothingToGain
from s2s.transforms.reschedule import append_order
from s2s.transforms.scop_pass import ScopPass
from s2s.transforms.transformed import Transformed
from s2s.transforms.units import direction

# Sweeps that are looked at: each of them is proved with several shifts.
_MOST = 8


@dataclass(frozen=True)
class _Sweep:
    """A child of the loops that all share: its statements, ``part`` in which it runs and how late.

    Sweeps of one part run together, each ``shift`` iterations of its outermost loop late.
    """

    tree: Tree
    statements: frozenset[str]
    part: int
    shift: int = 0


@dataclass(frozen=True)
class Sweeps(ScopPass):
    """The pass: ``farthest`` is the largest shift between two sweeps that is tried.

    Measured with gcc 12 on one core, arrays beyond the second-level cache: 1.3 times as fast for
    PolyBench's jacobi-2d, 1.8 for fdtd-2d, 1.05 for heat-3d.
    """

    name: ClassVar[str] = "sweeps"
    farthest: int = field(default=3, metadata={"help": "the largest shift that is tried"})
    memory: int = field(
        default=2 << 20, metadata={"help": "bytes of the arrays below which all stays"}
    )

    def run(self, scop: Scop, dependences: isl.UnionMap) -> Transformed:
        """Fuse neighbours from the first one on. Raises NotApplicable with the reason."""
        _check(scop)
        shared, children = _children(scop)
        done: list[_Sweep] = []
        for number, child in enumerate(children):
            later = [replace(c, part=number + 1 + k) for k, c in enumerate(children[number + 1 :])]
            alone = replace(child, part=done[-1].part + 1 if done else 0)
            choices = [*self._behind(scop, done, child), alone] if done else [alone]
            legal = (
                c for c in choices
                if c is alone
                or legality.check(_scheduled(scop, shared, [*done, c, *later]), dependences) is None
            )  # fmt: skip
            done.append(next(legal))
        fused = len(done) - 1 - done[-1].part
        if not fused:
            raise NothingToGain(scop.span, "no two sweeps over an array can run together")
        planned = _scheduled(scop, shared, done)
        shifts = ", ".join(str(sweep.shift) for sweep in done)
        words = f"{len(done)} sweeps fused into {done[-1].part + 1}, shifted by {shifts}"
        return Transformed(
            replace(planned, history=(words,)),
            isl.Set.universe(scop.context.get_space()),
            least_bytes=self.memory,
        )

    def _behind(self, scop: Scop, done: list[_Sweep], child: _Sweep) -> Iterator[_Sweep]:
        """The child with the last sweep, by shifts that are worth a proof, the least first."""
        last = done[-1]
        if isinstance(child.tree, Loop) and _arrays(scop, child) & _arrays(scop, last):
            for more in range(self.farthest + 1 if _are_nests(scop, last, child) else 0):
                yield replace(child, part=last.part, shift=last.shift + more)


def _check(scop: Scop) -> None:
    """Raise NotApplicable for what keeps its place."""
    for node in walk(scop.tree):
        if isinstance(node, Construct | Branch):
            raise NothingToGain(node.span, "a construct or a condition keeps its place")
        if isinstance(node, Loop) and node.step != 1:
            raise NotApplicable(node.span, "a loop does not count up by one")
    if scop.carried or scop.guards or scop.order is not None:
        raise NotApplicable(scop.span, "the order of the statements is not known")
    for statement in scop.statements:
        if statement.opaque or any(scop.arrays[a.array].external for a in statement.accesses):
            raise NothingToGain(statement.span, "a call keeps its place")


def _children(scop: Scop) -> tuple[int, list[_Sweep]]:
    """How many loops all statements share, and what is in the innermost of them, in order."""
    depth, tree = 0, scop.tree
    while not isinstance(tree, Sequence) or len(tree.children) == 1:
        if isinstance(tree, Loop):
            depth, tree = depth + 1, tree.body
        elif isinstance(tree, Sequence):
            tree = tree.children[0]
        else:
            raise NothingToGain(scop.span, "there is one sweep")
    if len(tree.children) > _MOST:
        raise NothingToGain(scop.span, "there are too many sweeps")
    children = []
    for number, child in enumerate(tree.children):
        names = frozenset(paths(child)) & {s.name for s in scop.statements}
        children.append(_Sweep(child, names, number))
    return depth, children


def _are_nests(scop: Scop, *sweeps: _Sweep) -> bool:
    """Whether all of these are nests of two loops and more, with statements in the innermost."""
    return all(
        isinstance(sweep.tree, Loop) and _depth(sweep.tree) > 1 and sweep.statements
        for sweep in sweeps
    )


def _depth(tree: Tree) -> int:
    """How many loops all statements below have in common."""
    if isinstance(tree, Sequence) and len(tree.children) == 1:
        return _depth(tree.children[0])
    return 1 + _depth(tree.body) if isinstance(tree, Loop) else 0


def _arrays(scop: Scop, sweep: _Sweep) -> set[str]:
    """What a sweep touches, without scalars."""
    return {
        a.array
        for name in sweep.statements
        for a in scop.statement(name).accesses
        if scop.arrays[a.array].rank
    }


def _scheduled(scop: Scop, shared: int, sweeps: list[_Sweep]) -> Scop:
    """The region with its sweeps in their parts, shifted: loops, part, row, which sweep, order."""
    maps = {}
    for number, sweep in enumerate(sweeps):
        for name in sweep.statements:
            statement = scop.statement(name)
            together = isinstance(sweep.tree, Loop)
            row = f"{direction(statement, shared)} + {sweep.shift}" if together else "0"
            outer = [direction(statement, place) for place in range(shared)]
            times = ", ".join([*outer, str(sweep.part), row, str(number)])
            inputs = ", ".join(v.name for v in statement.iterators)
            text = f"{{ {name}[{inputs}] -> [{times}] }}"
            maps[name] = isl.Map(text).intersect_domain(statement.domain)
    deepest = max(scop.statements, key=lambda s: s.depth)
    names = [v.spelling for v in deepest.iterators[: shared + 1]]
    dimensions = [
        *(Dimension(name, Role.BAND) for name in names[:shared]),
        Dimension("part", Role.BAND, unroll=True),
        Dimension(names[shared], Role.BAND),
        Dimension("sweep", Role.BAND, unroll=True),
    ]
    return replace(scop, target=replace(append_order(scop, maps, dimensions), permutable=0))
