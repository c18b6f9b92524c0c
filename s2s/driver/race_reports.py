"""Warnings about data races, with both places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import islpy as isl

from s2s.analyses import dependences
from s2s.analyses.concurrency.races import Race
from s2s.frontends.c.touch import OUTPUT, SPELLINGS
from s2s.scop.nodes import Construct, Kind, Scop, Statement, walk
from s2s.source import SourceBuffer
from s2s.source.diagnostics import Diagnostic, Severity

# Of one variable's races in a region so many are told, and how many others there are.
_TOLD = 3


def race_warnings(
    buffer: SourceBuffer, scop: Scop, races: isl.UnionMap
) -> dict[str, list[Diagnostic]]:
    """A warning for each pair of statements that races, by variable, as the source has them."""
    if _may_synchronize(scop):
        return {}
    found = {}
    for name, pairs in _by_variable(scop, races).items():
        text = f"data race on '{name}': nothing orders these accesses"
        found[name] = [_pair_warning(buffer, text, *pair) for pair in pairs]
    return found


def few_of(
    warnings: Mapping[str, Sequence[Diagnostic]], told: Iterable[Diagnostic]
) -> Iterator[Diagnostic]:
    """A few of each variable's warnings; ``told`` are not repeated, and count.

    A scalar that all statements of a large loop share races in as many pairs as there are pairs of
    statements: one cause.
    """
    known = {places(warning) for warning in told}
    for name, found in warnings.items():
        left = _TOLD - len([w for w in found if places(w) in known])
        fresh = [w for w in found if places(w) not in known]
        for number, warning in enumerate(fresh[: max(left, 0)], start=1):
            others = len(fresh) - number if number == left else 0
            yield _with_others(warning, others, name)


def _by_variable(scop: Scop, races: isl.UnionMap) -> dict[str, list[tuple[Statement, Statement]]]:
    """The pairs of statements that race, by the variable, both in the order of the source."""
    found: dict[frozenset[str], tuple[str, Statement, Statement]] = {}
    for (source, target), pairs in dependences.by_statements(races).items():
        if not pairs.is_empty() and frozenset((source, target)) not in found:
            first, second = (scop.statement(n) for n in sorted((source, target), key=len))
            name = _shared_name(scop, source, target, pairs)
            found[frozenset((source, target))] = (name, first, second)
    by_name: dict[str, list[tuple[Statement, Statement]]] = {}
    for name, first, second in sorted(found.values(), key=_where):
        by_name.setdefault(name, []).append((first, second))
    return by_name


def _where(pair: tuple[str, Statement, Statement]) -> tuple[int, int]:
    return pair[1].span.start, pair[2].span.start


def _pair_warning(
    buffer: SourceBuffer, text: str, first: Statement, second: Statement
) -> Diagnostic:
    note = Diagnostic(
        Severity.NOTE, "the other access is here", "race", buffer.location(second.span)
    )
    return Diagnostic(Severity.WARNING, text, "race", buffer.location(first.span), (note,))


def _with_others(warning: Diagnostic, others: int, name: str) -> Diagnostic:
    """The warning, with a note that so many ``others`` are not told."""
    if not others:
        return warning
    text = f"{others} other pairs of statements race on '{name}' here"
    if others == 1:
        text = f"another pair of statements races on '{name}' here"
    note = Diagnostic(Severity.NOTE, text, "race", warning.location)
    return replace(warning, notes=(*warning.notes, note))


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
