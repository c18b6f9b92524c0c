"""Loops of lowered programs: extents, order and memory equal those of the real Halide."""

from __future__ import annotations

import pytest

from s2s.scop.errors import Illegal
from s2s.scop.nest import Nest
from s2s.transforms.halide import lower
from tests.frontends.halide.oracle import needs_wheel
from tests.frontends.halide.twin import Twin
from tests.places import ROOT
from tests.thorough import some
from tests.transforms.halide.application_loops import rows, scheduled, traces
from tests.transforms.halide.loop_traces import TooLong, memory, ours, their_memory, theirs
from tests.transforms.halide.lowered_by_halide import program, texts
from tests.transforms.halide.schedules import CASES

_TABLE = (ROOT / "docs/halide-loops.md").read_text().splitlines()[7:]
_SEEDS = [str(seed) for seed in range(1, 11)]


@pytest.fixture(scope="module")
def lowered() -> dict[str, str | None]:
    return texts([*CASES, *_SEEDS])


@needs_wheel
@pytest.mark.parametrize("name", CASES)
def test_schedules_of_stencils(name: str, lowered: dict[str, str | None]) -> None:
    text = lowered[name]
    made = program(name)
    assert text is not None and made is not None
    twin, output, size = made
    nest = lower(twin.pipeline(output), {output: size})
    assert ours(nest) == theirs(text)
    assert memory(nest) == their_memory(text)


def _of_any_size(twin: Twin, output: str) -> Nest:
    """For an output that is too small for its schedule: Halide finds that as the program runs."""
    try:
        return lower(twin.pipeline(output))
    except Illegal as error:
        assert "its extent is not a constant" in error.text
        pytest.skip("an output too small, and an unrolled loop as long as it")


@needs_wheel
@pytest.mark.parametrize("seed", _SEEDS)
def test_random_schedules(seed: str, lowered: dict[str, str | None]) -> None:
    text, made = lowered[seed], program(seed)
    if text is None or made is None:
        pytest.skip("refused")
    twin, output, size = made
    try:
        nest = lower(twin.pipeline(output), {output: size})
    except Illegal as error:
        if "its schedule computes" not in error.text:
            raise
        nest = _of_any_size(twin, output)
    known = {f"{output}.extent.{place}": extent for place, extent in enumerate(size)}
    for value in (0, 2, 3):
        names = known | dict.fromkeys(twin.scalars, value)
        try:
            assert ours(nest, names) == theirs(text, names)
        except TooLong:
            pytest.skip("runs too long")


@needs_wheel
@pytest.mark.parametrize("name", some(scheduled()))
def test_applications(name: str) -> None:
    """Every loop runs as often as in Halide, and the documentation's table says how often."""
    mine, halides = traces(name)
    assert mine == halides
    assert set(rows(name, mine, halides)) == {row for row in _TABLE if row.split()[1] == name}
