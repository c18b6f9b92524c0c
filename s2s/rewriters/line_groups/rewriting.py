"""The edits that put lines of a region into groups, with all that has to be proved for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import islpy as isl

from s2s.emitters.c.style import style_of
from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.prepare import lay_out
from s2s.frontends.c.regions import Function
from s2s.rewriters.line_groups import checks, copying, gain
from s2s.rewriters.line_groups.pieces import Uses
from s2s.rewriters.line_groups.program import Program
from s2s.rewriters.line_groups.reading import Loop, scopes
from s2s.rewriters.line_groups.region import LineArray, Region
from s2s.rewriters.line_groups.writing import Copies, Writer
from s2s.rewriters.text_pass import Rewrite
from s2s.source import Edit, Span

# What a thread has on its stack for a group of lines.
_MOST_BYTES = 1 << 20
# Operations for each element that is copied, from which on lanes gain.
_WORTH = 8


# What is known of the file that was asked about last.
_LAST: list[Program] = []


def rewrites(function: Function, done: Sequence[Edit], vector: int) -> Iterator[Rewrite]:
    """The regions of which a function has the first loop; vectors have so many bytes."""
    if not _LAST or _LAST[0].unit is not function.unit:
        _LAST[:] = [Program(function.unit)]
    program = _LAST[0]
    for region in program.regions.values():
        where = region.function.node.span
        if _first_with_loops(region) != function.node.name:
            continue
        if any(_touches(where, edit) for edit in done):
            continue
        try:
            found = _rewrite(program, region, vector)
        except NotLiftable as problem:
            found = Rewrite(where, f"lines stay as they are: {problem.reason}")
        if found is not None:
            yield found


def _rewrite(program: Program, region: Region, vector: int) -> Rewrite | None:
    """The region in groups of lines, None where that is not expected to gain.

    Raises NotLiftable.
    """
    function, uses = region.function, program.uses(region)
    back = program.kept(region)
    copies = gain.copied([*uses.reads.values(), *back.values()])
    if not gain.is_strided(region) or gain.operations(region) < _WORTH * copies:
        return None
    for decl in region.own:
        if not program.is_own(decl):
            raise NotLiftable(function.node.span, f"'{decl.name}' may be read elsewhere")
    checks.check_kernels(region.kernels)
    lanes = _lanes(region, vector)
    dropped = _dropped(uses, back)
    outside = program.outside(region, {array.decl for array in dropped})
    allowed = checks.allowed(region, uses.touched, outside, max(1, lanes // 4))
    names = program.names
    writer = Writer(region, lanes, Copies(uses.reads, back, allowed, names))
    reason = f"{lanes} lines of '{region.lane.decl.name}' side by side"
    condition = copying.condition(allowed, names, function.node.span)
    dead = {d.name for d in region.own if d.is_global} | {a.decl.name for a in dropped}
    edits = tuple(_edits(writer, condition, reason))
    return Rewrite(function.node.span, reason, edits, dead=frozenset(dead))


def _dropped(uses: Uses, back: Mapping[LineArray, isl.Set]) -> list[LineArray]:
    """The arrays of which not all that is written is kept."""
    return [
        array
        for array, written in uses.writes.items()
        if array not in back or not written.is_subset(back[array])
    ]


def _lanes(region: Region, vector: int) -> int:
    """Lines in a group. Raises NotLiftable where they take too much memory."""
    lanes = max(2, vector // gain.widest(region))
    while lanes > 2 and lanes * gain.bytes_of_line(region) > _MOST_BYTES:
        lanes //= 2
    if lanes * gain.bytes_of_line(region) > _MOST_BYTES:
        raise NotLiftable(region.function.node.span, "lines are too long")
    return lanes


def _first_with_loops(region: Region) -> str:
    """Drivers ask about functions with loops only: the one to which a region belongs."""
    every = (s for s in scopes(region.scope) if any(isinstance(item, Loop) for item in s.body))
    return next((scope.function.node.name for scope in every), "")


def _touches(span: Span, edit: Edit) -> bool:
    return span.overlaps(Span(edit.start, max(edit.end, edit.start + 1)))


def _edits(writer: Writer, condition: str, reason: str) -> Iterator[Edit]:
    """The kernels in front of the function, and its new body."""
    function = writer.region.function
    buffer = function.unit.buffer
    unit = style_of(buffer.data).unit
    lines = list(writer.kernels())
    start = buffer.line_start(function.node.span.start)
    if lines and start:
        # Before the line's end in front, so that what is executed again is the function alone.
        front = "\n" + lay_out(lines[:-1], "", unit) + "\n"
        yield Edit(start - 1, start - 1, front.encode("utf-8", "surrogateescape"))
    body = function.body.span
    inside = list(writer.body())
    head = f"/* s2s: {reason} */"
    if condition:
        old = buffer.text(Span(body.start, body.end))
        inside = [head, f"if ({condition}) {{", *(_deeper(line) for line in inside), "} else"]
        text = lay_out(["{", *(_deeper(line) for line in inside)], "", unit)
        text = f"{text} {old}\n}}"
    else:
        text = lay_out(["{", f"\t{head}", *(_deeper(line) for line in inside), "}"], "", unit)
    yield Edit(body.start, body.end, text.encode("utf-8", "surrogateescape"))


def _deeper(line: str) -> str:
    return line if line.startswith("#") else f"\t{line}"
