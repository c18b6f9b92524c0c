"""Places that depend on data: random histograms and lookups, executed cycle by cycle."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2s.analyses.cycles import check
from s2s.net.clockwork.programs import check_program
from s2s.scop.accelerator import Accelerator
from s2s.scop.expressions import INT32, Binary, Cast, Expr, Load
from s2s.scop.nest import Allocate, Block, Node
from s2s.scop.netlist import Memory
from s2s.simulators.amber.design import read_design
from s2s.simulators.amber.execute import execute
from s2s.simulators.amber.machine import load as load_array
from s2s.simulators.amber.netlist import flatten
from s2s.source.clockwork.memory_file import read_program
from s2s.source.diagnostics import UserError
from s2s.targets.clockwork.design import Compiled, print_files
from s2s.transforms.clockwork.compute_units import compute_units
from s2s.transforms.clockwork.mapping import map_design
from s2s.transforms.clockwork.schedule import schedule
from s2s.transforms.clockwork.unified_buffers import unified_buffers
from tests.transforms.clockwork.programs import (
    U16,
    accelerator,
    load,
    loops,
    number,
    store,
    tensor,
    var,
)

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")


@dataclass(frozen=True)
class Counted:
    """Counts of the values of a picture, a table for each ``planes``-th row; each pixel becomes the
    sum of the counts of ``taps`` values after its own.
    """

    rows: int
    columns: int
    bins: int
    planes: int
    taps: int
    first: int
    latencies: tuple[int, int]

    def table(self, y: Expr, place: Expr) -> tuple[Expr, ...]:
        return place, Binary(INT32, "mod", y, number(self.planes))

    def accelerator(self) -> Accelerator:
        size = [self.rows, self.columns]
        y, x, j, i = (var(name) for name in ("y", "x", "j", "i"))
        pixel = var("a"), var("b")
        copied = loops(["b", "a"], size, store("picture", pixel, load("input", *pixel)))
        cleared = loops(
            ["plane", "bin"],
            [self.planes, self.bins],
            store("counts", (var("bin"), var("plane")), number(self.first, U16)),
        )
        at = Cast(INT32, load("place", number(0)))
        one = load("counts", *self.table(y, at))
        counted: Node = Block(
            (
                store("place", (number(0),), self.bin(load("picture", x, y), 0)),
                store("counts", one.subscripts, Binary(U16, "add", one, number(3, U16))),
            )
        )
        counted = loops(["y", "x"], size, Allocate(tensor("place", [1]), counted))
        names = [f"tap{k}" for k in range(self.taps)]
        places = [
            store(name, (number(0),), self.bin(load("picture", i, j), k))
            for k, name in enumerate(names)
        ]
        found: Expr = number(0, U16)
        for name in names:
            tap = load("counts", *self.table(j, Cast(INT32, load(name, number(0)))))
            found = Binary(U16, "add", found, tap)
        given_out: Node = Block((*places, store("output", (i, j), found)))
        for name in names:
            given_out = Allocate(tensor(name, [1]), given_out)
        stream = tensor("input", size[::-1])
        slow = {"op_hcompute_place": self.latencies[0], "op_hcompute_counts_1": self.latencies[1]}
        return accelerator(
            "counted",
            [stream],
            [replace(stream, name="output")],
            [replace(stream, name="picture"), tensor("counts", [self.bins, self.planes])],
            [copied, cleared, counted, loops(["j", "i"], size, given_out)],
            latencies={name: cycles for name, cycles in slow.items() if cycles},
        )

    def bin(self, value: Load, further: int) -> Expr:
        moved = Binary(U16, "add", value, number(further, U16))
        return Binary(U16, "mod", moved, number(self.bins, U16))

    def defined(self, picture: np.ndarray) -> np.ndarray:
        counts = np.full((self.planes, self.bins), self.first, np.int64)
        for y, x in np.ndindex(picture.shape):
            counts[y % self.planes, picture[y, x] % self.bins] += 3
        found = np.zeros(picture.shape, np.int64)
        for y, x in np.ndindex(picture.shape):
            for k in range(self.taps):
                found[y, x] += counts[y % self.planes, (int(picture[y, x]) + k) % 65536 % self.bins]
        return found.astype(np.uint16)


def files_of(program: Accelerator) -> tuple[Compiled, dict[str, str]]:
    found = schedule(program)
    assert check(found.accelerator, found.schedule) is None
    compiled = Compiled(
        found,
        map_design(found.accelerator, found.schedule),
        compute_units(found.accelerator),
        unified_buffers(found.accelerator, found.schedule, found.turns),
    )
    return compiled, print_files(compiled)


def run(
    folder: Path,
    name: str,
    picture: np.ndarray,
    *,
    check: bool,
    shape: tuple[int, int] | None = None,
) -> np.ndarray:
    design = read_design(f"{folder}/{name}_design.json")
    program = read_program(design.memory)
    netlist = flatten(design, program, load_array())
    words = picture.ravel().astype(np.uint32)
    made = execute(program, design.compute, netlist, words, check=check)
    return made.words.reshape(shape or picture.shape).astype(np.uint16)


COUNTED = st.builds(
    Counted,
    rows=st.integers(1, 4),
    columns=st.integers(1, 6),
    bins=st.integers(1, 9),
    planes=st.integers(1, 2),
    taps=st.integers(1, 3),
    first=st.integers(0, 65535),
    latencies=st.tuples(st.integers(0, 2), st.integers(0, 2)),
)


@settings(max_examples=4, deadline=None)
@given(COUNTED, st.integers(0, 1 << 30), st.booleans())
def test_random_tables(counted: Counted, seed: int, checked: bool) -> None:
    compiled, files = files_of(counted.accelerator())
    every = compiled.netlist.instances.values()
    memories = [each for each in every if isinstance(each, Memory) and each.buffer == "counts"]
    # Loads in one cycle have a copy each, the update shares one with the first of them.
    assert len(memories) == counted.taps
    picture = np.random.default_rng(seed).integers(0, 1 << 16, (counted.rows, counted.columns))
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            (Path(folder) / name).write_text(text)
        made = run(Path(folder), "counted", picture, check=checked)
        assert np.array_equal(made, counted.defined(picture))


PROGRAM = Counted(3, 5, 8, 1, 1, 0, (0, 1))


def test_a_pixel_in_a_cycle() -> None:
    """An update of latency 0 starts in each cycle, one of latency 1 in each second one."""
    fast = schedule(replace(PROGRAM, latencies=(0, 0)).accelerator()).schedule
    slow = schedule(PROGRAM.accelerator()).schedule
    assert fast.starts["op_hcompute_counts_1"].strides[-1] == 1
    assert slow.starts["op_hcompute_counts_1"].strides[-1] == 2


def test_tables_that_begin_anew_while_others_are_filled_have_a_store_in_a_cycle() -> None:
    """Each of 8 outputs counts the picture anew; first values of a table wait for the last one's
    updates.
    """
    y, x, i = (var(name) for name in ("y", "x", "i"))
    pixel = var("a"), var("b")
    at = Cast(INT32, load("place", number(0)))
    one = load("counts", at)
    cleared = loops(["bin"], [8], store("counts", (var("bin"),), number(0, U16)))
    counted: Node = Block(
        (
            store("place", (number(0),), Binary(U16, "mod", load("picture", x, y), number(8, U16))),
            store("counts", one.subscripts, Binary(U16, "add", one, number(1, U16))),
        )
    )
    counted = loops(["y", "x"], [3, 5], Allocate(tensor("place", [1]), counted))
    table: Node = Block((cleared, counted, store("output", (i,), load("counts", i))))
    program = accelerator(
        "anew",
        [tensor("input", [5, 3])],
        [tensor("output", [8])],
        [tensor("picture", [5, 3])],
        [
            loops(["b", "a"], [3, 5], store("picture", pixel, load("input", *pixel))),
            loops(["i"], [8], Allocate(tensor("counts", [8]), table)),
        ],
    )
    picture = np.random.default_rng(3).integers(0, 1 << 16, (3, 5))
    _, files = files_of(program)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            (Path(folder) / name).write_text(text)
        made = run(Path(folder), "anew", picture, check=True, shape=(8, 1))
    assert made.ravel().tolist() == np.bincount(picture.ravel() % 8, minlength=8).tolist()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        # The word of another place: the memory gives another element than the operation loads.
        ('"read_words": [[1]', '"read_words": [[0]', "takes counts["),
        ('"read_words": [[1]', '"read_words": [[3]', "takes counts["),
        ('"read_words": [[1]', '"read_words": ["1"', "'read_words' is"),
    ],
)
def test_wrong_designs(old: str, new: str, said: str, tmp_path: Path) -> None:
    _, files = files_of(PROGRAM.accelerator())
    text = files["counted_design.json"]
    assert old in text
    for name, own in {**files, "counted_design.json": text.replace(old, new)}.items():
        (tmp_path / name).write_text(own)
    with pytest.raises(UserError) as error:
        run(tmp_path, "counted", np.arange(15).reshape(3, 5) + 1, check=True)
    assert said in error.value.diagnostics[0].text


def test_files_are_read_back(tmp_path: Path) -> None:
    """The design of what was printed does what the files say."""
    from s2s.frontends.clockwork.accelerator import accelerator_of
    from s2s.source.clockwork.signatures import read_compute_file

    _, files = files_of(PROGRAM.accelerator())
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    memory, compute = (str(tmp_path / f"counted_{name}") for name in ("memory.cpp", "compute.h"))
    again = accelerator_of(read_program(memory), read_compute_file(compute))
    assert again.scattered == {"counts"}
    compiled, made = files_of(again)
    assert check_program(compiled.accelerator.name, made, memory, compute)
