"""Whether what a loop's updates read is written by none of them: from all that the loop touches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from s2s.frontends.c.arrays import Aliases, Memory, group
from s2s.frontends.c.graph_loops import GraphAccess, Of, VertexLoop
from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.places import Field, Index, Number, Place
from s2s.frontends.c.regions import Function
from s2s.frontends.c.touch import Touch
from s2s.frontends.openmp.constructs import Attached
from s2s.rewriters.graphs.refine import member
from s2s.rewriters.graphs.refused import Refused
from s2s.rewriters.graphs.updates import Update
from s2s.source import Span


def check_reads(loop: VertexLoop, update: Update, lists: frozenset[str]) -> tuple[str, ...]:
    """Conditions (C text) under which no expression of a loop reads what its update writes.

    ``lists`` are the items of the graph's own arrays, in which no property is. Raises Refused where
    there are none.
    """
    touches = _touches(loop)
    memories = group(touches, lambda decl: False, frozenset(), lambda name: name)
    strict = "-fno-strict-aliasing" not in loop.function.unit.flags
    aliases = Aliases(loop.function.facts, strict)
    known: dict[Span, list[GraphAccess]] = {}
    for access in loop.accesses:
        known.setdefault(access.node.span, []).append(access)
    updated = update.own
    target = memories[next(
        (t.root, t.key) for t in touches if t.write and t.span == update.target.span
    )]  # fmt: skip
    goal = next(a for a in loop.accesses if a.node is update.target and a.write)
    apart: list[str] = []
    for touch in touches:
        if touch.span in updated or touch.is_scalar:
            continue
        found = known.get(touch.span, [])
        if found and all(a.place.steps and loop.item(a.place) in lists for a in found):
            continue
        memory = memories[touch.root, touch.key]
        if _are_different_members(found, loop, update):
            continue
        if memory is not target and not aliases.may_alias(memory, target):
            continue
        condition = None if memory is target else _apart(loop, found, goal)
        if condition is None:
            raise Refused(touch.span, _words(memory, target))
        apart += [condition] if condition not in apart else []
    return tuple(apart)


def _apart(loop: VertexLoop, found: Sequence[GraphAccess], goal: GraphAccess) -> str | None:
    """A condition that what is read is not in the array that is updated; None if there is none."""
    ranges = [_range(loop, access) for access in (goal, *found)]
    if not found or None in ranges:
        return None
    (start, end), *others = [r for r in ranges if r is not None]
    parts = [f"({end} <= {first} || {last} <= {start})" for first, last in others]
    return " && ".join(dict.fromkeys(parts))


def _range(loop: VertexLoop, access: GraphAccess) -> tuple[str, str] | None:
    """From where to where the elements of all vertices are, or one place that all share."""
    place, subject = access.place, access.subject
    if access.whole or place.root in loop.private:
        return None
    if access.of is Of.SHARED and place.steps:
        text = loop.function.unit.buffer.text(access.node.span)
        return f"(char *)&{text}", f"(char *)(&{text} + 1)"
    at = next((i for i, s in enumerate(place.steps)
               if isinstance(s, Index) and s.term == subject), None)  # fmt: skip
    if access.of not in (Of.OWN, Of.NEIGHBOUR) or at is None:
        return None
    base = written(Place(place.root, place.steps[:at]))
    count = loop.function.unit.buffer.text(loop.last.span)
    return (f"(char *){base}", f"(char *)({base} + {count})") if base else None


def drop_atomics(function: Function) -> Function:
    """The function without the directives that make updates atomic, which hide what they touch."""
    attached = function.attached
    plain = tuple(d for d in attached.directives if d.name not in ("atomic", "critical"))
    return replace(function, attached=Attached(plain, attached.next_token))


def _touches(loop: VertexLoop) -> list[Touch]:
    """What a loop touches, atomic or not. Raises Refused where that has no model."""
    attempt = drop_atomics(loop.function).attempt([loop.node])
    try:
        attempt.check_pragmas()
        return attempt.lifter.whole(loop.body).touches
    except NotLiftable as problem:
        raise Refused(problem.span, f"not flipped: {problem.reason}") from None


def _are_different_members(found: Sequence[GraphAccess], loop: VertexLoop, update: Update) -> bool:
    """Whether an access is to another member of a struct than the update."""
    one = {member(a.place) for a in found if not a.whole and a.node.type.scalar}
    other = {member(loop.places.place(update.target))}
    whole = any(a.whole or not a.node.type.scalar for a in found)
    return bool(one) and not whole and None not in one | other and one.isdisjoint(other)


def _words(memory: Memory, target: Memory) -> str:
    read, written = (f"{m.root.name if m.root else 'memory'}{_path(m)}" for m in (memory, target))
    if memory is target:
        return f"not flipped: the loop reads '{read}', which its updates write"
    return f"not flipped: '{read}' may be '{written}', which the loop's updates write"


def _path(memory: Memory) -> str:
    return memory.key.replace("*", "") if memory.root is not None else ""


def written(place: Place) -> str:
    """C text of a place that has members and constant subscripts only, empty for others."""
    if place.root is None:
        return ""
    text, position = place.root.name, 0
    while position < len(place.steps):
        step = place.steps[position]
        following = place.steps[position + 1] if position + 1 < len(place.steps) else None
        if isinstance(step, Field):
            text += f".{step.name}"
        elif step.term == Number(0) and step.pointer and isinstance(following, Field):
            text += f"->{following.name}"
            position += 1
        elif isinstance(step.term, Number):
            text += f"[{step.term.value}]"
        else:
            return ""
        position += 1
    return text
