"""Vertices whose values have changed: only they have to push again.

::

    while (more) {                          changed = all;
        for v: pull(v);                     while (more) {
        for v: dist[v] = next[v];    ->         for u: if (changed[u]) { changed[u] = 0; push(u); }
    }                                           for v: { set dist[v]; changed[v] |= it did; }
                                            }

A minimum, maximum, union or intersection that was made once need not be made again: the target
only moves one way, if nothing else writes it, and a vertex whose values are what they were when it
pushed last would push the same. In the first round all push.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from s2s.frontends.c.arrays import Aliases, Memory, group
from s2s.frontends.c.facts import assigned_in
from s2s.frontends.c.graph_loops import GraphAccess, Of, VertexLoop
from s2s.frontends.c.graphs import vertex_loop
from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.places import Index, Number, Place, ValueAt
from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.touch import Touch
from s2s.rewriters.graphs.flip import Flip
from s2s.rewriters.graphs.independence import drop_atomics
from s2s.rewriters.graphs.refine import is_table, member
from s2s.rewriters.graphs.refused import Refused
from s2s.source import Span
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Setting:
    """A statement of a vertex loop that sets a value which other vertices are told of."""

    statement: Node
    target: Node
    loop: VertexLoop


@dataclass(frozen=True)
class Rounds:
    """The loop around a flipped one, and where it sets the values that the flipped one pushes."""

    loop: Node
    settings: tuple[Setting, ...]


def rounds(flip: Flip) -> Rounds:
    """The loop whose rounds need pushes of changed vertices only. Raises Refused."""
    update, loop = flip.update, flip.loop
    around = _around(loop.function, loop.node)
    if around is None:
        raise Refused(loop.node.span, "all vertices push: there are no rounds", silent=True)
    if not is_alone(loop):
        raise Refused(loop.node.span, "all vertices push: several threads may be in the rounds")
    if update.op not in ("min", "max", "|", "&"):
        raise Refused(update.node.span, "all vertices push: an update may not be left out")
    if update.first is not None or update.last is not None:
        raise Refused(update.node.span, "all vertices push: each round begins with other values")
    pushed = list(_pushed(flip, around))
    settings = tuple(_settings(flip, around, pushed))
    return Rounds(around, settings)


def is_alone(loop: VertexLoop) -> bool:
    """Whether one thread comes to a loop: nothing around it is an OpenMP construct."""
    if loop.directive is not None and loop.directive.name != "parallel for":
        return False
    path = _path(loop.function.body, loop.node)[:-1]
    return not any(loop.function.attached.before(n.span.start) for n in path)


def _around(function: Function, node: Node) -> Node | None:
    """The innermost serial loop around a loop, with no parallel one in between."""
    path = _path(function.body, node)
    outer = [n for n in path[:-1] if n.is_loop]
    if not outer or function.attached.before(outer[-1].span.start) or outer[-1].in_macro:
        return None
    return outer[-1]


def _path(root: Node, node: Node) -> list[Node]:
    """The nodes from ``root`` down to ``node``."""
    if root is node:
        return [root]
    for child in root.children:
        found = _path(child, node)
        if found:
            return [root, *found]
    return []


def _pushed(flip: Flip, around: Node) -> Iterator[GraphAccess]:
    """The neighbours' values that an update is made of. Raises Refused for what else may change."""
    loop, update = flip.loop, flip.update
    lists = flip.graph.memory
    changing = assigned_in([around])
    own = update.own
    for access in loop.accesses:
        if not access.read or access.node.span in own or access.of is Of.LOCAL:
            continue
        named = bool(access.place.steps) and loop.item(access.place) in lists
        if named or access.of is Of.EDGE:
            continue
        if access.of is Of.NEIGHBOUR:
            yield access
        elif access.of is Of.SHARED and not access.place.steps:
            decl = access.place.root
            local = decl is not None and decl.is_local and decl not in loop.function.facts.escaped
            if not local or decl in changing:
                name = decl.name if decl is not None else "a value"
                raise Refused(access.node.span, f"all vertices push: '{name}' may change")
        elif access.of is Of.OWN or access.of is Of.SHARED:
            raise Refused(access.node.span, "all vertices push: both ends of an edge have a say")
        else:
            raise Refused(access.node.span, "all vertices push: a value that is not understood")


def _settings(flip: Flip, around: Node, pushed: Sequence[GraphAccess]) -> Iterator[Setting]:
    """Where the rounds set what is pushed. Raises Refused where that, or the target, is hidden."""
    function = flip.loop.function
    loops = [
        found for n in around.walk() if n.kind == "FOR_STMT"
        for found in [vertex_loop(function, n)] if found is not None
    ]  # fmt: skip
    touches = _touches(function, around)
    memories = group(touches, lambda decl: False, frozenset(), lambda name: name)
    aliases = Aliases(function.facts, "-fno-strict-aliasing" not in function.unit.flags)
    target = next(a for a in flip.loop.accesses if a.node is flip.update.target and a.write)
    watched = [*pushed, target]
    of = {a.node.span: memories[t.root, t.key] for a in watched for t in touches
          if t.span == a.node.span and not t.is_scalar}  # fmt: skip
    for touch in touches:
        if not touch.write or touch.is_scalar or touch.span == target.node.span:
            continue
        setting = _setting(flip, loops, touch, pushed)
        if setting is not None and _apart(touch, memories, aliases, [target], of, loops):
            yield setting
        elif not _apart(touch, memories, aliases, watched, of, loops):
            raise Refused(touch.span, "all vertices push: a store may change what they push")


def _touches(function: Function, around: Node) -> list[Touch]:
    attempt = drop_atomics(function).attempt([around])
    try:
        attempt.check_pragmas()
        attached = function.attached
        loops = tuple(d for d in attached.within(around.span) if d.name == "critical")
        if loops:
            raise Refused(loops[0].span, "all vertices push: the rounds have critical sections")
        return _whole(attempt.function, around)
    except NotLiftable as problem:
        raise Refused(problem.span, f"all vertices push: {problem.reason}") from None


def _whole(function: Function, node: Node) -> list[Touch]:
    """What a loop touches, its OpenMP directives left out."""
    from dataclasses import replace

    from s2s.frontends.openmp.constructs import Attached

    serial = replace(function, attached=Attached((), function.attached.next_token))
    return serial.attempt([node]).lifter.whole(node).touches


def _apart(
    touch: Touch, memories: dict[tuple[Decl | None, str], Memory], aliases: Aliases,
    others: Sequence[GraphAccess], of: dict[Span, Memory], loops: Sequence[VertexLoop],
) -> bool:  # fmt: skip
    """Whether a write is to other memory than some accesses."""
    found = _accesses(loops, touch.span)
    mine = {member(a.place) for a in found} if found else {None}
    for other in others:
        its = member(other.place)
        if its is not None and None not in mine and its not in mine:
            continue
        known = of.get(other.node.span)
        if known is None or aliases.may_alias(memories[touch.root, touch.key], known):
            return False
        if memories[touch.root, touch.key] is known:
            return False
    return True


def _accesses(loops: Sequence[VertexLoop], span: Span) -> list[GraphAccess]:
    """What the innermost vertex loop around knows of the write at a place."""
    for loop in reversed(loops):
        found = [a for a in loop.accesses if a.node.span == span and a.write]
        if found:
            return found
    return []


def _setting(
    flip: Flip, loops: Sequence[VertexLoop], touch: Touch, pushed: Sequence[GraphAccess]
) -> Setting | None:
    """The statement that sets a pushed value of an own vertex."""
    for loop in loops:
        if loop.count != flip.graph.count or not flip.graph.count:
            continue
        for access in loop.accesses:
            if access.node.span != touch.span or not access.write or access.atomic is not None:
                continue
            if access.of is Of.OWN and any(_is_same(flip, loop, access, p) for p in pushed):
                statement = _statement(loop.body, access.node)
                closed = any(c.argument.strip() == "none" for d in loop.directives
                             for c in d.all("default"))  # fmt: skip
                if not closed and statement is not None and not statement.in_macro:
                    return Setting(statement, access.node, loop)
    return None


def _is_same(flip: Flip, loop: VertexLoop, access: GraphAccess, pushed: GraphAccess) -> bool:
    """Whether a vertex's place is what others know as their neighbour's."""
    one, other = _property(access), _property(pushed)
    if one is None or one != other:
        return False
    subject = access.subject
    if not isinstance(subject, ValueAt):
        return False
    return subject.place == Place(loop.iterator) or is_table(loop, subject.place, [flip.graph])


def _property(access: GraphAccess) -> tuple[object, ...] | None:
    """What a place is of its vertex: the array and members, or a member of the vertex's struct."""
    steps = access.place.steps
    for position in reversed(range(len(steps))):
        step = steps[position]
        if not isinstance(step, Index):
            continue
        whole = ValueAt(Place(access.place.root, steps[:position]))
        if step.term == access.subject:
            return (access.place.root, steps[:position], steps[position + 1 :])
        if step.pointer and step.term == Number(0) and whole == access.subject:
            return ("object", steps[position + 1 :])
    return None


def _statement(root: Node, target: Node) -> Node | None:
    """The expression statement that assigns a target."""
    path = _path(root, target)
    for above, node in zip([None, *path], path, strict=False):
        sets = node.assigns
        if sets and node.children and node.children[0] is target:
            plain = above is not None and above.kind in (
                "COMPOUND_STMT", "IF_STMT", "FOR_STMT", "WHILE_STMT")  # fmt: skip
            header = above is not None and above.kind == "FOR_STMT" and node is not (
                above.children[-1])  # fmt: skip
            return node if plain and not header and not (
                above is not None and above.kind in ("IF_STMT", "WHILE_STMT")
                and node is above.children[0]
            ) else None  # fmt: skip
    return None
