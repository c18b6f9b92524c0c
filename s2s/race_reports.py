"""Warnings about data races, with both places."""

from __future__ import annotations

from collections.abc import Iterator

import islpy as isl

from s2s.analyses import dependences
from s2s.diagnostics import Diagnostic, Severity
from s2s.frontends.c.touches import OUTPUT, SPELLINGS
from s2s.scop.nodes import Construct, Kind, Scop, Statement, walk
from s2s.source import SourceBuffer


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
        text = f"data race on '{_shared_name(scop, first, second)}': nothing orders these accesses"
        note = Diagnostic(
            Severity.NOTE, "the other access is here", "race", buffer.location(second.span)
        )
        yield Diagnostic(Severity.WARNING, text, "race", buffer.location(first.span), (note,))


def places(warning: Diagnostic) -> frozenset[object]:
    """Where a warning's accesses begin, whichever comes first."""
    found = (warning.location, *(note.location for note in warning.notes))
    return frozenset((at.path, at.line, at.column) for at in found if at is not None)


def _shared_name(scop: Scop, first: Statement, second: Statement) -> str:
    """How the source names what both statements touch and one of them writes."""
    touched = [{a.array for a in s.accesses} for s in (first, second)]
    written = {a.array for s in (first, second) for a in s.accesses if a.write}
    names = sorted(scop.arrays[a].spelling for a in touched[0] & touched[1] & written)
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
