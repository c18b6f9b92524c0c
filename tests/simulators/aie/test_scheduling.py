"""Schedules and register allocations are right: replayed, and on random bodies."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from s2s.emitters.aie.kernel import emit
from s2s.simulators.aie.reading.read import read
from s2s.simulators.aie.timing.fit import _Fitting, pipeline_loop, straight
from s2s.simulators.aie.timing.lowering import lower
from s2s.simulators.aie.timing.machine import load
from s2s.simulators.aie.timing.operation import Body
from s2s.simulators.aie.timing.region import find_loops
from s2s.transforms.aie.compile import compile_contraction
from s2s.transforms.aie.errors import Unmappable
from tests.simulators.aie.kernel_texts import FULLY_CONNECTED, MATRIX_PRODUCT, Convolution
from tests.simulators.aie.replay import replay
from tests.transforms.aie.random_kernels import contractions, mappings, size_of

_HERE = Path(__file__).parent

AIE1 = load().replace(loop__evictions=99)
TEXTS = {
    "fully connected": FULLY_CONNECTED,
    "matrix product": MATRIX_PRODUCT,
    "3x3 of 16 bits": Convolution(16, 3, 2).text(),
    "4x4 of 16 bits": Convolution(16, 4, 4).text(),
    "5x5, rows loaded again": Convolution(16, 5, 2, by_rows=False).text(),
    "5x5 of 32 bits": Convolution(32, 5, 2).text(),
}


def kernel(text: str) -> Body:
    (found,) = (r.kernel for r in find_loops(lower(read(text), AIE1)) if r.kernel is not None)
    return found.body


@pytest.mark.parametrize("name", TEXTS)
def test_registers_placed_first_replay(name: str) -> None:
    fitted = _Fitting(AIE1).placed_first(kernel(TEXTS[name]), None)
    assert fitted is not None
    replay(fitted)


@pytest.mark.parametrize("name", TEXTS)
def test_pipelined_loops_replay(name: str) -> None:
    fitted = pipeline_loop(kernel(TEXTS[name]), AIE1)
    assert fitted is not None
    replay(fitted)


def test_straight_code_replays() -> None:
    replay(straight(kernel(Convolution(32, 7, 2).text()), AIE1))


class _Text:
    """A loop body drawn at random: loads, windows of two loads, sums, wrap-around and stores."""

    def __init__(self, data: st.DataObject) -> None:
        self._data = data
        self._lines: list[str] = []
        self._vectors = 0
        self._sums: list[str] = []

    def _choose(self, *choices: str) -> str:
        return self._data.draw(st.sampled_from(choices))

    def _toss(self) -> bool:
        return self._data.draw(st.booleans())

    def body(self) -> str:
        for _ in range(self._data.draw(st.integers(1, 5))):
            self._window()
            for _ in range(self._data.draw(st.integers(1, 4))):
                self._multiply()
            if self._sums and self._toss():
                self._store(self._sums.pop(0))
        for name in self._sums:
            self._store(name)
        return "".join(f"    {line}\n" for line in self._lines)

    def _window(self) -> None:
        name = f"x{self._vectors}"
        self._vectors += 1
        pointer = self._choose("a", "b")
        self._lines.append(f"v32int16 {name} = undef_v32int16();")
        for part in range(2):
            load = f"*(v16int16 *)({pointer} + 64 * i + {16 * (2 * self._vectors + part)})"
            old = self._choose(load, load, "carried") if part else load
            self._lines.append(f"{name} = upd_w({name}, {part}, {old});")
        if self._data.draw(st.booleans()):
            self._lines.append(f"carried = ext_w({name}, 0);")

    def _multiply(self) -> None:
        x = f"x{self._data.draw(st.integers(max(0, self._vectors - 3), self._vectors - 1))}"
        z = self._choose("z", "*(v16int16 *)(w + 16 * i)", "*(v16int16 *)(w + 16)")
        tail = f"{x}, 0, 0x03020100, 0x07060504, 0x2110, {z}, 0, 0, 0, 1);"
        if self._sums and self._toss():
            name = self._choose(*self._sums)
            self._lines.append(f"{name} = mac16({name}, {tail}")
        elif len(self._sums) < 4:
            name = f"s{len(self._lines)}"
            self._sums.append(name)
            self._lines.append(f"v16acc48 {name} = mul16({tail}")

    def _store(self, name: str) -> None:
        at = len(self._lines) * 16
        self._lines.append(f"*(v16int16 *)(out + 4096 * i + {at}) = srs({name}, 4);")


HEAD = (_HERE / "scheduling/head.c").read_text()


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_random_loops_replay(data: st.DataObject) -> None:
    body = kernel(HEAD + _Text(data).body() + "  }\n}\n")
    fitted = pipeline_loop(body, AIE1)
    if fitted is not None:
        replay(fitted, 5)
        assert fitted.schedule.interval >= fitted.bound.cycles - 1
    alone = straight(body, AIE1)
    if alone.fits:
        replay(alone, 3)


@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)
@given(st.data(), st.sampled_from([(8, 16, 8), (16, 16, 2), (32, 8, 1)]))
def test_emitted_kernels_replay(data: st.DataObject, datapath: tuple[int, int, int]) -> None:
    of = data.draw(contractions(datapath[0]))
    mapping = data.draw(mappings(of, *datapath[1:]))
    assume(size_of(of, mapping) <= 100)
    try:
        text = emit(compile_contraction(of, mapping).kernel)
    except Unmappable:
        assume(False)
    for region in find_loops(lower(read(text), AIE1)):
        if region.kernel is None:
            continue
        body = region.kernel.body
        fitted = pipeline_loop(body, AIE1)
        if fitted is not None:
            replay(fitted, 3)
        alone = straight(body, AIE1)
        if alone.fits:
            replay(alone, 3)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from("vw"), st.integers(0, 3), st.integers(0, 7)), max_size=5),
    st.booleans(),
    st.integers(1, 2),
)
def test_operands_of_carried_pieces_have_registers(
    pieces: list[tuple[str, int, int]], late: bool, sums: int
) -> None:
    """Parts of 128 bits that replace some of a register of the iteration before."""
    updates = []
    for kind, part, at in pieces:
        lanes, part = (8, part) if kind == "v" else (16, part % 2)
        updates.append(f"c = upd_{kind}(c, {part}, *(v{lanes}int16 *)(b + 64 * i + {16 * at}));")
    lines = [
        f"v16acc48 s{n} = mul16(c, {16 * n}, 0x03020100, 0x07060504, 0x2110, z, 0, 0, 0, 1);"
        f" *(v16int16 *)(out + 64 * i + {16 * n}) = srs(s{n}, 4);"
        for n in range(sums)
    ]
    text = HEAD.replace("v16int16 carried = *(v16int16 *)a;", "v32int16 c = undef_v32int16();")
    text += "\n".join([*lines, *updates] if late else [*updates, *lines])
    body = kernel(text + "  }\n}\n")
    fitted = pipeline_loop(body, AIE1)
    if fitted is not None:
        replay(fitted, 5)
    alone = straight(body, AIE1)
    if alone.fits:
        replay(alone, 3)


def test_a_filter_shifted_by_a_quarter_of_a_register_ends() -> None:
    text = (_HERE / "shifted_filter.c").read_text()
    alone = straight(kernel(text), AIE1)
    assert alone.fits
    replay(alone, 3)
