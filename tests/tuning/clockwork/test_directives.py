"""Schedules written for sources without one: Halide's directives, which change no value."""

from __future__ import annotations

import subprocess
from itertools import product
from pathlib import Path

import pytest

from s2s.driver.designs import algorithm_of
from s2s.simulators.amber.machine import load
from s2s.source.diagnostics import UserError
from s2s.tuning.clockwork.bound import bound
from s2s.tuning.clockwork.limits import limits_of
from s2s.tuning.clockwork.space import Program
from s2s.tuning.clockwork.unscheduled import DirectiveSpace, directive_space, has_schedule
from tests.frontends.halide.oracle import header_folder, needs_wheel
from tests.tuning.clockwork.sources import BLUR, TWICE, neighbours, program


def space_of(own: Program) -> DirectiveSpace:
    return directive_space(own, limits_of(load()))


@pytest.mark.parametrize("body", [BLUR, TWICE], ids=["blur", "twice"])
def test_every_neighbour_is_a_design_of_the_same_definitions(body: str) -> None:
    own = program(body)
    assert not has_schedule(own)
    space = space_of(own)
    algorithm = algorithm_of(own.steps.pipeline)
    for places in (space.base, *neighbours(space, space.base)):
        made = space.program(places)
        assert has_schedule(made)
        found = {
            name: func
            for name, func in algorithm_of(made.steps.pipeline).items()
            if not name.endswith("_im")
        }
        assert found.keys() == algorithm.keys()
        one = bound(made.steps)
        assert not one.failure, space.values(places)
        assert one.cycles * one.runs * int(space.values(places)["rate"]) >= 24 * 8


def test_stages_that_are_alike_may_share() -> None:
    space = space_of(program(TWICE))
    (axis,) = [axis for axis in space.axes if axis.names == ("sharing",)]
    place = space.axes.index(axis)
    shared = list(space.base)
    shared[place] = axis.values.index(("line",))
    text = space.directives(tuple(shared))
    assert "second.compute_share_root(y);" in text and "first.compute_share(second);" in text
    assert (
        bound(space.program(tuple(shared)).steps).pes < bound(space.program(space.base).steps).pes
    )


def test_names_of_loops_are_free() -> None:
    own = program(BLUR.replace("blur", "xo"))
    assert "Var xo_, yo, xi, yi;" in space_of(own).directives(space_of(own).base)


def test_a_program_without_generate_is_refused() -> None:
    own = program(BLUR)
    own = Program(own.path, own.data.replace(b"generate()", b"build()"), sizes=own.sizes)
    with pytest.raises(UserError, match="at the end of 'generate'; this program has none"):
        space_of(own)


def test_a_size_is_needed() -> None:
    own = program(BLUR)
    with pytest.raises(UserError, match="give --size output=WxH"):
        space_of(Program(own.path, own.data))


@needs_wheel
def test_the_real_halide_compiles_what_is_written(tmp_path: Path) -> None:
    texts = []
    for number, (body, order) in enumerate(product([BLUR, TWICE], ["rows", "columns"])):
        space = space_of(program(body))
        wanted = {"rate": "2", "order": order, "sharing": "line"}
        places = tuple(
            axis.values.index((wanted[axis.names[0]],)) if axis.names[0] in wanted else place
            for axis, place in zip(space.axes, space.base, strict=True)
        )
        lines = space.program(places).data.decode().splitlines()
        kept = [line for line in lines if not line.startswith(("#include", "HALIDE_REGISTER"))]
        texts.append(f"namespace made{number} {{\n" + "\n".join(kept) + "\n}\n")
    source = tmp_path / "made.cpp"
    source.write_text('#include "Halide.h"\n' + "".join(texts))
    command = ["g++", "-std=c++17", "-fsyntax-only", f"-I{header_folder()}", str(source)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
