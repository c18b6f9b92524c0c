"""Memory for the temporaries of a loop whose statements have been given their places.

A temporary that is used up in the iteration of one loop is a scalar of that loop's body. Any other
one is an array over the iterations of a strip, on the stack; what is read some iterations back is
carried over from the end of one strip to the beginning of the next:

::

    float t[257];
    for strip: { if (strip > first) t[0] = t[256];
                 for i in strip: t[i - 256 * strip + 1] = ...;
                 for i in strip: ... t[i - 256 * strip] ...; }
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import islpy as isl

from s2s.scop.nodes import Loop, Scop
from s2s.scop.schedule import Dimension, Parallelism, Role, Schedule
from s2s.scop.texts import PREFIX, Storage
from s2s.source import Edit
from s2s.transforms.errors import NotApplicable
from s2s.transforms.vector.renamed import Renamed, Use


def is_local(renamed: Renamed, temporary: str, loops: Sequence[Sequence[str]]) -> bool:
    """Whether a temporary is set and used up in each iteration of one of the loops."""
    users = {s for s, uses in renamed.uses.items() for u in uses if u.temporary == temporary}
    users &= {name for names in loops for name in names}
    together = any(users <= set(names) for names in loops)
    return together and renamed.distance(temporary) == 0


def place(renamed: Renamed, loop: Loop, loops: Sequence[Sequence[str]], strip: int) -> Scop:
    """The statements in loops that follow each other in each strip, with storage.

    Where one loop has them all and needs no arrays, there are no strips. Raises NotApplicable where
    strips would have to be shorter than what they carry.
    """
    names = [t for t in renamed.temporaries if _is_used(renamed, t)]
    local = {t for t in names if is_local(renamed, t, loops)}
    in_strips = len(loops) > 1 or len(local) < len(names)
    if in_strips and abs(loop.step) != 1:
        raise NotApplicable(loop.header, f"strips of a loop in steps of {loop.step}")
    storage = [_storage(renamed, t, 0 if t in local else strip) for t in names]
    if any(s.carry > strip for s in storage):
        raise NotApplicable(loop.header, "a value is used more than a strip later")
    scop = _with_texts(renamed, loop, local, strip)
    target = in_strips_of(scop, loop, loops, strip if in_strips else 0)
    return replace(scop, storage=tuple(storage), target=target)


def _is_used(renamed: Renamed, temporary: str) -> bool:
    names = {s.name for s in renamed.scop.statements}
    return any(
        u.temporary == temporary for s, uses in renamed.uses.items() if s in names for u in uses
    )


def _storage(renamed: Renamed, name: str, strip: int) -> Storage:
    temporary = renamed.temporaries[name]
    carry = renamed.distance(name) if strip else 0
    return Storage(name, temporary.type, strip + carry if strip else 0, carry)


def in_strips_of(
    scop: Scop, loop: Loop, loops: Sequence[Sequence[str]], strip: int,
    parallelism: Parallelism = Parallelism.NONE,
) -> Schedule:  # fmt: skip
    """The statements in loops that follow each other in each strip; without strips for ``strip`` 0.

    ``loops`` are the names of the statements of each; ``parallelism`` is theirs.
    """
    sign = "-" if loop.step < 0 else ""
    maps: dict[str, isl.Map] = {}
    for part, names in enumerate(loops):
        for position, name in enumerate(names):
            entries = [f"{sign}i", str(position)]
            if strip:
                entries = [f"floor(({sign}i)/{strip})", str(part), *entries]
            domain = scop.statement(name).domain
            text = f"{{ {name}[i] -> [{', '.join(entries)}] }}"
            maps[name] = isl.Map(text).intersect_domain(domain)
    spelled = loop.variable.spelling
    inner = (Dimension(spelled, Role.ORDER, parallelism), Dimension("place", Role.ORDER))
    if not strip:
        return Schedule(maps, inner)
    outer = (Dimension(strip_name(loop), Role.TILE, size=strip), Dimension("part", Role.ORDER))
    return Schedule(maps, (*outer, *inner))


def strip_name(loop: Loop) -> str:
    """The name of the loop over strips."""
    return f"{loop.variable.spelling}_strip"


def _with_texts(renamed: Renamed, loop: Loop, local: set[str], strip: int) -> Scop:
    iterator = loop.variable.spelling
    statements = []
    for statement in renamed.scop.statements:
        uses = renamed.uses[statement.name]
        edits = tuple(_edit(renamed, use, loop, local, strip) for use in uses)
        needs = any(u.temporary and u.temporary not in local for u in uses)
        named = statement.uses | {iterator} if needs else statement.uses
        made = replace(statement, edits=(*statement.edits, *edits), uses=named)
        statements.append(made)
    return replace(renamed.scop, statements=tuple(statements))


def _edit(renamed: Renamed, use: Use, loop: Loop, local: set[str], strip: int) -> Edit:
    text = ""
    if use.temporary:
        text = f"{PREFIX}{use.temporary}"
        if use.temporary not in local:
            offset = renamed.distance(use.temporary) - use.distance
            text += f"[{_element(loop, strip, offset)}]"
    text = f"{use.prefix}{text}{use.suffix}"
    return Edit(use.span.start, use.span.end, text.encode())


def _element(loop: Loop, strip: int, offset: int) -> str:
    """The place of an iteration's value in the array of a strip, ``offset`` after its start."""
    first = f"{strip} * {PREFIX}{strip_name(loop)}"
    spelled = loop.variable.spelling
    if loop.step > 0:
        return f"{spelled} - {first}" + (f" + {offset}" if offset else "")
    return f"{offset} - (long){spelled} - {first}"
