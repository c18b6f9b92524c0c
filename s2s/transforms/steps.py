"""The steps that a user may ask for by name: each changes a tree of loops, none proves anything.

::

    interchange(i, j)     for i: for j: S            ->  for j: for i: S
    tile(i, j; 4, 8)      for i: for j: S            ->  for it: for jt: for i in it: for j in jt: S
    fuse(i, i2)           for i: S; for i2: T        ->  for i: { S; T }
    distribute(i, T)      for i: { S; T }            ->  for i: S; for i: T
    skew(j, i; f)         for i: for j: S            ->  for i: for j + f*i: S
    reverse(i)            for i up: S                ->  for i down: S
    shift(i; n, T)        for i: { S(i); T(i) }      ->  for i: { S(i); T(i - n) }
    parallel(i)           the iterations of i run at once
    vectorize(i)          the same in vectors, for an innermost loop
    unroll-jam(i; f)      for i: for j: S            ->  for i/f: for j: { S(i) ... S(i + f - 1) }

M. Wolfe, "High Performance Compilers for Parallel Computing", chapter 9. The names are those of
loops as a report shows them; what a step makes is called ``NAME.tile`` (of ``tile`` and
``unroll-jam``) and ``NAME.2`` (the second part of ``distribute``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from s2s.scop.schedule import Parallelism
from s2s.transforms.loop_tree import (
    Band,
    Seq,
    Stmt,
    Tree,
    bands,
    changed,
    joined,
    statements,
)


class Impossible(Exception):
    """A step has no meaning for these loops: why."""


def find(tree: Tree, name: str) -> Band:
    """The loop of this name. Raises KeyError."""
    for band in bands(tree):
        if band.name == name:
            return band
    raise KeyError(name)


def interchange(tree: Tree, first: Band, second: Band) -> Tree:
    """Exchange two loops of a nest with nothing but loops between them."""
    outer, inner = (first, second) if _is_inside(second, first) else (second, first)
    chain = _chain(outer, inner)
    middle: Tree = replace(outer, body=inner.body)
    for band in reversed(chain[1:-1]):
        middle = replace(band, body=middle)
    return changed(tree, outer, lambda _: replace(inner, body=middle))


def tile(tree: Tree, loops: Sequence[Band], sizes: Sequence[int]) -> Tree:
    """Cut the iterations of a nest into boxes of ``sizes`` iterations, which run one by one."""
    if len(loops) != len(sizes):
        raise Impossible(f"{len(sizes)} sizes for {len(loops)} loops")
    ordered = sorted(loops, key=lambda loop: -len(list(bands(loop))))
    chain = _chain(ordered[0], ordered[-1])
    if [b.name for b in chain] != [b.name for b in ordered]:
        raise Impossible("other loops are between those that are tiled")
    size = {loop.name: n for loop, n in zip(loops, sizes, strict=True)}
    made: Tree = ordered[0]
    for band in reversed(ordered):
        made = _strips(band, size[band.name], made)
    return changed(tree, ordered[0], lambda _: made)


def fuse(tree: Tree, first: Band, second: Band) -> Tree:
    """Run two neighbours in one loop: in each iteration the first, then the second."""
    for parent in _sequences(tree):
        places = [i for i, child in enumerate(parent.children) if child in (first, second)]
        if len(places) == 2:
            break
    else:
        raise Impossible("they do not follow each other in the same loop")
    if places[1] != places[0] + 1:
        raise Impossible("something else runs between them")
    one, two = (parent.children[i] for i in places)
    assert isinstance(one, Band) and isinstance(two, Band)
    if one.step != two.step:
        raise Impossible("they have different steps")
    body = joined([one.body, two.body])
    assert body is not None
    made = replace(one, exprs={**one.exprs, **two.exprs}, body=body)
    rest = [*parent.children[: places[0]], made, *parent.children[places[1] + 1 :]]
    return changed(tree, parent, lambda _: joined(rest) or made)


def distribute(tree: Tree, loop: Band, first_of_second: str) -> Tree:
    """Two loops in place of one: the second has the statement and what comes after it."""
    if not isinstance(loop.body, Seq):
        raise Impossible("there is one thing in the loop, which nothing comes after")
    places = [i for i, c in enumerate(loop.body.children) if first_of_second in statements(c)]
    if not places or places[0] == 0:
        raise Impossible("nothing in the loop comes before that")
    parts = []
    for number, children in enumerate(
        (loop.body.children[: places[0]], loop.body.children[places[0] :])
    ):
        body = joined(list(children))
        assert body is not None
        own = {name: loop.exprs[name] for name in statements(body)}
        name = loop.name if number == 0 else f"{loop.name}.2"
        parts.append(replace(loop, name=name, exprs=own, body=body))
    return changed(tree, loop, lambda _: Seq(tuple(parts)))


def skew(tree: Tree, loop: Band, by: Band, factor: int) -> Tree:
    """Let the iterations of a loop begin later by ``factor`` in each iteration of an outer one."""
    if not _is_inside(loop, by):
        raise Impossible(f"'{by.name}' is not around '{loop.name}'")
    exprs = {name: f"{expr} + {factor}*({by.exprs[name]})" for name, expr in loop.exprs.items()}
    return changed(tree, loop, lambda _: replace(loop, exprs=exprs))


def reverse(tree: Tree, loop: Band) -> Tree:
    """Run the last iteration first."""
    exprs = {name: f"-({expr})" for name, expr in loop.exprs.items()}
    return changed(tree, loop, lambda _: replace(loop, exprs=exprs))


def shift(tree: Tree, loop: Band, amount: int, only: str | None = None) -> Tree:
    """Run all statements of a loop, or one, ``amount`` iterations later."""
    exprs = {
        name: f"{expr} + {amount * loop.step}" if only in (None, name) else expr
        for name, expr in loop.exprs.items()
    }
    return changed(tree, loop, lambda _: replace(loop, exprs=exprs))


def parallel(tree: Tree, loop: Band) -> Tree:
    """Run the iterations at once."""
    return changed(tree, loop, lambda _: replace(loop, parallelism=Parallelism.DOALL))


def vectorize(tree: Tree, loop: Band) -> Tree:
    """Run the iterations of an innermost loop in vectors."""
    if list(bands(loop.body)):
        raise Impossible("it is not an innermost loop")
    return changed(tree, loop, lambda _: replace(loop, parallelism=Parallelism.SIMD))


def unroll_jam(tree: Tree, loop: Band, factor: int) -> Tree:
    """Write ``factor`` iterations of a loop out inside of the loops in it."""
    if factor < 2:
        raise Impossible("a factor from 2 on")
    innermost: Tree = loop
    chain: list[Band] = []
    while isinstance(innermost, Band):
        chain.append(innermost)
        innermost = innermost.body
    made: Tree = replace(loop, body=innermost, unroll=True)
    for band in reversed(chain[1:]):
        made = replace(band, body=made)
    return changed(tree, loop, lambda _: _strips(loop, factor, made))


def _strips(band: Band, size: int, body: Tree) -> Band:
    """The loop over pieces of ``size`` iterations."""
    if size < 2:
        raise Impossible("sizes are numbers from 2 on")
    width = size * band.step
    exprs = {name: f"floor(({expr})/{width})" for name, expr in band.exprs.items()}
    return Band(f"{band.name}.tile", f"{band.word}_tile", exprs, body)


def _is_inside(inner: Band, outer: Band) -> bool:
    return inner is not outer and any(band is inner for band in bands(outer))


def _chain(outer: Band, inner: Band) -> list[Band]:
    """The loops from one to another one inside. Raises Impossible where something else is there."""
    found = [outer]
    while found[-1] is not inner:
        body = found[-1].body
        if not isinstance(body, Band):
            what = "a statement" if isinstance(body, Stmt) else "more than one thing"
            raise Impossible(
                f"'{inner.name}' is not all that is in '{outer.name}': there is {what} in"
                f" '{found[-1].name}'; distribute it first"
            )
        found.append(body)
    return found


def _sequences(tree: Tree) -> list[Seq]:
    match tree:
        case Seq():
            return [tree, *(s for child in tree.children for s in _sequences(child))]
        case Band():
            return _sequences(tree.body)
        case Stmt():
            return []
