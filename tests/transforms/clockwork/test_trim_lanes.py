"""Lanes whose last iterations read past what is computed stop earlier, and nothing else changes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from s2s.frontends.halide.evaluate import evaluate
from s2s.scop.accelerator import Accelerator, Operation
from s2s.transforms.clockwork.accesses import evaluate as number
from s2s.transforms.clockwork.extract import extract
from s2s.transforms.clockwork.trim_lanes import trim_lanes
from tests.places import BENCHMARKS
from tests.transforms.clockwork.programs import (
    accelerator,
    chain,
    load,
    loops,
    plus,
    store,
    tensor,
    var,
)

Element = tuple[str, tuple[int, ...]]


def accelerated(name: str, **parameters: object) -> Accelerator:
    path = BENCHMARKS / "clockwork" / f"{name}.cpp"
    given = {key: str(value) for key, value in parameters.items()}
    tiles = {"tiles_x": "1", "tiles_y": "1"}
    return extract(
        evaluate(str(path), path.read_bytes(), parameters={**tiles, **given})
    ).accelerator


def _touched(operation: Operation) -> Iterator[tuple[list[Element], Element]]:
    """What each iteration loads and stores."""
    ranges = [
        range(low, low + extent)
        for low, extent in zip(operation.minima, operation.extents, strict=True)
    ]
    for point in product(*ranges):
        values = {loop.name: at for loop, at in zip(operation.loops, point, strict=True)}

        def element(tensor_: str, subscripts: tuple[object, ...], now=values) -> Element:  # type: ignore[no-untyped-def]
            return tensor_, tuple(int(number(s, now)) for s in subscripts)  # type: ignore[arg-type]

        loads = [element(each.tensor, each.subscripts) for each in operation.loads]
        yield loads, element(operation.store.tensor, operation.store.subscripts)


def _unwritten(program: Accelerator) -> set[Element]:
    """Elements that are loaded and that no operation stores, streams and tables left out."""
    inner = program.tensors.keys() - set(program.inputs)
    every = [pair for operation in program.operations for pair in _touched(operation)]
    written = {stored for _, stored in every}
    return {e for loads, _ in every for e in loads if e[0] in inner} - written


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("cascade", {"rate": 12, "width": 36, "height": 3}),
        ("cascade", {"rate": 5, "width": 11, "height": 3, "glb": "false"}),
        ("harris", {"rate": 8, "width": 16, "height": 2}),
        ("unsharp", {"rate": 5, "width": 9, "height": 2, "glb": "false"}),
    ],
)
def test_every_element_that_is_read_was_written(name: str, parameters: dict[str, object]) -> None:
    program = accelerated(name, **parameters)
    assert _unwritten(program) == set()


def test_lanes_stop_where_their_window_ends() -> None:
    program = accelerated("cascade", rate=12, width=36, height=3)
    widths = {
        o.name: o.extents[-1] for o in program.operations if o.store.tensor == "conv1_stencil"
    }
    assert widths.pop("op_hcompute_conv1_stencil_10") == widths.pop("op_hcompute_conv1_stencil_11")
    assert set(widths.values()) == {4}
    names = [loop.name for o in program.operations for loop in o.loops]
    assert len(set(names)) == len({id(loop) for o in program.operations for loop in o.loops})


def test_nests_without_such_lanes_stay_as_they_are() -> None:
    program = chain("lanes", ["a", "b", "c"], [(9, 6), (7, 5), (5, 4)], [1, 3, 3], 4)
    assert trim_lanes(program.nest) is program.nest


def test_an_output_is_cut_to_a_box() -> None:
    body = [
        loops(
            ["f_y", "f_x"],
            (4, 4),
            store("f", [var("f_y"), var("f_x")], load("input", var("f_x"), var("f_y"))),
        ),
        loops(
            ["g_y", "g_x"],
            (4, 4),
            store("g", [var("g_y"), var("g_x")], load("f", plus(var("g_y"), 1), var("g_x"))),
        ),
    ]
    input_, f, g = (tensor(each, (4, 4)) for each in ("input", "f", "g"))
    program = accelerator("rows", [input_], [g], [f], body)
    (cut,) = [a for a in trim_lanes(program.nest).arguments if a.output]
    assert cut.tensor is not None
    assert [number(d.extent, {}) for d in cut.tensor.dimensions] == [3, 4]
