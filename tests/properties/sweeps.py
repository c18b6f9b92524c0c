"""Programs in the shapes that the passes look for: stencils over time, and nests in a bad order."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from tests.properties.generate import Draw
from tests.properties.parallelism import is_race_free, privates, shared, shared_loop, task_of
from tests.properties.program import (
    Affine,
    Array,
    Assign,
    Index,
    Loop,
    Node,
    Omp,
    Program,
    Ref,
    Unsuitable,
)

_TRIES = 200
_FORMS = ("global", "vla", "pointer", "flat")


def draw_sweep(number: int, seed: str) -> Program:
    """The program of a seed: half of them sweep over arrays again and again."""
    rng = random.Random(f"{seed}:sweep")
    draw = _over_time if rng.random() < 0.6 else _bad_order
    for _ in range(_TRIES):
        try:
            program = draw(Draw(rng, number, seed), rng)
        except Unsuitable:
            continue
        if is_race_free(program):
            return program
    raise AssertionError(f"no suitable program for seed {seed}")


def _loop(var: str, low: int, size: str, less: int, body: Sequence[Node]) -> Loop:
    upper = Affine(((size, 1),), -less)
    return Loop(var, "int", True, Affine((), low), upper, 1, False, "plain", tuple(body))


def _program(
    draw: Draw, sizes: Sequence[str], body: tuple[Node, ...], runs: tuple[dict[str, int], ...]
) -> Program:
    parameters = tuple(("int", name) for name in sizes)
    program = Program(
        draw.number, draw.seed, parameters, tuple(draw.arrays), (), (), body, runs
    )  # fmt: skip
    return draw.fitted(program)


# -- over time ----------------------------------------------------------------------------------


def _over_time(draw: Draw, rng: random.Random) -> Program:
    element = rng.choice(("double", "double", "int"))
    for letter in "abc"[: rng.choice((2, 2, 3))]:
        name = f"k{draw.number}_{letter}"
        draw.arrays.append(Array(name, element, 2, rng.choice(_FORMS), True))
    draw.parameters = ()
    sweeps: list[Node] = []
    for _ in range(rng.choice((1, 2, 2, 3))):
        target, *others = rng.sample(draw.arrays, len(draw.arrays))
        sweeps.append(_sweep(draw, target, others, rng))
    time = _loop("t", 0, "steps", 0, _parallel(sweeps, rng))
    runs = (
        {"steps": rng.randint(2, 6), "n": rng.randint(4, 8), "m": rng.randint(3, 7)},
        {"steps": rng.randint(30, 36), "n": rng.randint(3, 6), "m": 3},
        {"steps": rng.randint(1, 4), "n": rng.randint(17, 20), "m": 4},
    )
    program = _program(draw, ("steps", "n", "m"), (time,), runs)
    # isl's transitive closure takes half a minute for three kinds of tasks.
    spawns = len(sweeps) <= 2 and rng.random() < 0.5
    return replace(program, body=(_with_tasks(program, rng),)) if spawns else program


def _sweep(draw: Draw, target: Array, others: Sequence[Array], rng: random.Random) -> Loop:
    """One pass over an array, from neighbours in others and perhaps the element itself."""
    reads = [_near(rng.choice(others), rng) for _ in range(rng.choice((1, 2, 3)))]
    here = Ref(target.name, _at("i", "j"))
    operands = [(draw.factor(), ref) for ref in reads]
    if rng.random() < 0.3:
        operands.append((draw.factor(), here))
    real = target.element == "double"
    assign = draw.numbered(here, "=", operands, (), real)
    inner = _loop("j", rng.choice((0, 1)), "m", rng.choice((0, 1)), [assign])
    return _loop("i", rng.choice((0, 1)), "n", rng.choice((0, 1)), [inner])


def _at(*names: str) -> tuple[Index, ...]:
    return tuple(Index(Affine(((name, 1),))) for name in names)


def _near(array: Array, rng: random.Random) -> Ref:
    shifts = (rng.choice((-1, 0, 0, 1)), rng.choice((-1, 0, 0, 1)))
    pairs = zip("ij", shifts, strict=True)
    return Ref(array.name, tuple(Index(Affine(((v, 1),), s)) for v, s in pairs))


def _parallel(sweeps: Sequence[Node], rng: random.Random) -> tuple[Node, ...]:
    kind = rng.choice(("each", "region", "none"))
    if kind == "each":
        return tuple(
            shared_loop("parallel for", n, rng) for n in sweeps if isinstance(n, Loop)
        )  # fmt: skip
    if kind == "region":
        return (Omp("parallel", shared(sweeps, rng)),)
    return tuple(sweeps)


def _with_tasks(program: Program, rng: random.Random) -> Node:
    """The sweeps' rows as tasks of one thread."""
    (time,) = program.body
    assert isinstance(time, Loop)
    rows: list[Node] = []
    for sweep in _sweeps(time.body):
        task = task_of(program, sweep.body, frozenset({"t", "i"}), rng)
        rows.append(replace(sweep, body=(task,)))
    spawning = replace(time, body=tuple(rows))
    waits: tuple[Node, ...] = (Omp("taskwait"),) if rng.random() < 0.5 else ()
    one = Omp("single", (spawning, *waits), private=privates((spawning,)))
    return Omp("parallel", (one,))


def _sweeps(nodes: Sequence[Node]) -> list[Loop]:
    found: list[Loop] = []
    for node in nodes:
        if isinstance(node, Loop):
            found.append(node)
        elif isinstance(node, Omp):
            found += _sweeps(node.body)
    return found


# -- a bad order --------------------------------------------------------------------------------


def _bad_order(draw: Draw, rng: random.Random) -> Program:
    """Products and sums whose innermost loop walks across rows."""
    element = rng.choice(("double", "double", "int"))
    for letter in "abc":
        name = f"k{draw.number}_{letter}"
        draw.arrays.append(Array(name, element, 2, rng.choice(_FORMS), True))
    draw.parameters = ()
    first, second, third = draw.arrays
    rows, columns, inner = rng.sample("ijk", 3)
    target = Ref(first.name, _at(rows, columns))
    pairs = [(inner, columns), (rows, inner), (columns, rows), (inner, rows)]
    operands = [
        (draw.factor(), Ref(second.name, _at(*rng.choice(pairs)))),
        (draw.factor(), Ref(third.name, _at(*rng.choice(pairs)))),
    ]
    op = rng.choice(("+=", "+=", "="))
    update = draw.numbered(target, op, operands, (), element == "double")
    loop = _nest([update], rng, target, draw, element)
    nest = shared_loop("parallel for", loop, rng) if rng.random() < 0.5 else loop
    runs = (
        {"n": rng.randint(8, 12), "m": rng.randint(8, 11)},
        {"n": rng.randint(2, 5), "m": rng.randint(9, 20)},
        {"n": 1, "m": 2},
    )
    return _program(draw, ("n", "m"), (nest,), runs)


def _nest(
    body: list[Assign], rng: random.Random, target: Ref, draw: Draw, element: str
) -> Loop:  # fmt: skip
    """``for i, j, k`` around an update, perhaps with what sets the element before it."""
    sizes = {v: rng.choice(("n", "m")) for v in "ijk"}
    inside: list[Node] = [_loop("k", 0, sizes["k"], 0, body)]
    names = {n for index in target.indices for n, _ in index.base.terms}
    if names == {"i", "j"} and rng.random() < 0.5:
        inside.insert(0, draw.numbered(target, "=", [(1, target)], (), element == "double"))
    return _loop("i", 0, sizes["i"], 0, [_loop("j", 0, sizes["j"], 0, inside)])
