"""C text to SCoPs and dependences, for tests of what works on them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import islpy as isl

from s2s.analyses import dependences, happens_before
from s2s.analyses.dependences import Dependences
from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.parse import parse
from s2s.frontends.c.regions import Attempt, candidates, functions, inner_candidates
from s2s.frontends.c.unit import Unit
from s2s.scop.nodes import Construct, Scop, walk
from s2s.source import SourceBuffer
from s2s.source.compiler_answers import builtin_include_flags

FLAGS = ("-fopenmp",)


def parse_text(text: str, name: str = "program.c") -> Unit:
    """A parsed file that need not exist."""
    buffer = SourceBuffer(name, text.encode())
    language = "c++" if name.endswith(".cpp") else "c"
    unit = parse(buffer, FLAGS, builtin_include_flags("gcc", language), on_disk=False)
    assert not unit.errors, unit.errors
    return unit


def lifted(unit: Unit) -> Iterator[tuple[str, Scop]]:
    """The outermost statements of each function that are regions, with the function's name."""
    for function in functions(unit, every=True):
        for attempt in candidates(function):
            yield from ((function.node.name, scop) for scop in _scops(attempt))


def _scops(attempt: Attempt) -> Iterator[Scop]:
    try:
        yield attempt.scop()
    except NotLiftable:
        for inner in inner_candidates(attempt):
            yield from _scops(inner)


def scop_of(text: str) -> Scop:
    """The only region of a file."""
    ((_, scop),) = lifted(parse_text(text))
    return scop


def refusal(text: str) -> str:
    """Why the first candidate of a file is not a region."""
    function = next(iter(functions(parse_text(text), every=True)))
    attempt = next(iter(candidates(function)))
    try:
        attempt.scop()
    except NotLiftable as problem:
        return problem.reason
    raise AssertionError("it is a region")


@dataclass(frozen=True)
class Analysed:
    """P, HB, P' = P intersected with HB, and the exact dependences that HB lacks."""

    scop: Scop
    found: Dependences
    order: isl.UnionMap
    pruned: isl.UnionMap
    races: isl.UnionMap


def analysed(scop: Scop) -> Analysed:
    found = dependences.conservative(scop)
    if any(isinstance(node, Construct) for node in walk(scop.tree)):
        order = happens_before.compute(scop).relation
    else:
        order = dependences.sequential_order(scop)
    pruned = found.all.intersect(order).coalesce()
    return Analysed(scop, found, order, pruned, found.exact.subtract(order))


def between(relation: isl.UnionMap, source: str, target: str) -> isl.Map | None:
    """The part of a relation from one statement to another; None where there is none."""
    return dependences.by_statements(relation).get((source, target))
