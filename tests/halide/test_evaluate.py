"""Programs as pipelines: what the metaprogram builds."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s.diagnostics import UserError
from s2s.frontends.halide.evaluate import evaluate
from s2s.frontends.halide.pipeline import ForKind, LevelKind, Pipeline

_APPLICATIONS = Path(__file__).parents[2] / "benchmarks" / "halide"


def pipeline(text: str, **parameters: str) -> Pipeline:
    """The pipeline of a program without its first lines."""
    head = '#include "Halide.h"\nusing namespace Halide;\n'
    return evaluate("test.cpp", (head + text).encode(), parameters=parameters)


def body(text: str) -> Pipeline:
    """The pipeline of statements that define ``out`` over ``x`` and ``y``."""
    head = 'int main() {\nVar x("x"), y("y"); Func out("out"), f("f"), g("g");\n'
    return pipeline(head + text + "\nout.realize({16, 16}); return 0; }\n")


def refused(text: str) -> str:
    """``line:column: message`` of an error in statements as ``body`` takes them (from line 1)."""
    with pytest.raises(UserError) as caught:
        body(text)
    found = caught.value.diagnostics[0]
    assert found.location is not None
    return f"{found.location.line - 4}:{found.location.column}: {found.text}"


def test_the_cascade() -> None:
    path = _APPLICATIONS / "cascade.cpp"
    made = evaluate(str(path), path.read_bytes(), parameters={"version": "4"})
    assert made.outputs == ["output"]
    assert set(made.funcs) >= {"kernel", "conv1", "conv2", "output"}
    assert len(made.funcs["kernel"].updates) == 9
    dims = made.funcs["output"].definition.schedule.dims
    assert [d.kind for d in dims if d.kind is not ForKind.SERIAL] == [
        ForKind.VECTORIZED,
        ForKind.PARALLEL,
    ]
    assert made.funcs["conv1_norm"].schedule.compute_level.kind is LevelKind.LOOP
    assert str(made.images["input"].type) == "uint8"


def test_a_generator_parameter_chooses() -> None:
    path = _APPLICATIONS / "cascade.cpp"
    made = evaluate(str(path), path.read_bytes(), parameters={"version": "1"})
    assert made.funcs["conv1_norm"].schedule.compute_level.kind is LevelKind.INLINE


def test_undefined_func_has_a_place() -> None:
    assert refused("out(x, y) = f(x, y);") == ("1:13: Func 'f' is called, but has no definition")
