"""Nests made by hand: what the emitter writes computes what they say."""

from __future__ import annotations

import numpy as np
import pytest

from s2s.emitters.c.nests import emit
from s2s.emitters.c.nests.expressions import Writer
from s2s.net.pipelines.arrays import Array
from s2s.scop.expressions import BOOL, INT32, Binary, Cast, Const, Expr, Load, Type, Variable
from s2s.scop.nest import (
    Allocate,
    Argument,
    Block,
    Dimension,
    For,
    Nest,
    Node,
    Produce,
    Store,
    Tensor,
)
from s2s.transforms.halide.lower import lower
from s2s.transforms.nest.prepare import prepare
from tests.emitters.c.nests.compiled import run
from tests.frontends.halide.applications import applications, data

U8, U16 = Type("uint", 8), Type("uint", 16)


def var(name: str) -> Expr:
    return Variable(INT32, name)


def const(value: int, type: Type = INT32) -> Expr:
    return Const(type, value)


def add(*terms: Expr) -> Expr:
    total = terms[0]
    for term in terms[1:]:
        total = Binary(total.type, "add", total, term)
    return total


def times(expr: Expr, factor: int) -> Expr:
    return Binary(INT32, "mul", expr, const(factor))


def least(left: Expr, right: Expr) -> Expr:
    return Binary(INT32, "min", left, right)


def loop(name: str, extent: int, kind: str, body: Node, minimum: Expr | None = None) -> For:
    return For(name, minimum or const(0), const(extent), kind, body, var=name)


def dense(*extents: int) -> tuple[Dimension, ...]:
    return tuple(Dimension(const(0), const(e)) for e in extents)


def blur(kind: str, width: int, rows: int, lanes: int, taps: str, count: int = 3) -> Nest:
    """Taps in each of ``rows`` rows, vectors of ``lanes``, the last one shifted inward."""
    x, v, y, r = var("x"), var("v"), var("y"), var("r")
    place = add(least(times(x, lanes), const(width - lanes)), v)
    total = Load(U16, "total", (place,))
    tap = Cast(U16, Load(U8, "input", (add(place, r), y)))
    body = Allocate(
        Tensor("total", (U16,), (Dimension(place, const(1)),)),
        Block(
            (
                Produce(
                    "total",
                    Block(
                        (
                            Store("total", (place,), (const(0, U16),)),
                            loop("r", count, taps, Store("total", (place,), (add(total, tap),))),
                        )
                    ),
                ),
                Store("output", (place, y), (Cast(U8, Binary(U16, "div", total, const(3, U16))),)),
            )
        ),
    )
    vectors = loop("x", -(-width // lanes), "serial", loop("v", lanes, kind, body))
    return Nest(
        "blur",
        (
            Argument("input", Tensor("input", (U8,), dense(width + count - 1, rows)), U8),
            Argument("output", Tensor("output", (U8,), dense(width, rows)), U8, output=True),
        ),
        loop("y", rows, "parallel", vectors),
    )


@pytest.mark.parametrize("taps", ["serial", "unrolled"])
@pytest.mark.parametrize("kind", ["serial", "unrolled", "vectorized"])
@pytest.mark.parametrize(("width", "lanes"), [(64, 16), (37, 8), (5, 4), (3, 3)])
def test_a_blur_with_loops_of_every_kind(kind: str, width: int, lanes: int, taps: str) -> None:
    image = np.random.default_rng(2).integers(0, 256, (5, width + 2), np.uint8)
    (output,) = run(blur(kind, width, 5, lanes, taps), {"input": Array(image, (0, 0))})
    wide = image.astype(np.uint16)
    wanted = (wide[:, :-2] + wide[:, 1:-1] + wide[:, 2:]) // 3
    assert np.array_equal(output[0].values, wanted.astype(np.uint8))


def test_vectors_and_lanes_become_one_loop() -> None:
    text = emit(prepare(blur("vectorized", 64, 5, 16, "unrolled"))).source
    assert "for (int x = 0; x < 64; x++)" in text
    assert text.count("#pragma omp simd") == 1


def test_the_last_vector_is_a_loop_of_its_own() -> None:
    text = emit(prepare(blur("vectorized", 70, 5, 16, "unrolled"))).source
    assert "for (int x = 0; x < 64; x++)" in text
    assert text.count("#pragma omp simd") == 2
    assert "s2s_min" not in text


def test_lanes_go_inside_long_loops_of_the_body() -> None:
    text = emit(prepare(blur("vectorized", 64, 5, 16, "serial", 999))).source
    assert "uint16_t total[16] __attribute__((aligned(64)));" in text
    assert text.count("#pragma omp simd") == 3


def test_short_loops_in_lanes_are_written_out() -> None:
    text = emit(prepare(blur("vectorized", 64, 5, 16, "serial"))).source
    assert "uint16_t total = 0;" in text
    assert text.count("#pragma omp simd") == 1


@pytest.mark.parametrize("name", ["cascade_4", "unsharp", "histogram"])
def test_sizes_that_the_caller_gives(name: str) -> None:
    """Without sizes, extents are arguments; the values are those of the program of that size."""
    application = applications()[name]
    pipeline = application.pipeline()
    images = data(application, pipeline)
    wanted = run(lower(pipeline, application.sizes(pipeline)), images, application.scalars)
    sizes = dict(application.scalars)
    for image, extents in application.sizes(pipeline).items():
        for d, extent in enumerate(extents):
            sizes |= {f"{image}.min.{d}": 0, f"{image}.extent.{d}": extent}
    outputs = dict(zip(pipeline.outputs, application.outputs, strict=True))
    results = run(lower(pipeline), images, sizes, shapes=outputs)
    assert np.array_equal(results[0][0].values, wanted[0][0].values)


def test_lanes_that_share_elements_run_in_groups() -> None:
    x = Binary(INT32, "add", var("x"), const(0))
    half = Binary(INT32, "div", x, const(2))
    parity = Binary(INT32, "mod", x, const(2))
    value = Cast(U16, Binary(INT32, "add", Cast(INT32, Load(U8, "input", (half,))), parity))
    nest = Nest(
        "twice",
        (
            Argument("input", Tensor("input", (U8,), dense(32)), U8),
            Argument("output", Tensor("output", (U16,), dense(64)), U16, output=True),
        ),
        loop("x", 64, "vectorized", Store("output", (x,), (value,))),
    )
    line = np.arange(32, dtype=np.uint8)
    (output,) = run(nest, {"input": Array(line, (0,))})
    assert np.array_equal(output[0].values, np.repeat(line, 2) + np.tile([0, 1], 32))
    text = emit(prepare(nest)).source
    assert "for (int x = 0; x < 32; x++)" in text
    assert "output[x * 2 + 1]" in text


@pytest.mark.parametrize("op", ["bxor", "band", "and", "or"])
def test_long_chains_of_one_operator_are_written_in_a_moment(op: str) -> None:
    """Each operand is written once; twice would take 2**200 steps."""
    logic = op in ("and", "or")
    parts: list[Expr] = [var(f"v{k}") for k in range(200)]
    if logic:
        parts = [Binary(BOOL, "lt", part, const(3)) for part in parts]
    chain = parts[0]
    for part in parts[1:]:
        chain = Binary(chain.type, op, chain, part)
    text = Writer(variable=str, load=lambda load: "").text(chain)
    assert all(text.count(f"v{k}") == 1 for k in (42, 199))
