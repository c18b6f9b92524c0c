"""Dependences against the oracle: every conflict that is executed has to be among them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

import islpy as isl

from s2s.scop.nodes import Scop, Statement
from tests.properties.execute import Event, conflicts, execute, ordered
from tests.properties.program import Program
from tests.properties.regions import Region

Instance = tuple[str, tuple[int, ...]]
"""A statement's name and the values of its iterators."""

_MOST_PAIRS = 250
# Set before each use and dead after it: s2s gives every iteration one of its own.
_TEMPORARY = frozenset({"t"})


def at(scop: Scop, values: Mapping[str, int]) -> isl.Set | None:
    """The parameter set of one run, None where a parameter is not the function's."""
    names = {p.name: p.spelling for p in scop.parameters}
    if not set(names.values()) <= set(values):
        return None
    tests = " and ".join(f"{n} = {values[s]}" for n, s in names.items()) or "true"
    return isl.Set(f"[{', '.join(names)}] -> {{ : {tests} }}")


def problems(region: Region, program: Program, text: str) -> list[str]:
    """Conflicts that the region's dependences lack, and races that nobody has."""
    found: list[str] = []
    leaves = _leaves(region.scop, text)
    for run in program.runs:
        here = at(region.scop, run)
        if here is None or here.is_disjoint(region.scop.assumptions.intersect(region.scop.context)):
            continue
        if not region.races.intersect_params(here).is_empty():
            found.append(f"a race is reported for {run}: {region.races.intersect_params(here)}")
        pairs = conflicting(program, run, leaves)
        if pairs is None:
            continue
        lacking = pairs.intersect_params(here).subtract(region.kept)
        if not lacking.is_empty():
            found.append(f"no dependence for {run}: {lacking}")
    return found


def conflicting(
    program: Program, run: Mapping[str, int], leaves: Mapping[int, Statement]
) -> isl.UnionMap | None:
    """Pairs of statement instances that conflict and are ordered in every execution."""
    events, conflicting = _executed(program, tuple(run.items()))
    instances = [_instance(event, leaves) for event in events]
    pairs: dict[tuple[Instance, Instance], None] = {}
    for a, b in conflicting:
        first, second = instances[a], instances[b]
        if first and second and first != second and first[1] == second[1]:
            pairs[first[0], second[0]] = None
    if not pairs:
        return None
    step = len(pairs) // _MOST_PAIRS + 1
    return _relation(list(pairs)[::step])


def _relation(pairs: list[tuple[Instance, Instance]]) -> isl.UnionMap:
    """The pairs as isl has them: to read their text would take it three times as long."""
    whole: dict[tuple[str, str], isl.BasicMap] = {}
    found: dict[tuple[str, str], isl.Map] = {}
    for (left, source), (right, target) in pairs:
        key = left, right
        if key not in whole:
            inputs, outputs = (
                ", ".join(f"{side}{i}" for i in range(len(vector)))
                for side, vector in (("i", source), ("o", target))
            )
            whole[key] = isl.BasicMap(f"{{ {left}[{inputs}] -> {right}[{outputs}] }}")
        point = whole[key]
        for place, value in enumerate(source):
            point = point.fix_val(isl.dim_type.in_, place, value)
        for place, value in enumerate(target):
            point = point.fix_val(isl.dim_type.out, place, value)
        one = isl.Map.from_basic_map(point)
        found[key] = found[key].union(one) if key in found else one
    result = isl.UnionMap("{ }")
    for part in found.values():
        result = result.union(isl.UnionMap.from_map(part))
    return result


@lru_cache(maxsize=8)
def _executed(
    program: Program, run: tuple[tuple[str, int], ...]
) -> tuple[list[Event], list[tuple[int, int]]]:
    """A run's events, and the pairs of them that conflict and are ordered."""
    ran = execute(program, dict(run))
    found = conflicts(ran, _TEMPORARY)
    return ran.events, [(a, b) for a, b in found if ordered(ran, a, b)]


def _instance(event: Event, leaves: Mapping[int, Statement]) -> tuple[Instance, list[int]] | None:
    """A statement instance, and in which execution of the region it is."""
    statement = leaves.get(event.number)
    if statement is None or not statement.iterators:
        return None
    vector = tuple(event.values[v.spelling] for v in statement.iterators)
    outside = list(event.values).index(statement.iterators[0].spelling)
    return (statement.name, vector), list(event.values.values())[:outside]


def _leaves(scop: Scop, text: str) -> dict[int, Statement]:
    """The statement that holds each assignment, found by the comment that marks it."""
    return {
        int(match.group(1)): statement
        for match in re.finditer(r"/\*(\d+)\*/", text)
        for statement in scop.statements
        if statement.span.start <= match.start() < statement.span.end
    }
