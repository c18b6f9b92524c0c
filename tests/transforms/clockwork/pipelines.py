"""Random pipelines of stages over an image: windows, rates, reconvergence, channels, latencies."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from s2s.scop.accelerator import Accelerator
from s2s.scop.expressions import INT32, Binary, Expr
from s2s.scop.nest import Node
from tests.transforms.clockwork.programs import (
    accelerator,
    halves,
    load,
    loops,
    number,
    plus,
    stage,
    store,
    tensor,
    times,
    total,
    var,
)


@dataclass(frozen=True)
class _Read:
    """Elements ``(multiple * i + tap) / divisor`` of each dimension of a stage."""

    source: int
    multiples: tuple[int, ...]
    divisors: tuple[int, ...]
    taps: tuple[tuple[int, ...], ...]


def _size(read: _Read, sizes: tuple[int, ...]) -> tuple[int, ...]:
    """The most iterations for which all elements exist."""
    found = []
    for d, size in enumerate(sizes):
        most = max(tap[d] for tap in read.taps)
        found.append((size * read.divisors[d] - 1 - most) // read.multiples[d] + 1)
    return tuple(found)


@st.composite
def _reads(draw: st.DrawFn, source: int, rate: tuple[int, ...], goal: tuple[int, ...]) -> _Read:
    """A read that leads from one rate (in steps of 1/4 of an input pixel) to another."""
    multiples = tuple(max(1, g // r) for r, g in zip(rate, goal, strict=True))
    divisors = tuple(max(1, r // g) for r, g in zip(rate, goal, strict=True))
    tap = st.tuples(*(st.integers(0, 2) for _ in rate))
    taps = draw(st.lists(tap, min_size=1, max_size=3, unique=True))
    return _Read(source, multiples, divisors, tuple(taps))


@st.composite
def pipelines(draw: st.DrawFn) -> Accelerator:
    """Two to five stages of two to four dimensions."""
    rank = draw(st.integers(2, 4))
    extent = {2: (9, 14), 3: (5, 7), 4: (3, 5)}[rank]
    sizes = [tuple(draw(st.integers(*extent)) for _ in range(rank))]
    rates = [(4,) * rank]
    reads: list[list[_Read]] = []
    for number_ in range(draw(st.integers(1, 4))):
        goal = tuple(draw(st.sampled_from([2, 4, 4, 8])) for _ in range(rank))
        sources = draw(st.sets(st.integers(0, number_), min_size=1, max_size=2)) | {number_}
        own = [draw(_reads(s, rates[s], goal)) for s in sorted(sources)]
        size = tuple(map(min, zip(*(_size(r, sizes[r.source]) for r in own), strict=True)))
        if min(size) < 1:
            break
        reads.append(own)
        sizes.append(size)
        rates.append(goal)
    latencies = {
        f"op_hcompute_f{k}": draw(st.integers(0, 3))
        for k in range(draw(st.integers(0, len(sizes))))
    }
    return _build(sizes, reads, latencies)


def _build(
    sizes: list[tuple[int, ...]], reads: list[list[_Read]], latencies: dict[str, int]
) -> Accelerator:
    def subscript(read: _Read, tap: tuple[int, ...], variables: list[Expr]) -> list[Expr]:
        return [
            halves(plus(times(v, m), t), d)
            for v, m, t, d in zip(variables, read.multiples, tap, read.divisors, strict=True)
        ][::-1]

    rank = len(sizes[0])
    body: list[Node] = []
    for k, size in enumerate(sizes):
        names = [f"f{k}_{d}" for d in range(rank)]
        variables: list[Expr] = [var(name) for name in names]
        values: list[Expr] = [load("input", *variables[::-1])]
        if k:
            values = [
                load(f"f{read.source}", *subscript(read, tap, variables))
                for read in reads[k - 1]
                for tap in read.taps
            ]
        body.append(loops(names, size, store(f"f{k}", variables[::-1], total(values))))
    tensors = [tensor(f"f{k}", size[::-1]) for k, size in enumerate(sizes)]
    stream = tensor("input", sizes[0][::-1])
    return accelerator("random", [stream], tensors[-1:], tensors[:-1], body, latencies=latencies)


def reversed_rows() -> Accelerator:
    """A stage that loads rows from right to left."""
    body = [
        stage("f", (4, 8), lambda y, x: load("input", x, y)),
        stage("flip", (4, 8), lambda y, x: load("f", Binary(INT32, "sub", number(7), x), y)),
    ]
    f, flip, stream = (tensor(name, (8, 4)) for name in ("f", "flip", "input"))
    return accelerator("flip", [stream], [flip], [f], body)


def enlarged() -> Accelerator:
    """A stage enlarged, and loaded by one of its users' users, too: now and then as it is made.

    Meanwhile the memory of that load gives again what it had in the place.
    """
    first, here = (0,) * 3, (1,) * 3
    large = _Read(0, here, (2, 2, 2), (first,))
    both = _Read(0, (1, 1, 2), (2, 2, 1), (first,)), _Read(1, (1, 1, 4), here, (first,))
    return _build([(5, 5, 5), (10, 10, 10), (10, 10, 3)], [[large], [*both]], {})
