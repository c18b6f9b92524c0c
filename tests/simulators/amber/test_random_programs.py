"""Programs in the idioms of others: run by an interpreter here, and by ``s2s simulate``."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from s2s.cli.main import main

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")

Values = dict[str, int]
Place = Callable[[Values], int]
Memory = dict[tuple[str, tuple[int, ...]], int]


@dataclass
class Buffer:
    """Elements ``scale * v + 1`` in each dimension, for ``size`` values v from ``low`` on."""

    name: str
    bits: int
    low: tuple[int, ...]
    size: tuple[int, ...]
    scale: tuple[int, ...]

    def elements(self) -> Iterator[tuple[int, ...]]:
        ranges = [range(a, a + n) for a, n in zip(self.low, self.size, strict=True)]
        return (self.at(v) for v in product(*ranges))

    def at(self, places: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(s * v + 1 for s, v in zip(self.scale, places, strict=True))


@dataclass
class Made:
    """A program as text, and its steps as functions of the memory."""

    random: Random
    memory: list[str] = field(default_factory=list)
    compute: list[str] = field(default_factory=list)
    run: list[Callable[[Memory], None]] = field(default_factory=list)
    buffers: list[Buffer] = field(default_factory=list)

    def say(self, *texts: str) -> None:
        """A statement in some layout."""
        gap = self.random.choice(["", " ", "\n    ", ' /* ) ; " */ ', "// prg.x;\n"])
        self.memory.append(";".join([gap.join(texts), ""]))


def subscript(random: Random, names: list[str], low: int, size: int) -> tuple[str, Place]:
    """A subscript from ``low`` to ``low + size - 1``, and its value."""
    a, b = random.choice(names), random.choice(names)
    m, n = random.randint(-3, 3), random.randint(0, 9)
    inner = f"{m}*{a} + ({b} - {n})"

    def value(v: Values) -> int:
        return m * v[a] + v[b] - n

    way = random.randrange(4)
    if way == 0:
        return f"({low} + ({inner}) % {size})", lambda v: low + value(v) % size
    if way == 1:
        text = f"max({low}, min({inner}, {low + size - 1}))"
        return text, lambda v: max(low, min(value(v), low + size - 1))
    if way == 2:
        return f"{low}+floor(({inner})/3) % {size}", lambda v: low + (value(v) // 3) % size
    at = low + random.randrange(size)
    return str(at), lambda v: at


def element(
    random: Random, source: Buffer, names: list[str]
) -> tuple[list[str], Callable[[Values], tuple[int, ...]]]:
    found = [
        subscript(random, names, low, size)
        for low, size in zip(source.low, source.size, strict=True)
    ]
    texts = [f"{s}*({t}) + 1" for (t, _), s in zip(found, source.scale, strict=True)]
    return texts, lambda v: source.at(tuple(place(v) for _, place in found))


def load(
    made: Made, source: Buffer, ranges: dict[str, range]
) -> tuple[str, Callable[[Values], tuple[int, ...]]]:
    """A call that loads an element of a buffer, and which one it is."""
    random, names = made.random, list(ranges)
    texts, place = element(random, source, names)
    if random.random() < 0.3:
        more, other = element(random, source, names)
        name = random.choice(names)
        cut = random.choice(ranges[name])
        pieces = (f'{{"{name} < {cut}", "{", ".join(texts)}"}}, '
                  f'{{"{cut} <= {name} and 0 = 0", "{", ".join(more)}"}}')  # fmt: skip
        chosen = lambda v: place(v) if v[name] < cut else other(v)  # noqa: E731
        return f'add_load("{source.name}", {{{pieces}}})', chosen
    joined = [", ".join(texts)] if random.random() < 0.3 else texts
    return f'add_load("{source.name}", ' + ", ".join(f'"{t}"' for t in joined) + ")", place


def stage(made: Made, number: int, last: bool) -> None:
    """Loops around one or two operations that fill a buffer."""
    random = made.random
    rank = random.randint(1, 3)
    bits = random.choice([8, 16, 32])
    low = tuple(random.randint(-3, 3) for _ in range(rank))
    size = tuple(random.randint(1, 4) for _ in range(rank))
    scale = (1,) * rank if last else tuple(random.choice([1, 2]) for _ in range(rank))
    to = Buffer("out" if last else f"b{number}", bits, low, size, scale)
    reduced = random.random() < 0.5
    for step in range(2 if reduced else 1):
        extra = {f"r{number}": range(random.randint(1, 3))} if step else {}
        names = [f"l{number}_{step}_{d}" for d in range(rank)]
        ranges = {n: range(a, a + e) for n, a, e in zip(names, low, size, strict=True)} | extra
        owner = "prg"
        for k, (name, values) in enumerate(ranges.items()):
            kind = random.choice(["auto", "loop *", "op*", "auto*"])
            arrow = "." if k == 0 else "->"
            call = f'add_loop("{name}", {values.start}, {values.stop})'
            made.say(f"{kind} {name}", " = ", f"{owner}{arrow}", call)
            owner = name
        operation(made, to, number, step, ranges, names, owner)
    made.buffers.append(to)


def operation(
    made: Made,
    to: Buffer,
    number: int,
    step: int,
    ranges: dict[str, range],
    names: list[str],
    owner: str,
) -> None:
    random = made.random
    guard = ""
    holds: Callable[[Values], bool] = lambda v: True  # noqa: E731
    if step and random.random() < 0.5:
        cut = random.choice(ranges[names[0]])
        guard, holds = f'add_if("{names[0]} >= {cut}")->', lambda v: v[names[0]] >= cut
    own = f"o{number}_{step}"
    made.say(f"auto {own}", f" = {owner}->{guard}", f'add_op("op_{own}")')
    more = range(random.randint(0, 3))
    sources = [made.buffers[-1], *(random.choice(made.buffers) for _ in more)]
    calls = [(source, *load(made, source, ranges)) for source in sources]
    where = [f"{s}*{n} + 1" for n, s in zip(names, to.scale, strict=True)]
    mine: Callable[[Values], tuple[int, ...]] = lambda v: to.at(tuple(v[n] for n in names))  # noqa: E731
    if step:
        text = ", ".join(f'"{t}"' for t in where)
        calls.insert(random.randint(0, len(calls)), (to, f'add_load("{to.name}", {text})', mine))
    for _, call, _ in calls:
        made.say(f"{own}->", call)
    index = random.choice([None, *ranges])
    there = ", ".join(f'"{t}"' for t in where)
    statements = [
        f'{own}->add_function("f_{own}")',
        f'{own}->add_store("{to.name}", {there})',
    ]
    if index:
        statements.append(f'{own}->compute_unit_needs_index_variable("{index}")')
    random.shuffle(statements)
    for statement in statements:
        made.say(statement)
    weights = [random.randint(1, 99) for _ in calls]
    function(made, f"f_{own}", to, [source for source, _, _ in calls], weights, index)

    def run(memory: Memory) -> None:
        for values in product(*ranges.values()):
            v = dict(zip(ranges, values, strict=True))
            if holds(v):
                pairs = zip(weights, calls, strict=True)
                total = sum(w * memory[source.name, place(v)] for w, (source, _, place) in pairs)
                total += v[index] * 7 if index else 0
                memory[to.name, mine(v)] = total % 2**to.bits

    made.run.append(run)


def function(
    made: Made, name: str, to: Buffer, sources: list[Buffer], weights: list[int], index: str | None
) -> None:
    """The weighted sum of words; those of a buffer stand side by side."""
    of: dict[str, list[int]] = {}
    for k, source in enumerate(sources):
        of.setdefault(source.name, []).append(k)
    bits = {source.name: source.bits for source in sources}
    parameters = [f"hw_uint<{bits[b] * len(of[b])}>& {b}" for b in of]
    parameters += [f"const int _{index}"] if index else []
    lines = [f"hw_uint<{to.bits}> {name}({', '.join(parameters)}) {{"]
    for buffer, places in of.items():
        w = bits[buffer]
        for k, place in enumerate(places):
            word = f"{buffer}.extract<{w * k}, {w * k + w - 1}>()"
            lines.append(f"  uint32_t w{place} = (uint32_t) {word};")
    total = " + ".join(f"w{k} * {weight}u" for k, weight in enumerate(weights))
    total += f" + (uint32_t) _{index} * 7u" if index else ""
    made.compute.append("\n".join([*lines, f"  return {total};", "}"]))


def program(random: Random) -> Made:
    made = Made(random)
    rank = random.randint(1, 4)
    size = tuple(random.randint(1, 4) for _ in range(rank))
    made.buffers.append(Buffer("in", random.choice([8, 16, 32]), (-1,) * rank, size, (1,) * rank))
    # A first stage that loads all of the input: its box is then known.
    source = made.buffers[0]
    to = Buffer("b0", source.bits, source.low, source.size, source.scale)
    names = [f"c{d}" for d in range(rank)]
    owner = "prg."
    nest = ", ".join(f'"{n}", -1, {e} - 1' for n, e in zip(names, size, strict=True))
    made.say("loop* copies", f" = {owner}", f"add_nest({nest})")
    where = ", ".join(f'"{n} + 1"' for n in names)
    made.say("auto copy = copies->", 'add_op("copy")')
    made.say("copy->", f'add_load("in", {where})')
    made.say("copy->", f'add_store("b0", {where})')
    made.run.append(lambda m: m.update({("b0", e): m["in", e] for e in source.elements()}))
    made.buffers = [to]
    stages = random.randint(1, 3)
    for number in range(1, stages + 1):
        stage(made, number, last=number == stages)
    made.buffers.insert(0, source)
    return made


@given(st.integers(0, 2**32))
@settings(
    max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_random_programs(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    made = program(random)
    source, out = made.buffers[0], made.buffers[-1]
    widths = {b.name: b.bits for b in made.buffers}
    head = ['#include "prog.h"', "static int unused(int x) { return x; }",
            "prog random_program ( ) {", "  prog prg(\"random\");", 'prg.add_input("in");',
            'prg.add_output("out");', 'prg.compute_unit_file = "r_" "compute.h";']  # fmt: skip
    head += [f'prg.buffer_port_widths["{n}"] = {w};' for n, w in widths.items() if w != 32]
    memory, compute = tmp_path / "r_memory.cpp", tmp_path / "r_compute.h"
    memory.write_text(
        "\n".join([*head, *made.memory, "return prg; }", "int after() { return 1; }"])
    )
    compute.write_text("\n".join(['#include "hw_classes.h"', *made.compute, ""]))
    words = np.array([random.randrange(2**source.bits) for _ in source.elements()], np.int64)
    np.save(tmp_path / "in.npy", words.reshape(source.size))
    found: Memory = {("in", e): int(w) for e, w in zip(source.elements(), words, strict=True)}
    for run in made.run:
        run(found)
    files = ["--input", str(tmp_path / "in.npy"), "--output", str(tmp_path / "out.npy")]
    assert main(["simulate", str(memory), str(compute), "--machine", "amber", *files]) == 0
    result = np.load(tmp_path / "out.npy").ravel().tolist()
    assert result == [found["out", e] for e in out.elements()]


HISTOGRAM = Path(__file__).with_name("histogram.cpp").read_text()

COUNT = """
hw_uint<16> bin(hw_uint<16>& in) { uint16_t a = (uint16_t) in.extract<0, 15>(); return a % 8; }
hw_uint<16> zero() { return 0; }
hw_uint<16> count(hw_uint<16>& b) { uint16_t a = (uint16_t) b.extract<0, 15>(); return a + 1; }
"""


def test_addresses_that_depend_on_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    memory, compute = tmp_path / "h_memory.cpp", tmp_path / "h_compute.h"
    memory.write_text(HISTOGRAM.replace("HALF", "4"))
    compute.write_text('#include "hw_classes.h"' + COUNT)
    words = np.array([(k * k) % 11 for k in range(20)], np.uint16)
    np.save(tmp_path / "in.npy", words)
    files = ["--input", str(tmp_path / "in.npy"), "--output", str(tmp_path / "out.npy")]
    run = ["simulate", str(memory), str(compute), "--machine", "amber", *files]
    assert main(run) == 0
    assert np.load(tmp_path / "out.npy").tolist() == np.bincount(words % 8, minlength=8).tolist()
    memory.write_text(HISTOGRAM.replace("HALF", "2"))
    assert main(run) == 1
    said = "count loads 'bins' at subscripts of no element that others name"
    assert said in capsys.readouterr().err
