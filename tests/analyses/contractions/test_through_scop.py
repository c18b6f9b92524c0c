"""Contractions of C functions by way of their SCoPs: the same as of the typed reader's nests."""

from __future__ import annotations

import pytest

from s2s.analyses.contractions import extract
from s2s.bench.convolutions import workloads
from s2s.frontends.c.parse import Unit, parse
from s2s.frontends.c.typed import NotATensorNest, functions_with_loops, tensor_nest
from s2s.frontends.c.typed.region import region_nest
from s2s.scop.contraction import Contraction, NotAContraction
from s2s.source import SourceBuffer
from s2s.source.compiler import builtin_include_flags
from tests.analyses.contractions.programs import HEADER
from tests.analyses.contractions.styles import STYLES

BITS = {"int8": "-DBITS=8", "int16": "-DBITS=16", "int32": "-DBITS=32"}

# Pointers and indices that move, helpers that store, ``while`` loops, arrays that are filled where
# they are declared or static, bounds that are minima or unsigned, and branches that split a loop.
READ_AT_ONCE = {
    "a filter that starts with what there is",
    "a helper that stores",
    "a helper with a loop",
    "a table of its own",
    "an array of sums, zero at first",
    "bounds of loops that keep to the image",
    "counted down",
    "indices that walk",
    "pointers that walk",
    "pointers to rows and to elements",
    "two branches",
    "zero padding by continue, with strides and an unsigned bound",
}


def parsed(name: str, text: str, *flags: str) -> Unit:
    """A file's text, without errors."""
    buffer = SourceBuffer(name, text.encode())
    unit = parse(buffer, flags, builtin_include_flags("gcc", "c"), on_disk=bool(flags))
    assert unit.errors == ()
    return unit


def through_scop(unit: Unit, name: str, numbers: dict[str, int]) -> Contraction | None:
    """The contraction of a function by way of its SCoP; None where there is none."""
    try:
        return extract(region_nest(name, unit, numbers))
    except (NotATensorNest, NotAContraction):
        return None


def _at_once(unit: Unit, name: str, numbers: dict[str, int]) -> Contraction:
    node = dict(functions_with_loops(unit))[name]
    return extract(tensor_nest(name, node, numbers, unit))


@pytest.mark.parametrize("name", STYLES)
def test_styles(name: str) -> None:
    unit = parsed("conv.c", HEADER + STYLES[name])
    found = through_scop(unit, "f", {})
    assert (found is None) == (name in READ_AT_ONCE)
    assert found is None or repr(found) == repr(_at_once(unit, "f", {}))


@pytest.mark.parametrize("workload", workloads.read().workloads, ids=lambda w: f"{w.name}-{w.type}")
def test_workloads(workload: workloads.Workload) -> None:
    path = workload.source.c
    unit = parsed(str(path), path.read_text(), BITS[workload.type])
    (name,) = dict(functions_with_loops(unit))
    numbers = workload.source.numbers(workload.shapes)
    found = through_scop(unit, name, numbers)
    assert found is not None and repr(found) == repr(_at_once(unit, name, numbers))
