"""Looks for races among what threads execute, in functions that need not be transformed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from s2s.source.diagnostics import Diagnostic, Severity

if TYPE_CHECKING:
    from s2s.driver.options import Options
    from s2s.frontends.c.regions import Function
    from s2s.frontends.c.unit import Unit


# The warnings about each function, with its lines.
Told = Sequence[tuple[range, Sequence[Diagnostic]]]


def look_for_races(
    unit: Unit, said: Iterable[Diagnostic], options: Options, told: Told | None = None
) -> list[Diagnostic]:
    """Warnings about certain races in the functions of a file with OpenMP directives.

    ``said`` has those that regions have led to: their races are not told again. ``told`` is what
    ``races_of_functions`` gives, where that was asked before.
    """
    told = races_of_functions(unit, options) if told is None else told
    if not told:
        return []
    from s2s.driver.race_reports import is_told

    found = [d for d in said if d.id == "race"]
    known = len(found)
    for lines, warnings in told:
        found += [w for w in warnings if not is_told(w, found, lines)]
    return found[known:]


def races_of_functions(unit: Unit, options: Options) -> Told:
    """All warnings about certain races in functions with OpenMP directives.

    What happens here decides nothing about the code that is written, so a defect is only told, but
    for ``--strict``.
    """
    spans = [d.span for d in unit.pragmas if d.name not in _WITHOUT_CODE]
    if not spans or any(d.name == "?" for d in unit.pragmas):
        return []
    from s2s.frontends.c.regions import functions_of

    found = []
    for function in functions_of(unit, unit.functions()):
        span = function.node.span
        asked = options.asks_about(unit.buffer, span)
        if asked and any(span.start <= s.start < span.end for s in spans):
            where = unit.buffer.location(span)
            lines = range(where.line, where.end_line + 1)
            found.append((lines, _survive(function, strict=options.strict)))
    return found


def _survive(function: Function, *, strict: bool) -> list[Diagnostic]:
    try:
        return list(_of_function(function))
    except Exception as problem:
        if strict:
            raise
        where = function.unit.buffer.location(function.node.span)
        text = f"internal error: {type(problem).__name__}; races were not looked for"
        return [Diagnostic(Severity.MISSED, text, "internal", where)]


_WITHOUT_CODE = frozenset({"threadprivate", "declare simd", "declare reduction", "declare target",
                           "end declare target", "requires"})  # fmt: skip


def _of_function(function: Function) -> Iterator[Diagnostic]:
    import islpy as isl

    from s2s.analyses.concurrency.races import races
    from s2s.driver.race_reports import thread_race_warnings
    from s2s.frontends.c.executed.reader import read_executed
    from s2s.scop.budget import budget, is_over

    execution = read_executed(function)
    if execution is None:
        return
    found: list[Diagnostic] = []
    with budget():
        try:
            found += thread_race_warnings(function.unit.buffer, races(execution))
        except isl.Error as problem:
            if not is_over(problem):
                raise
    yield from found
