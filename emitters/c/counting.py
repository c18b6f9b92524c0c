"""Lines that count how often conditions hold, before code that gains only if they often do.

::

    int s2s_often = (guard);
    if (s2s_often) {
        long s2s_held = 0, s2s_asked = 0;
        for (int i = 0; i < n; i++) { s2s_asked++; if (x[i] > 0) { s2s_held++; } }
        s2s_often = 4 * s2s_held >= s2s_asked;
    }

The conditions are those that the source evaluates there in any case; what it would do below them
may change them, so the count is an estimate.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import islpy as isl

from s2s.emitters.c import generated
from s2s.emitters.c.blocks import CLOSE, END, OPEN
from s2s.emitters.c.expressions import Names
from s2s.emitters.c.guard import Emission
from s2s.emitters.c.instances import INDENT
from s2s.emitters.c.loops import LoopPrinter
from s2s.scop.nodes import Scop, Statement

# One of so many evaluations has to hold: vectors gain more than that, and a false condition costs
# as much as a true one.
_SHARE = 4


def count_lines(scop: Scop, emission: Emission, names: Names, known: isl.Set) -> list[str]:
    """Lines of a block inside ``s2s_often``, one indentation deep; none where nothing is asked."""
    if not emission.often:
        return []
    prefix = emission.prefix
    held, asked, often = (f"{prefix}{word}" for word in ("held", "asked", "often"))
    lines = [f"if ({often}) {{", f"{INDENT}long {held} = 0, {asked} = 0;"]
    for statement in emission.often:
        lines += (INDENT + line for line in _loops(scop, statement, emission, names, known))
    lines += [f"{INDENT}{often} = {_SHARE} * {held} >= {asked};", "}"]
    return [INDENT + line for line in lines]


def _loops(
    scop: Scop, statement: Statement, emission: Emission, names: Names, known: isl.Set
) -> Iterator[str]:
    prefix = emission.prefix
    condition = emission.buffer.text(statement.span)
    body = f"{prefix}asked++;\nif ({condition}) {{\n{INDENT}{prefix}held++;\n}}"
    schedule = isl.UnionMap.from_map(statement.schedule.intersect_domain(statement.domain))
    count = statement.schedule.dim(isl.dim_type.out)
    iterators = [f"{prefix}c{position}" for position in range(count)]
    whole = _with(scop, statement)
    printer = LoopPrinter(whole, lambda _: body, {}, prefix, lambda *_: [])
    printer.print(generated.loops(known, schedule, iterators), names, 0)
    marks = re.compile(f"{OPEN}\\w+{CLOSE}|{END}")
    yield from (marks.sub("", line) for line in printer.lines)


def _with(scop: Scop, statement: Statement) -> Scop:
    return replace(scop, statements=(*scop.statements, statement))
