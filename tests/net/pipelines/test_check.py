"""The net under Halide's door: what goes wrong after the last proof does not leave.

Mutations are made in the nest as it is printed, or in the text; the net must see every one that
changes what the C computes, and none where nothing is wrong.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from s2s.cli import main as cli
from s2s.emitters.c.nests import Emitted, emit
from s2s.frontends.halide.evaluate import evaluate
from s2s.net import Mismatch
from s2s.net.pipelines import building
from s2s.net.pipelines.building import Text
from s2s.net.pipelines.cases import Cases
from s2s.net.pipelines.check import Checked, check
from s2s.net.pipelines.native import Result, TooSlow, run
from s2s.scop.errors import Illegal
from s2s.scop.nest import Nest
from s2s.scop.pipeline import Pipeline
from s2s.source.diagnostics import UserError
from s2s.targets import cpu
from s2s.transforms.halide.lower import lower
from s2s.transforms.nest.prepare import CHANGES, CHOICES, prepare
from tests.frontends.halide.random_sources import draw
from tests.net.pipelines import wrong_steps
from tests.thorough import count

MUTANTS = count("S2S_NET_MUTANTS", 4, 40)

_SOURCE = Path(__file__).with_name("checked.cpp").read_text()


def _ports(source: str, target: str) -> str:
    read, written = f"Input<Buffer<{source}, 2>>", f"Output<Buffer<{target}, 2>>"
    return f'{read} input{{"input"}}; {written} output{{"output"}};'


SOURCES = {
    "stencil": (
        _ports("uint16_t", "uint16_t"),
        "output(x, y) = (input(x, y) + 2 * input(x + 1, y) + input(x, y + 1)) / 4;",
    ),
    "sliding": (
        _ports("uint8_t", "uint16_t"),
        "f(x, y) = cast<uint16_t>(input(x, y)) + input(x + 1, y);"
        "output(x, y) = f(x, y) + f(x, y + 1) + f(x, y + 2) + f(x, y + 3);"
        "f.store_root().compute_at(output, y);",
    ),
    "vectors": (
        _ports("float", "float"),
        "f(x, y) = input(x, y) * 0.5f + input(x + 1, y);"
        "output(x, y) = select(f(x, y) > 0.7f, f(x, y + 1), f(x, y) * 3.0f);"
        "f.compute_at(output, yi).vectorize(x, 8);"
        "output.tile(x, y, xo, yo, xi, yi, 16, 4, TailStrategy::GuardWithIf).vectorize(xi, 8)"
        ".parallel(yo);",
    ),
    "reduction": (
        _ports("int16_t", "int32_t"),
        "f(x, y) = 0; f(x, y) += cast<int32_t>(input(x + r.x, y + r.y)) * (r.x + 2 * r.y + 1);"
        "output(x, y) = f(x, y) - f(x + 1, y); f.compute_at(output, y);",
    ),
    "unrolled": (
        _ports("int16_t", "int16_t"),
        "output(x, y) = input(x, y) * 3 - input(x + 2, y);"
        "output.unroll(x, 3, TailStrategy::GuardWithIf).parallel(y);",
    ),
    "left alone": (
        _ports("uint16_t", "uint16_t"),
        "f(x, y) = undef<uint16_t>();"
        "f(x, y) = select(x % 2 == 0, input(x, y), undef<uint16_t>());"
        "f(x, y) = select(x % 2 == 1, input(x, y) * 2, undef<uint16_t>());"
        "output(x, y) = f(x, y) + f(x + 1, y); f.compute_root().unroll(x, 2);",
    ),
    "brain": (
        _ports("uint8_t", "float"),
        "f(x, y) = cast<bfloat16_t>(input(x, y)) * cast<bfloat16_t>(0.3f);"
        "output(x, y) = cast<float>(f(x, y) + f(x + 1, y)); f.compute_root();",
    ),
    "histogram": (
        _ports("uint8_t", "int32_t"),
        'RDom q(0, input.width(), 0, input.height(), "q");'
        "f(x) = 0; f(cast<int32_t>(input(q.x, q.y))) += 1;"
        "output(x, y) = f(clamp(x + y, 0, 255)); f.compute_root();",
    ),
    "tuple": (
        _ports("int32_t", "int32_t"),
        "f(x, y) = Tuple(input(x, y), input(x + 1, y) * 3);"
        "f(x, y) = Tuple(f(x, y)[1], f(x, y)[0] + 1);"
        "output(x, y) = f(x, y)[0] - 2 * f(x, y + 1)[1]; f.compute_root();",
    ),
    "narrow": (
        _ports("uint8_t", "uint8_t"),
        "f(x, y) = cast<int16_t>(input(x, y)) - cast<int16_t>(input(x + 1, y));"
        "output(x, y) = cast<uint8_t>(clamp(abs(f(x, y)) + f(x, y + 1), 0, 255));"
        "f.compute_root().vectorize(x, 8); output.vectorize(x, 16, TailStrategy::ShiftInwards);",
    ),
}


def source(name: str) -> str:
    """The text of a generator."""
    ports, body = SOURCES[name]
    return _SOURCE.replace("PORTS", ports).replace("BODY", body)


@dataclass(frozen=True)
class Made:
    """A pipeline on its way out."""

    pipeline: Pipeline
    nest: Nest
    emitted: Emitted

    def checked(self, emitted: Emitted | None = None) -> Checked:
        """What the net says; raises Mismatch."""
        return check(self.pipeline, self.nest, emitted or self.emitted, "", self.remade)

    def remade(self, sizes: Mapping[str, tuple[int, ...]]) -> tuple[Nest, Emitted]:
        nest = lower(self.pipeline, sizes)
        return nest, emit(prepare(nest))


@cache
def made(name: str, sizes: tuple[int, ...] = ()) -> Made:
    pipeline = evaluate("g.cpp", source(name).encode())
    nest = lower(pipeline, {"output": sizes} if sizes else {})
    return Made(pipeline, nest, emit(prepare(nest)))


# Each kind of wrong step in a pipeline that has it; the number of the place is the first that is
# not the same program again.
STEPS = [
    ("stencil", "a bound one less", 0),
    ("stencil", "a bound one more", 0),
    ("stencil", "an operand", 0),
    ("stencil", "a step", 0),
    ("sliding", "an order", 0),
    ("sliding", "a fold factor", 0),
    ("sliding", "a dropped statement", 0),
    ("vectors", "branches swapped", 0),
    ("vectors", "a lane", 0),
    ("vectors", "a border moved", 1),
    ("vectors", "a minimum of memory", 0),
    ("reduction", "a minimum of memory", 0),
    ("reduction", "an order", 0),
    ("reduction", "an operand", 1),
    ("unrolled", "a row doubled", 0),
    ("histogram", "memory too small", 0),
    ("histogram", "a dropped statement", 0),
    ("left alone", "an operand", 2),
    ("brain", "a bound one less", 0),
    ("tuple", "an order", 0),
    ("tuple", "an operand", 0),
    ("narrow", "a cast narrowed", 0),
    ("narrow", "a subscript", 0),
]


def wrong(one: Made, kind: str) -> Iterator[Emitted]:
    """What is emitted with a wrong step of a kind, for each place."""
    if kind in wrong_steps.TEXTS:
        for text in wrong_steps.texts(one.emitted.source, one.emitted.name, kind):
            yield replace(one.emitted, source=text)
        return
    right = prepare(one.nest, CHANGES)
    for body in wrong_steps.nests(right.body, kind):
        try:
            yield emit(prepare(replace(right, body=body), CHOICES))
        except (KeyError, ValueError, AssertionError):
            continue  # not every wrong nest can be printed


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("sizes", [(), (37, 21)])
def test_what_is_right_passes(name: str, sizes: tuple[int, ...]) -> None:
    found = made(name, sizes).checked()
    assert found.calls >= 2
    assert found.elements > 100
    assert not found.unknown


@pytest.mark.parametrize(("name", "kind", "place"), STEPS)
def test_a_wrong_step_does_not_leave(
    name: str,
    kind: str,
    place: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    broken = next(islice(wrong(made(name), kind), place, None))
    assert broken.source != made(name).emitted.source
    path, out = tmp_path / "g.cpp", tmp_path / "g.c"
    path.write_text(source(name))
    monkeypatch.setattr(cpu, "print_nest", lambda nest, header: broken)
    status = cli.main(["transform", str(path), "-o", str(out)])
    assert (status, out.exists(), (tmp_path / "g.h").exists()) == (70, False, False)
    assert "internal error" in capfd.readouterr().err


@pytest.mark.parametrize("kind", [k for k in wrong_steps.TEXTS if k != "status"])
def test_a_wrong_text_does_not_leave(kind: str) -> None:
    for emitted in islice(wrong(made("narrow"), kind), 1, 3):
        if _differs(made("narrow"), emitted):
            with pytest.raises(Mismatch):
                made("narrow").checked(emitted)


def test_random_wrong_steps_do_not_leave() -> None:
    """Of those that change what a C program computes, for sizes that the net does not choose."""
    seen: Counter[str] = Counter()
    caught: Counter[str] = Counter()
    missed = []
    pick = random.Random(MUTANTS)
    while seen.total() < MUTANTS:
        one = _random_pipeline(pick)
        kind = pick.choice([*wrong_steps.NODES, *wrong_steps.TEXTS])
        several = list(wrong(one, kind)) if one is not None else []
        if one is None or not several:
            continue
        emitted = pick.choice(several)
        if not _differs(one, emitted):
            continue
        seen[kind] += 1
        try:
            one.checked(emitted)
            missed.append(f"{kind}\n{emitted.source}")
        except Mismatch:
            caught[kind] += 1
    print(f"{caught.total()} of {seen.total()} caught; {dict(seen - caught)} missed")
    assert caught.total() >= 0.95 * seen.total(), "\n\n".join(missed)


def _random_pipeline(pick: random.Random) -> Made | None:
    """One drawn, or one of those above; with its sizes as arguments or as constants."""
    sizes = (pick.randrange(1, 70), pick.randrange(1, 50)) if pick.random() < 0.3 else ()
    if pick.random() < 0.4:
        return made(pick.choice(list(SOURCES)))
    drawn = draw(pick.randrange(100_000))
    try:
        pipeline = evaluate("g.cpp", drawn.text.encode())
        nest = lower(pipeline, {"output": sizes} if sizes else {})
    except (Illegal, UserError):
        return None
    return Made(pipeline, nest, emit(prepare(nest)))


def _differs(one: Made, emitted: Emitted) -> bool:
    """Whether two texts give different results somewhere."""
    cases = []
    known = Cases(one.pipeline, one.nest)
    pick = random.Random(11)
    for number in range(5):
        extents = {
            name: (pick.randrange(1, 90), pick.randrange(1, 60)) for name in one.pipeline.outputs
        }
        case = known.possible(extents, number)
        cases += [case] if case is not None else []
    answers = []
    for text in (one.emitted, emitted):
        whole = Text(text.name, text.source, ("", text.header), one.nest.arguments)
        try:
            with building.building(whole) as build:
                answers.append(list(run(build.program(), whole, cases)))
        except (Mismatch, TooSlow):
            answers.append([])
    return any(not _same(*pair) for pair in zip(*answers, strict=False)) or not answers[1]


def _same(one: Result, other: Result) -> bool:
    pairs = zip(one.outputs, other.outputs, strict=True)
    return one.status == other.status and all(
        np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
        for first, second in pairs
        for a, b in zip(first, second, strict=True)
    )


def test_without_a_compiler_there_is_a_remark_only_where_nothing_is_proved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(building, "compiler", lambda: None)
    found = made("stencil").checked()
    assert (found.calls, found.unknown) == (0, "no C compiler was found")
