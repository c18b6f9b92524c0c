"""The order of a region as a tree of loops and sequences, and back to time vectors.

::

    Tree := Band(name, exprs, Tree) | Seq(Tree*) | Stmt(name)

A band is a loop: for each statement inside of it, an expression over the statement's iterators (isl
text) says in which iteration an instance runs. Steps (``s2s.transforms.steps``) change such trees;
what comes out is proved legal elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import islpy as isl

from s2s.scop import nodes
from s2s.scop.schedule import Dimension, Parallelism, Role, Schedule
from s2s.source import Span
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Band:
    """A loop. ``name`` is its id; ``word`` what its counter is called in the new code.

    ``exprs`` are by statement; ``step`` is the distance of two iterations.
    """

    name: str
    word: str
    exprs: Mapping[str, str]
    body: Tree
    step: int = 1
    parallelism: Parallelism = Parallelism.NONE
    unroll: bool = False


@dataclass(frozen=True)
class Seq:
    """What runs one after the other."""

    children: tuple[Tree, ...]


@dataclass(frozen=True)
class Stmt:
    """A statement, by its name in the SCoP."""

    name: str


Tree = Band | Seq | Stmt


_UNDERSTOOD = (nodes.Kind.PARALLEL, nodes.Kind.LOOP, nodes.Kind.SIMD)


def obstacle(scop: nodes.Scop) -> tuple[Span, str] | None:
    """What keeps its place in a region, so that no order may be asked for, and why."""
    for node in nodes.walk(scop.tree):
        if isinstance(node, nodes.Construct) and node.kind not in _UNDERSTOOD:
            return node.span, f"'{node.kind.value}' keeps its place"
    if scop.carried or scop.guards or scop.order is not None:
        return scop.span, "the order of its statements is not known"
    for access in (a for s in scop.statements for a in s.accesses):
        if access.commutes is not None or scop.arrays[access.array].external:
            return access.span, "an update or a call keeps its place"
    return None


def loop_tree(scop: nodes.Scop, names: Mapping[nodes.Loop, str]) -> Tree:
    """The source's order; ``names`` are the ids of its loops."""
    known = {s.name: s for s in scop.statements}

    def made(node: nodes.Tree, depth: int) -> Tree | None:
        match node:
            case nodes.Leaf():
                return Stmt(node.statement) if node.statement in known else None
            case nodes.Loop():
                body = made(node.body, depth + 1)
                if body is None:
                    return None
                sign = "-" if node.step < 0 else ""
                exprs = {n: f"{sign}{known[n].iterators[depth].name}" for n in statements(body)}
                word = node.variable.spelling
                return Band(names[node], word, exprs, body, abs(node.step))
            case nodes.Construct():
                return made(node.body, depth)
            case nodes.Branch():
                parts = [node.then, *([node.otherwise] if node.otherwise is not None else [])]
            case nodes.Sequence():
                parts = list(node.children)
        return joined([t for part in parts if (t := made(part, depth)) is not None])

    found = made(scop.tree, 0)
    assert found is not None
    return found


def joined(parts: list[Tree]) -> Tree | None:
    """Trees one after the other, sequences inside written out."""
    flat = [t for part in parts for t in (part.children if isinstance(part, Seq) else (part,))]
    if not flat:
        return None
    return flat[0] if len(flat) == 1 else Seq(tuple(flat))


def statements(tree: Tree) -> tuple[str, ...]:
    """The statements in a tree, in order."""
    match tree:
        case Stmt():
            return (tree.name,)
        case Band():
            return statements(tree.body)
        case Seq():
            return tuple(name for child in tree.children for name in statements(child))


def bands(tree: Tree) -> Iterator[Band]:
    """The loops of a tree, outside in, in order."""
    match tree:
        case Band():
            yield tree
            yield from bands(tree.body)
        case Seq():
            for child in tree.children:
                yield from bands(child)


def changed(tree: Tree, where: Tree, change: Callable[[Tree], Tree]) -> Tree:
    """A tree with another one in the place of a part of it (the object itself)."""
    if tree is where:
        return change(tree)
    match tree:
        case Band():
            return replace(tree, body=changed(tree.body, where, change))
        case Seq():
            found = joined([changed(child, where, change) for child in tree.children])
            assert found is not None
            return found
        case Stmt():
            return tree


def schedule_of(scop: nodes.Scop, tree: Tree) -> Schedule:
    """Time vectors with an entry for each loop and each place in a sequence."""
    rows: dict[str, list[str]] = {s.name: [] for s in scop.statements}
    entries: list[Dimension] = []
    _fill(tree, rows, entries, 0)
    dimensions = tuple(_distinct(entries))
    maps = {}
    for statement in scop.statements:
        row = rows[statement.name] + ["0"] * (len(dimensions) - len(rows[statement.name]))
        inputs = ", ".join(v.name for v in statement.iterators)
        header = f"[{', '.join(scop.parameter_names())}] -> " if scop.parameters else ""
        text = f"{header}{{ {statement.name}[{inputs}] -> [{', '.join(row)}] }}"
        maps[statement.name] = isl.Map(text).intersect_domain(statement.domain)
    return Schedule(maps, dimensions)


def _fill(tree: Tree, rows: dict[str, list[str]], entries: list[Dimension], at: int) -> None:
    """The entries of a subtree from place ``at`` on; what siblings have there is shared."""
    match tree:
        case Band():
            own = frozenset(statements(tree))
            _add(entries, at, _dimension(tree, own, len(rows)))
            for name in own:
                rows[name].append(tree.exprs[name])
            _fill(tree.body, rows, entries, at + 1)
        case Seq():
            _add(entries, at, Dimension("part", Role.ORDER))
            for place, child in enumerate(tree.children):
                for name in statements(child):
                    rows[name].append(str(place))
                _fill(child, rows, entries, at + 1)
        case Stmt():
            pass


def _dimension(band: Band, own: frozenset[str], count: int) -> Dimension:
    parallel = band.parallelism is not Parallelism.NONE
    among = own if parallel and len(own) < count else None
    return Dimension(band.word, Role.BAND, band.parallelism, statements=among, unroll=band.unroll)


def _add(entries: list[Dimension], at: int, one: Dimension) -> None:
    """An entry beside those that siblings have in its place: loops give them their names."""
    if at == len(entries):
        entries.append(one)
        return
    known = entries[at]
    if known.role is Role.ORDER or one.role is Role.ORDER:
        kept = one if known.role is Role.ORDER else known
        entries[at] = replace(kept, role=Role.BAND)
    kinds = {known.parallelism, one.parallelism} - {Parallelism.NONE}
    if len(kinds) == 1:
        among = [d.statements for d in (known, one) if d.parallelism is not Parallelism.NONE]
        every = [s for s in among if s is not None]
        union = frozenset().union(*every) if len(every) == len(among) else None
        entries[at] = replace(entries[at], parallelism=kinds.pop(), statements=union)
    if known.unroll != one.unroll:
        entries[at] = replace(entries[at], unroll=False)


def _distinct(entries: list[Dimension]) -> Iterator[Dimension]:
    """The entries with names of their own: isl and the printer tell loops apart by them."""
    seen: dict[str, int] = {}
    for one in entries:
        seen[one.name] = seen.get(one.name, 0) + 1
        count = seen[one.name]
        yield one if count == 1 else replace(one, name=f"{one.name}_{count}")
