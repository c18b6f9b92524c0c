"""Programs as pipelines: what the metaprogram builds."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from s2s.frontends.halide.evaluate import evaluate
from s2s.scop.pipeline import ForKind, LevelKind, Pipeline, StageName
from s2s.source.diagnostics import UserError
from tests.places import BENCHMARKS

_APPLICATIONS = BENCHMARKS / "halide"
GENERATORS = sorted(
    p for p in _APPLICATIONS.glob("*.cpp") if "HALIDE_REGISTER_GENERATOR(" in p.read_text()
)


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
    definition = made.funcs["output"].definition
    assert definition is not None
    dims = definition.schedule.dims
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


@pytest.mark.parametrize("path", GENERATORS, ids=lambda p: p.stem)
def test_the_frontend_takes_less_than_a_second(path: Path) -> None:
    text = path.read_bytes()
    start = time.process_time()
    try:
        evaluate(str(path), text)
    except UserError as error:
        assert "several generators" in error.diagnostics[0].text
    assert time.process_time() - start < 1


def test_a_var_and_a_parameter_with_one_name() -> None:
    text = """Param<int> p("n"); Var n("n"); out(n, y) = n + p;"""
    assert "both called 'n'" in refused(text)


def test_hardware_primitives_are_kept() -> None:
    made = body(
        "f(x, y) = x; out(x, y) = f(x, y); Var xo, yo;"
        "out.compute_root().tile(x, y, xo, yo, 4, 4).hw_accelerate(x, xo);"
        "f.compute_at(out, xo).store_in(MemoryType::GLB).stream_to_accelerator();"
    )
    (primitive,) = made.funcs["out"].schedule.hardware
    assert (primitive.name, primitive.arguments) == ("hw_accelerate", ("x", "xo"))
    assert made.funcs["f"].schedule.memory == "GLB"
    names = [h.name for h in made.funcs["f"].schedule.hardware]
    assert names == ["store_in", "stream_to_accelerator"]


def test_hardware_primitives_belong_to_stages() -> None:
    made = body(
        "f(x, y) = x; f(x, y) += y; g(x, y) = 0; g(x, y) += f(x, y); out(x, y) = g(x, y);"
        "f.compute_root().compute_share_root(y); f.update().compute_share_root(x);"
        "g.compute_root().compute_share(f);"
        "g.update().compute_share(f.update()).coarse_grain_loop(y);"
        "out.fifo_depth(g, 3).accelerate_call_output(x);"
        'f.stream_to_accelerator({"MEM", "host"});'
    )
    kept = {
        (name, index): [(h.name, *h.arguments) for h in stage.schedule.hardware]
        for name, func in made.funcs.items()
        for index, stage in enumerate(func.stages)
    }
    assert kept["f", 0] == [("compute_share_root", "y")]
    assert kept["f", 1] == [("compute_share_root", "x")]
    assert kept["g", 0] == [("compute_share", StageName("f", 0))]
    assert kept["g", 1] == [("compute_share", StageName("f", 1)), ("coarse_grain_loop", "y")]
    out, f = (made.funcs[name].schedule.hardware for name in ("out", "f"))
    assert [h.arguments for h in out] == [("g", 3), ("x",)]
    assert f[0].arguments == (("MEM", "host"),)


def test_only_a_root_is_shared() -> None:
    text = "f(x, y) = x; out(x, y) = f(x, y); out.compute_share(f);"
    assert refused(text) == "1:39: 'f' is no compute_share_root, so nothing shares with it"


def test_no_heavy_imports() -> None:
    """The frontend needs neither isl nor numpy."""
    script = "import sys, s2s.frontends.halide.evaluate as e; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert not {"islpy", "numpy"} & set(done.stdout.split())
