"""Declared levels of memory: the loops are those of the directives that they stand for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from s2s.driver.explain.loop_nest import print_loop_nest
from s2s.frontends.halide.evaluate import evaluate
from s2s.source.diagnostics import UserError
from s2s.transforms.halide import finish_lowering
from s2s.transforms.halide.initial import initial_nest

_PROGRAMS = Path(__file__).parent / "levels"

_SOURCES = Path(__file__).parent / "levels"


def _loops(name: str, **parameters: str) -> str:
    """The lowered loops, with the copies and the loops of unrolling called alike."""
    path = _SOURCES / f"{name}.cpp"
    made = evaluate(str(path), path.read_bytes(), parameters=parameters)
    initial = initial_nest(made)
    nest = finish_lowering(made, initial, {})
    text = print_loop_nest(nest.body, initial.funcs, made.outputs)
    text = re.sub(r"_(MEM|GLB|host)\b|(_global_wrapper)+", "_copy", text)
    return re.sub(r"\.v\d+", ".v", text)


@pytest.mark.parametrize(
    ("name", "rate"),
    [("gaussian", 1), ("gaussian", 4), ("harris", 2), ("harris", 4), ("resnet", 1)],
)
def test_declared_levels_are_the_directives_written_out(name: str, rate: int) -> None:
    declared = _loops(name, rate=str(rate))
    assert declared == _loops(name, rate=str(rate), declared="false")
    assert declared.count("_copy") >= 4


def _refused(text: str) -> str:
    head = '#include "Halide.h"\nusing namespace Halide;\nint main() {\n'
    head += 'Var x("x"), y("y"); Func f("f"), g("g"); f(x, y) = x + y; g(x, y) = f(x, y);\n'
    with pytest.raises(UserError) as caught:
        evaluate("t.cpp", (head + text + "\ng.realize({16, 16}); return 0; }\n").encode())
    return caught.value.diagnostics[0].text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('g.get_memory_level("GLB");', "no level of memory 'GLB' (there are: none)"),
        ("g.output_rate(0);", "output_rate(0); rates are positive"),
        ('f.stream_to_accelerator({"a", "b"}, {LoopLevel::root()});', "2 levels of memory at 1"),
        ("g.create_memories({f});", "create_memories needs a place"),
        ('RVar r("r"); g.iteration_order({{r, 3}, {r, 2}});', "no loop 'r' to split"),
        ("g.get_looplevel(x, 2);", "no loop number 2 of 'x'"),
    ],
)
def test_what_cannot_be_declared(text: str, message: str) -> None:
    assert message in _refused(text)


def test_a_place_by_its_number() -> None:
    """The loops that are made of a variable count from the innermost."""
    text = (_PROGRAMS / "numbered_levels.cpp").read_text()
    made = evaluate("t.cpp", text.encode())
    assert made.funcs["f"].schedule.compute_level.var == "x.x0"
    definition = made.funcs["g"].definition
    assert definition is not None
    assert [d.name for d in definition.schedule.dims][:-1] == ["x.x1", "y.y1", "x.x0", "y.y0"]
