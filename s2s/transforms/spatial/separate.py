"""Statements of an imperfect nest in nests of their own, as text, so that each can be conformable.

::

    for i: for j: {                          for i: for j: out[i][j] = 0;
      sum = 0;                        ->     for i: for j: for k: out[i][j] += a[i][k] * b[k][j];
      for k: sum += a[i][k] * b[k][j];
      out[i][j] = sum; }

A scalar that each iteration sets first becomes the element that it is copied to at last, or an
element of an array of its own. That is scalar expansion (Feautrier, "Array expansion", 1988) before
loop distribution (Allen and Kennedy, 1987); the order of all instances is proved.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import prod

import islpy as isl

from s2s.analyses import dependences, legality
from s2s.analyses.conformability.normal_form import Normal, normal_form
from s2s.scop.expressions import Load
from s2s.scop.nodes import Access, Branch, Construct, Loop, Scop, Statement, walk
from s2s.scop.schedule import Dimension, Role, Schedule
from s2s.scop.trees import paths
from s2s.source import SourceBuffer, Span
from s2s.source.records import dataclass

MOST_BYTES = 1 << 18
"""What an array of new elements may need: it lies on the stack."""


class NotSeparable(Exception):
    """A region whose statements keep their loops: ``reason``, and ``at`` which place."""

    def __init__(self, at: Span, reason: str) -> None:
        super().__init__(reason)
        self.at, self.reason = at, reason


@dataclass(frozen=True)
class Separated:
    """The text in place of the region, and what was done, in words."""

    text: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class _Scalar:
    """What a scalar becomes: ``element`` is its text, ``declaration`` empty if it needs none.

    ``dropped`` is the statement that copied it to its element.
    """

    array: str
    spelling: str
    loops: int
    element: str
    declaration: str
    dropped: str
    words: str


def separate(scop: Scop, buffer: SourceBuffer, prefix: str) -> Separated:
    """Each statement of a region in loops of its own. Raises NotSeparable with place and reason.

    ``prefix`` begins the names of new arrays.
    """
    if len(scop.statements) < 2:
        raise NotSeparable(scop.span, "there is one statement")
    for node in walk(scop.tree):
        if isinstance(node, Branch | Construct):
            raise NotSeparable(node.span, "there are conditions or directives in the nest")
    loops = {
        name: tuple(node for node in above if isinstance(node, Loop))
        for name, above in paths(scop.tree).items()
    }
    for statement in scop.statements:
        if statement.assignment is None or statement.opaque or statement.control:
            raise NotSeparable(statement.span, "this is no plain assignment")
    scalars = [_scalar(scop, buffer, prefix, loops, name) for name in _scalars(scop)]
    _check_order(scop, scalars)
    kept = [s for s in scop.statements if s.name not in {one.dropped for one in scalars}]
    nests = [_nest(buffer, loops[s.name], s, scalars) for s in kept]
    declarations = [one.declaration for one in scalars if one.declaration]
    first = buffer.location(kept[0].span).line
    words = [f"{len(kept)} nests in place of one, from line {first} on"]
    indent = indentation(buffer, scop.span)
    lines = "".join(f"{indent}    {line}\n" for line in (*declarations, *nests))
    done = (*(one.words for one in scalars), *(words if len(kept) > 1 else ()))
    return Separated(f"{{\n{lines}{indent}}}", done)


def indentation(buffer: SourceBuffer, span: Span) -> str:
    """The blanks before a region on its line."""
    head = buffer.text(Span(buffer.line_start(span.start), span.start))
    return head[: len(head) - len(head.lstrip())]


def _scalars(scop: Scop) -> list[str]:
    """Scalars that several statements share."""
    shared: dict[str, set[str]] = {}
    for statement in scop.statements:
        for access in statement.accesses:
            if scop.arrays[access.array].rank == 0 and any(
                a.write for s in scop.statements for a in s.accesses if a.array == access.array
            ):
                shared.setdefault(access.array, set()).add(statement.name)
    return list(shared)


def _scalar(
    scop: Scop,
    buffer: SourceBuffer,
    prefix: str,
    loops: Mapping[str, tuple[Loop, ...]],
    name: str,
) -> _Scalar:
    """What becomes of a scalar. Raises NotSeparable where iterations pass it on."""
    users = [s for s in scop.statements if any(a.array == name for a in s.accesses)]
    first = users[0]
    spelling = scop.arrays[name].spelling
    common = _common([loops[s.name] for s in users])
    reads = any(a.array == name and not a.write for a in first.accesses)
    if reads or first.depth != common or not scop.arrays[name].dead:
        said = f"'{spelling}' has a value before each iteration, or after the nest"
        raise NotSeparable(first.span, said)
    last = users[-1]
    if last.depth == common and len(users) > 1 and _is_copy(scop, last, name):
        assert last.assignment is not None
        element = buffer.text(last.assignment.target)
        words = f"'{spelling}' is accumulated in {element}"
        return _Scalar(name, spelling, common, element, "", last.name, words)
    normal = normal_form(scop, first)
    type_ = first.assignment.type if first.assignment else ""
    if normal is None or None in normal.extents or not type_:
        raise NotSeparable(first.span, f"how many values '{spelling}' has is not known")
    extents = [int(extent or 1) for extent in normal.extents]
    if prod(extents) * (scop.arrays[name].element_size or 8) > MOST_BYTES:
        raise NotSeparable(first.span, f"'{spelling}' has too many values for an array")
    new = f"{prefix}{spelling}"
    element = new + "".join(f"[{index}]" for index in indices(normal))
    declaration = f"{type_} {new}" + "".join(f"[{extent}]" for extent in extents) + ";"
    words = f"'{spelling}' is an array of {prod(extents)} values"
    return _Scalar(name, spelling, common, element, declaration, "", words)


def _common(paths_: Sequence[tuple[Loop, ...]]) -> int:
    """How many loops are around all."""
    depth = 0
    for level in zip(*paths_, strict=False):
        if any(loop is not level[0] for loop in level):
            break
        depth += 1
    return depth


def indices(normal: Normal) -> list[str]:
    """For each loop its number of the iteration, from 0 on, as C text over its iterator."""
    found = []
    origin = isl.Set(f"{{ [{', '.join('0' * normal.statement.depth)}] }}").apply(normal.to_source)
    for k, name in enumerate(normal.names):
        low = origin.dim_min_val(k).to_python()
        stepped = isl.Set(
            f"{{ [{', '.join('1' if j == k else '0' for j in range(len(normal.names)))}] }}"
        ).apply(normal.to_source)
        step = stepped.dim_min_val(k).to_python() - low
        text = name if low == 0 else f"({name} - {low})"
        found.append(
            text if step == 1 else f"{text} / {step}" if step > 0 else f"{text} / ({step})"
        )
    return found


def _is_copy(scop: Scop, statement: Statement, scalar: str) -> bool:
    """Whether a statement copies a scalar to an element that nothing else of the region touches."""
    store = statement.expression
    if store is None or not isinstance(store.values[0], Load):
        return False
    target = statement.write
    others = [
        access
        for other in scop.statements
        for access in other.accesses
        if access.array == target.array and access is not target
    ]
    return (
        not others
        and store.values[0].tensor == scalar
        and scop.arrays[target.array].rank > 0
        and target.relation.is_injective()
    )


def _check_order(scop: Scop, scalars: Sequence[_Scalar]) -> None:
    """Prove that all instances of a statement may run before those of the next one."""
    places = {one.array: one.loops for one in scalars}
    statements = tuple(
        replace(s, accesses=tuple(_expanded(s, a, places) for a in s.accesses))
        for s in scop.statements
    )
    arrays = {
        name: replace(array, rank=places[name]) if name in places else array
        for name, array in scop.arrays.items()
    }
    maps = {}
    for rank, statement in enumerate(statements):
        times = ", ".join(f"t{k}" for k in range(statement.schedule.dim(isl.dim_type.out)))
        part = isl.Map(f"{{ [{times}] -> [{rank}, {times}] }}")
        maps[statement.name] = statement.schedule.apply_range(part)
    width = statements[0].schedule.dim(isl.dim_type.out)
    bands = [Dimension(f"t{k}", Role.BAND) for k in range(width)]
    schedule = Schedule(maps, (Dimension("part", Role.ORDER), *bands))
    changed = replace(scop, statements=statements, arrays=arrays, target=schedule)
    if legality.check(changed, dependences.conservative(changed).all) is None:
        return
    apart = replace(changed, may_alias=frozenset())
    if legality.check(apart, dependences.conservative(apart).all) is None:
        said = "arrays may overlap (restrict says that they do not): statements keep their places"
        raise NotSeparable(scop.span, said)
    raise NotSeparable(scop.span, "a statement needs what a later one leaves")


def _expanded(statement: Statement, access: Access, places: Mapping[str, int]) -> Access:
    """An access of a scalar as one of an array over the loops around it."""
    if access.array not in places:
        return access
    names = [v.name for v in statement.iterators]
    outer = ", ".join(names[: places[access.array]])
    text = f"{{ {statement.name}[{', '.join(names)}] -> {access.array}[{outer}] }}"
    return replace(access, relation=isl.Map(text).intersect_domain(statement.domain), element=None)


def _nest(
    buffer: SourceBuffer, loops: Sequence[Loop], statement: Statement, scalars: Sequence[_Scalar]
) -> str:
    """A statement in copies of the headers of its loops."""
    known = statement.assignment
    assert known is not None
    text = buffer.text(statement.span).rstrip().rstrip(";")
    before = buffer.text(Span(statement.span.start, known.target.start)).strip()
    if before.strip("("):  # a declaration
        text = buffer.text(Span(known.target.start, known.end))
    for one in scalars:
        text = _named(text, one.spelling, one.element)
    heads = " ".join(" ".join(buffer.text(loop.header).split()) for loop in loops)
    return f"{heads} {text};"


def _named(text: str, name: str, element: str) -> str:
    return re.sub(rf"(?<![\w.>]){re.escape(name)}\b", lambda _: element, text)
