"""How loops are emitted: lanes joined, boundaries outside, memory once; values stay the same."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from s2s.emitters.c.nests import emit
from s2s.frontends.halide.evaluate import evaluate
from s2s.net.pipelines.arrays import Array
from s2s.net.pipelines.definitions import Direct
from s2s.scop.nest import Nest
from s2s.scop.pipeline import Pipeline
from s2s.transforms.halide.lower import lower
from s2s.transforms.nest.prepare import prepare
from tests.emitters.c.nests.compiled import run

_SOURCE = Path(__file__).with_name("emitted_loops.cpp").read_text()

_WINDOW = """
    f(x, y) = input(x, y) * 2;
    g(x, y) = cast<{type}>(0);
    g(x, y) += f(x + r.x, y + r.y);
    h(x, y) = cast<{type}>(1);
    h(x, y) += f(x + r.x, y + r.y) * f(x, y);
"""
_JOINED = """
    f.compute_root();
    output.vectorize(x, 8);
    g.compute_at(output, x).vectorize(x, 8);
    h.compute_at(output, x).vectorize(x, 8);
    g.update().reorder(x, r.x, r.y).vectorize(x, 8).unroll(r.x);
    h.update().reorder(x, r.x, r.y).vectorize(x, 8);
"""


def _made(
    algorithm: str, schedule: str, extents: tuple[int, int], type: str = "int16_t"
) -> tuple[Pipeline, Nest, dict[str, Array]]:
    text = (
        _SOURCE.replace("TYPE", type)
        .replace("ALGORITHM", algorithm.replace("{type}", type))
        .replace("SCHEDULE", schedule)
    )
    pipeline = evaluate("g.cpp", text.encode())
    shape = (extents[1] + 8, extents[0] + 8)
    random = np.random.default_rng(1)
    kind = {"int16_t": np.int16, "float": np.float32, "int32_t": np.int32}[type]
    data = {"input": Array(random.integers(-99, 99, shape).astype(kind), (0, 0))}
    sizes = {"output": extents, "input": (shape[1], shape[0])}
    return pipeline, lower(pipeline, sizes), data


def _same(pipeline: Pipeline, nest: Nest, data: dict[str, Array], extents: tuple[int, int]) -> bool:
    wanted = Direct(pipeline, data).output("output", (0, 0), extents)[0].values
    return np.array_equal(run(nest, data)[0][0].values, wanted)


@pytest.mark.parametrize("type", ["int16_t", "float"])
@pytest.mark.parametrize("extents", [(8, 1), (37, 5), (64, 3)])
def test_lanes_of_one_vector_become_scalars(type: str, extents: tuple[int, int]) -> None:
    algorithm = _WINDOW + "output(x, y) = g(x, y) - h(x, y);"
    pipeline, nest, data = _made(algorithm, _JOINED, extents, type)
    assert _same(pipeline, nest, data, extents)
    text = emit(prepare(nest)).source
    assert re.search(r"\b[gh]\w*\[8\]", text) is None
    assert re.search(r"\b(int16_t|float) g_2;", text)


def test_lanes_that_read_their_neighbours_keep_their_memory() -> None:
    algorithm = _WINDOW + "output(x, y) = g(x, y) - g(x + 1, y) + h(x, y);"
    pipeline, nest, data = _made(algorithm, _JOINED, (37, 5))
    assert _same(pipeline, nest, data, (37, 5))
    assert re.search(r"int16_t g_2\[\d+\]", emit(prepare(nest)).source)


def test_long_reductions_stay_loops() -> None:
    algorithm = """
        RDom k(0, 4000, "k");
        g(x, y) = cast<{type}>(0);
        g(x, y) += input(x, y) + cast<{type}>(k);
        output(x, y) = g(x, y);
    """
    schedule = """
        output.vectorize(x, 8);
        g.compute_at(output, x).vectorize(x, 8);
        g.update().reorder(x, k).vectorize(x, 8);
    """
    pipeline, nest, data = _made(algorithm, schedule, (16, 3))
    assert _same(pipeline, nest, data, (16, 3))
    assert len(emit(prepare(nest)).source.splitlines()) < 60


_LIMITS = {
    "converted": "cast<float>(cast<uint8_t>(clamp(f(x, y), 0.0f, 255.0f)))",
    "once": "cast<float>(cast<int32_t>(min(f(x, y), 9.0f)))",
    "in a row": "max(-2.5f, min(f(x, y), 3.5f)) * 3",
}


def test_limits_of_floats_have_no_branches_in_lanes() -> None:
    """Against numpy: the smaller of a and b is ``a < b ? a : b``, so NaN becomes the limit."""
    specials = np.array([np.nan, -0.0, 0.0, np.inf, -np.inf, 255.0, 255.5, -1.0, 3.5, 77.0], "f4")
    for name, expression in _LIMITS.items():
        algorithm = f"f(x, y) = input(x, y); output(x, y) = {expression};"
        _, nest, data = _made(algorithm, "output.vectorize(x, 8);", (64, 1), "float")
        values = np.resize(specials, data["input"].values.shape)
        if name == "once":  # what is no int has no value
            values = np.where(np.isfinite(values) | np.isposinf(values), values, np.float32(-1))
        found = run(nest, {"input": Array(values, (0, 0))})[0][0].values
        f = values[:1, :64]
        low = {"converted": 255.0, "once": 9.0, "in a row": 3.5}[name]
        wanted = np.where(f < low, f, np.float32(low))
        if name == "converted":
            wanted = np.trunc(np.where(wanted > 0, wanted, np.float32(0)))
        elif name == "once":
            wanted = np.trunc(wanted)
        else:
            wanted = np.where(np.float32(-2.5) > wanted, np.float32(-2.5), wanted) * np.float32(3)
        assert np.array_equal(found, wanted), name
        assert "s2s_masked_min_f32" in emit(prepare(nest)).source


def test_one_limit_that_nothing_converts_is_the_machines() -> None:
    algorithm = "output(x, y) = max(input(x, y), 0.0f) + 1;"
    _, nest, _ = _made(algorithm, "output.vectorize(x, 8);", (64, 1), "float")
    assert "masked" not in emit(prepare(nest)).source


_PRODUCT = """
    RDom k(0, 50, "k");
    g(x, y) = 0.0f;
    g(x, y) += input(k % 8, y) * input(x, k % 8);
    output(x, y) = {value};
"""
_REGISTERS = """
    output.tile(x, y, xo, yo, xi, yi, 16, 2).vectorize(xi, 8).unroll(yi);
    g.compute_at(output, xo).vectorize(x, 8).unroll(x).unroll(y);
    g.update().reorder(x, y, k).vectorize(x, 8).unroll(x).unroll(y);
"""


@pytest.mark.parametrize(("value", "copies"), [("g(x, y)", True), ("g(x, y) * 2", False)])
def test_sums_leave_registers_without_memcpy(value: str, copies: bool) -> None:
    algorithm = _PRODUCT.replace("{value}", value)
    pipeline, nest, data = _made(algorithm, _REGISTERS, (32, 4), "float")
    assert _same(pipeline, nest, data, (32, 4))
    assert ("#pragma GCC unroll 16\n" in emit(prepare(nest)).source) == copies


@pytest.mark.parametrize("edge", ["repeat_edge(input)", "constant_exterior(input, 5)"])
def test_tiles_at_the_edge_are_a_case_of_their_own(edge: str) -> None:
    algorithm = f"""
        Func c = BoundaryConditions::{edge};
        f(x, y) = c(x - 1, y - 1) + c(x + 1, y + 1);
        output(x, y) = f(x, y) * f(x + 1, y);
    """
    schedule = """
        output.tile(x, y, xo, yo, xi, yi, 16, 4).vectorize(xi, 8).parallel(yo);
        f.compute_at(output, xo).vectorize(x, 8);
    """
    pipeline, nest, data = _made(algorithm, schedule, (96, 24))
    assert _same(pipeline, nest, data, (96, 24))
    text = emit(prepare(nest)).source
    assert re.search(r"if \(.*\bxo\b.*\) \{\n\s*#pragma omp simd\n", text)
    clean = re.search(r"if \(.*\bxo\b.*\) \{\n\s*#pragma omp simd\n.*?\}\n\s*\} else", text, re.S)
    assert clean is not None and "min_i32" not in clean.group().split("omp simd")[1]


def test_threads_get_their_memory_once() -> None:
    algorithm = "f(x, y) = input(x, y) * 3; output(x, y) = f(x, y) + f(x + 1, y + 1);"
    schedule = """
        output.split(y, yo, yi, 8).parallel(yo);
        f.compute_at(output, yo);
    """
    pipeline, nest, data = _made(algorithm, schedule, (2000, 32), "int32_t")
    assert _same(pipeline, nest, data, (2000, 32))
    text = emit(prepare(nest)).source
    region = text[text.index("#pragma omp parallel\n") :]
    assert region.index("malloc") < region.index("#pragma omp for")


@pytest.mark.parametrize("where", ["hoist_storage(output, y)", "hoist_storage_root()"])
def test_hoisted_storage_computes_the_same(where: str) -> None:
    algorithm = "f(x, y) = input(x, y) * 3; output(x, y) = f(x, y) + f(x + 1, y + 1);"
    pipeline, nest, data = _made(algorithm, f"f.{where}.compute_at(output, x);", (9, 5))
    assert _same(pipeline, nest, data, (9, 5))


@pytest.mark.parametrize("bits", [8, 16, 32])
@pytest.mark.parametrize("sign", ["", "u"])
def test_division_of_extreme_values(bits: int, sign: str) -> None:
    """Euclid's quotient and remainder of all pairs of the largest, smallest and some others."""
    kind = f"{sign}int{bits}_t"
    least, most = (0, 2**bits - 1) if sign else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    few = {least, least + 1, least + 2, -3, -2, -1, 0, 1, 2, 3, 7, most // 2, most - 1, most}
    values = sorted(v for v in few if least <= v <= most)
    table = ", ".join(str(v if v != -(2**31) else "INT32_MIN") for v in values)
    algorithm = f"""
        Buffer<int64_t> v({len(values)});
        int64_t all[] = {{{table}}};
        for (int k = 0; k < {len(values)}; k++) v(k) = all[k];
        Expr a = cast<{kind}>(v(x)), b = cast<{kind}>(v(y));
        f(x, y) = select(a == cast<{kind}>(Expr((int64_t){least})) && b == cast<{kind}>(-1),
                         Tuple(cast<{kind}>(0), cast<{kind}>(0)), Tuple(a / b, a % b));
        output(x, y) = cast<int32_t>(f(x, y)[0]) * 3 + cast<int32_t>(f(x, y)[1]);
    """
    extents = (len(values), len(values))
    pipeline, nest, data = _made(algorithm, "output.vectorize(x, 4);", extents, "int32_t")
    assert _same(pipeline, nest, data, extents)
