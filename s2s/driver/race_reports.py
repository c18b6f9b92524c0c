"""Warnings about data races, with both places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import islpy as isl

from s2s.analyses import dependences
from s2s.analyses.concurrency.races import Race
from s2s.frontends.c.touches import OUTPUT, SPELLINGS
from s2s.scop.nodes import Construct, Kind, Scop, walk
from s2s.source import SourceBuffer
from s2s.source.diagnostics import Diagnostic, Severity


def race_warnings(buffer: SourceBuffer, scop: Scop, races: isl.UnionMap) -> Iterator[Diagnostic]:
    """One warning for each pair of statements that race."""
    if _may_synchronize(scop):
        return
    said: set[frozenset[str]] = set()
    for (source, target), pairs in dependences.by_statements(races).items():
        if pairs.is_empty() or frozenset((source, target)) in said:
            continue
        said.add(frozenset((source, target)))
        first, second = (scop.statement(n) for n in sorted((source, target), key=len))
        name = _shared_name(scop, source, target, pairs)
        text = f"data race on '{name}': nothing orders these accesses"
        note = Diagnostic(
            Severity.NOTE, "the other access is here", "race", buffer.location(second.span)
        )
        yield Diagnostic(Severity.WARNING, text, "race", buffer.location(first.span), (note,))


def thread_race_warnings(buffer: SourceBuffer, found: Iterable[Race]) -> Iterator[Diagnostic]:
    """One warning for each race among what the threads of a function execute."""
    for race in found:
        first, second = sorted((race.first, race.second), key=lambda e: (not e.write, e.number))
        who = "lanes of the simd loop" if race.by == "lanes" else race.by
        text = f"data race on '{race.name}': nothing orders these accesses of different {who}"
        said = "the other access is here"
        if first.span == second.span:
            said = "here is the other access, of another one"
        note = Diagnostic(Severity.NOTE, said, "race", buffer.location(second.span))
        yield Diagnostic(Severity.WARNING, text, "race", buffer.location(first.span), (note,))


def is_told(warning: Diagnostic, others: Iterable[Diagnostic], lines: range) -> bool:
    """Whether another warning is about the same variable, there or in a function's lines."""
    variable = warning.text.split(":")[0]
    same = (places(other) for other in others if other.text.split(":")[0] == variable)
    return any(
        place in places(warning) or place[1] in lines for found in same for place in found
    )  # fmt: skip


def places(warning: Diagnostic) -> frozenset[tuple[str, int, int]]:
    """Where a warning's accesses begin, whichever comes first."""
    found = (warning.location, *(note.location for note in warning.notes))
    return frozenset((at.path, at.line, at.column) for at in found if at is not None)


def _shared_name(scop: Scop, source: str, target: str, pairs: isl.Map) -> str:
    """How the source names what instances of both statements touch, one of them writing it."""
    first, second = scop.statement(source), scop.statement(target)
    names = sorted(
        scop.arrays[a.array].spelling
        for a in first.accesses
        for b in second.accesses
        if a.array == b.array and a.exact and b.exact and (a.write or b.write)
        and not a.relation.apply_range(b.relation.reverse()).is_disjoint(pairs)
    )  # fmt: skip
    return names[0] if names else "?"


def _may_synchronize(scop: Scop) -> bool:
    """Whether an unknown call, which may lock, is among the statements; or no second thread."""
    calls = any(
        scop.arrays[a.array].external and scop.arrays[a.array].spelling != SPELLINGS[OUTPUT]
        for s in scop.statements
        for a in s.accesses
    )
    parallel = [
        dict(n.clauses)
        for n in walk(scop.tree)
        if isinstance(n, Construct) and n.kind is Kind.PARALLEL
    ]
    alone = [c.get("if") == "0" or c.get("num_threads") == "1" for c in parallel]
    return calls or (bool(alone) and all(alone))
