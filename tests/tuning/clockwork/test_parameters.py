"""Generator parameters as a space: which change the schedule alone, and what their values are."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s.bench.accelerators.description import read
from s2s.driver.designs import algorithm_of
from s2s.source.diagnostics import UserError
from s2s.tuning.clockwork.bound import covers, extents_of
from s2s.tuning.clockwork.parameters import parameter_space
from s2s.tuning.clockwork.rewritten import rewritten, schedule_text
from s2s.tuning.clockwork.space import Program
from tests.tuning.clockwork.sources import neighbours

SOURCES = {design.source: design.path for design in read().designs}


def program(source: str, **given: str) -> Program:
    path = SOURCES[source]
    return Program(str(path), path.read_bytes(), tuple(given.items()))


def test_what_changes_the_definitions_is_no_choice() -> None:
    space = parameter_space(program("harris", declarative="false"))
    names = {axis.names for axis in space.axes}
    # What is computed anew is spelled out: other definitions.
    assert names == {("rate",), ("glb",), ("width", "tiles_x"), ("height", "tiles_y")}


def test_neighbours_compute_the_same_over_as_much() -> None:
    own = program("cascade", width="24", height="12", tiles_x="2")
    space = parameter_space(own)
    algorithm = algorithm_of(own.steps.pipeline)
    tried = list(neighbours(space, space.base))
    assert len(tried) > 4
    for places in tried:
        pipeline = space.program(places).steps.pipeline
        assert algorithm_of(pipeline) == algorithm, space.values(places)
        assert covers(extents_of(pipeline), space.extents)


def test_tiles_cover_the_output_as_tightly_as_they_can() -> None:
    space = parameter_space(program("cascade", rate="3"))
    (axis,) = [axis for axis in space.axes if axis.names == ("width", "tiles_x")]
    for width, count in axis.values:
        assert (int(width) - 1) * int(count) < 6000 <= int(width) * int(count)


def test_tiles_stay_multiples_of_the_rate() -> None:
    space = parameter_space(program("cascade", glb="true"))
    (place,) = [k for k, axis in enumerate(space.axes) if axis.names == ("rate",)]
    for rate in range(len(space.axes[place].values)):
        values = space.values((*space.base[:place], rate, *space.base[place + 1 :]))
        assert int(values["width"]) % int(values["rate"]) == 0
        assert int(values["width"]) * int(values["tiles_x"]) >= 6000
        assert values["height"] == "799"


def test_a_number_that_says_the_same_as_another_is_a_value_too() -> None:
    """0: the output has the inputs' rate. Fractions of tiles reach down to what divides a layer."""
    space = parameter_space(program("unet"))
    values = {axis.names: [v for (v, *_) in axis.values] for axis in space.axes}
    assert {"0", "1", "2"} <= {*values[("out_rate",)]}
    assert {"2", "7"} <= {*values[("tile_height",)]}
    assert space.values(space.base)["out_rate"] == "0"
    assert all(space.values(places) for places in neighbours(space, space.base))


def test_given_values_stay() -> None:
    space = parameter_space(program("cascade", rate="3", glb="false"))
    assert not {"rate", "glb"} & {name for axis in space.axes for name in axis.names}
    parameters = dict(space.program(space.base).parameters)
    assert parameters["rate"] == "3" and parameters["glb"] == "false"


def test_the_rewritten_source_has_the_choice_as_its_defaults() -> None:
    space = parameter_space(program("cascade", height="12"))
    last = tuple(len(axis.values) - 1 for axis in space.axes)
    made = rewritten(space, last).steps.pipeline
    values = space.values(last)
    assert values["sharing"] != "none"
    assert {n: made.parameters[n].value for n in values} == values
    assert made.parameters["height"].value == "12"
    text = schedule_text(space, last)
    assert f'GeneratorParam<int> rate{{"rate", {values["rate"]}}};' in text.splitlines()


def test_a_source_without_parameters_of_its_schedule_is_refused(tmp_path: Path) -> None:
    own = program("cascade")
    fixed = {p.name: p.value for p in own.steps.pipeline.parameters.values()}
    with pytest.raises(UserError, match="nothing to choose"):
        parameter_space(own.with_parameters(fixed))
