"""Cycles of kernels: published figures, what binds a loop, registers that do not suffice."""

from pathlib import Path

import pytest

from s2s.simulators.aie.reading.read import read
from s2s.simulators.aie.timing.cycles import Cycles, LoopCycles
from s2s.simulators.aie.timing.estimate import NotBelow, UnknownTrips, estimate
from s2s.simulators.aie.timing.machine import Machine, MachineError, load, parse
from tests.simulators.aie.kernel_texts import FULLY_CONNECTED, MATRIX_PRODUCT, Convolution

_PROGRAMS = Path(__file__).parent / "cycles"

AIE1 = load()


def cycles(text: str, machine: Machine = AIE1) -> Cycles:
    return estimate(read(text), machine)


def only_loop(text: str, machine: Machine = AIE1) -> LoopCycles:
    (loop,) = cycles(text, machine).loops
    return loop


def test_fully_connected_as_published() -> None:
    found = cycles(FULLY_CONNECTED)
    assert 32768 / found.total == pytest.approx(15.77, rel=0.01)
    assert found.loops[0].interval == 8
    assert found.loops[0].why == "accesses through w"


def test_matrix_product_as_published() -> None:
    assert cycles(MATRIX_PRODUCT).total == 71


def test_loads_of_one_pointer_pair_if_the_machine_lets_them() -> None:
    machine = AIE1.replace(addressing__same_pointer=False)
    assert only_loop(FULLY_CONNECTED, machine).interval == 4


def test_pointers_of_their_own_pair() -> None:
    text = FULLY_CONNECTED.replace(
        "  v16int16 z", "  int16_t *restrict odd = w + 16;\n  v16int16 z"
    )
    for far in (16, 48, 80, 112):
        text = text.replace(f"(w + 8 * k + {far})", f"(odd + 8 * k + {far - 16})")
    assert only_loop(text).interval == 4


# Table VI of the paper: the jam factors that its tuner found, out of those around them.
PUBLISHED = {(32, 3): 4, (32, 4): 2, (32, 5): 2, (32, 6): 1, (16, 2): 8, (16, 7): 1, (16, 8): 1}


def test_jam_factors_as_published() -> None:
    agreed = 0
    for (bits, size), published in PUBLISHED.items():
        factors = (1, 2, 4, 8) if size < 4 else (1, 2, 4) if size < 6 else (1, 2)
        best = min(factors, key=lambda j: cycles(Convolution(bits, size, j).text()).total)
        agreed += best == published
    assert agreed == len(PUBLISHED)


def test_image_rows_that_do_not_fit_are_loaded_again() -> None:
    by_outputs = Convolution(16, 5, 2, by_rows=False).text()
    rows = only_loop(Convolution(16, 5, 2).text())
    outputs = only_loop(by_outputs, AIE1.replace(loop__evictions=8))
    assert rows.reloads == 0 < outputs.reloads
    assert outputs.interval == rows.interval == 30
    assert outputs.spills == 0
    assert not only_loop(by_outputs).pipelined


def test_weights_that_do_not_fit_are_loaded_in_the_loop() -> None:
    assert only_loop(Convolution(32, 4).text()).reloads == 0
    assert only_loop(Convolution(32, 6).text()).reloads > 0


def test_more_sums_than_accumulators_are_spilled() -> None:
    lines = [
        "void many(int32_t *restrict in, int32_t *restrict w, int32_t *restrict out) {",
        "  v8int32 z = *(v8int32 *)w;",
        "  for (int i = 0; i < 64; i++) chess_prepare_for_pipelining {",
        "    v16int32 x = undef_v16int32();",
        "    x = upd_w(x, 0, *(v8int32 *)(in + 16 * i));",
        "    x = upd_w(x, 1, *(v8int32 *)(in + 16 * i + 8));",
    ]
    lines += [f"    v8acc80 s{k} = lmul8(x, {k}, 0x76543210, z, 0, 0);" for k in range(6)]
    lines += [
        f"    s{k} = lmac8(s{k}, x, {k}, 0x76543210, z, {t}, 0);" for t in (1, 2) for k in range(6)
    ]
    lines += [f"    *(v8int32 *)(out + 48 * i + {8 * k}) = srs(s{k}, 4);" for k in range(6)]
    loop = only_loop("\n".join([*lines, "  }", "}"]))
    assert loop.interval >= 18
    assert loop.spills > 0 or loop.interval > 18


def test_values_without_registers_are_said() -> None:
    """Operand X in the two registers that are operand Z: there is no place for both."""
    loop = only_loop(FULLY_CONNECTED, AIE1.replace(registers__x_operand=["xc"]))
    assert not loop.pipelined
    assert "no registers were found for all values" in loop.why
    assert "no registers" not in only_loop(FULLY_CONNECTED).why


def test_loops_too_large_are_not_pipelined() -> None:
    loop = only_loop(Convolution(32, 9).text())
    assert not loop.pipelined
    assert "operations, more than" in loop.why
    assert only_loop(Convolution(32, 9).text(), AIE1.replace(loop__operations=500)).pipelined


def test_loops_are_pipelined_where_the_text_asks_for_it() -> None:
    text = FULLY_CONNECTED.replace("chess_prepare_for_pipelining", "")
    loop = only_loop(text)
    assert not loop.pipelined
    assert "chess_prepare_for_pipelining" in loop.why
    assert loop.interval > 8 + 7


def test_a_sum_over_all_iterations_waits_for_itself() -> None:
    text = (_PROGRAMS / "sum_of_all.c").read_text()
    loop = only_loop(text)
    assert (loop.pipelined, loop.interval, loop.trips) == (True, 2, 31)


def test_banks_that_meet_make_the_core_wait() -> None:
    text = (_PROGRAMS / "banks_that_meet.c").read_text()
    machine = AIE1.replace(banks__stalls=True)
    for first, second, waits in ((512, 512, 2), (2048, 512, 1), (2048, 2048, 0)):
        found = only_loop(text.format(first=first, second=second), machine).waits
        assert waits - 0.25 < found <= waits, "less only while the pipeline fills"
    assert only_loop(text.format(first=512, second=512)).waits == 0


def test_work_ends_where_a_kernel_takes_too_long() -> None:
    """Also loops that are long, that are not pipelined, and that find no registers pipelined."""
    by_outputs = Convolution(16, 5, 2, by_rows=False).text()
    for text in (FULLY_CONNECTED, Convolution(32, 9).text(), by_outputs):
        total = cycles(text).total
        assert estimate(read(text), AIE1, below=total + 1).total == total
        with pytest.raises(NotBelow):
            estimate(read(text), AIE1, below=total // 2)


def test_code_grows_with_the_loop() -> None:
    small, large = (cycles(Convolution(32, size).text()).code_bytes for size in (2, 6))
    assert 100 < small < large < AIE1["program_memory"]


def test_unknown_iterations_are_asked_for() -> None:
    text = FULLY_CONNECTED.replace("*restrict out)", "*restrict out, int n)").replace("4096", "n")
    with pytest.raises(UnknownTrips):
        cycles(text)
    program = read(text)
    counted = estimate(program, AIE1, {0: 256.0, 1: 256.0})
    assert counted.loops[0].trips == 256


def test_every_number_has_a_status_and_a_source() -> None:
    with pytest.raises(MachineError, match="latency"):
        parse('[machine]\nname = "m"\n[latency]\nvalue = 3\nstatus = "documented"\n')
    assert {number.status for number in AIE1.numbers.values()} <= {
        "documented",
        "assumed",
        "fitted",
    }
    with pytest.raises(MachineError, match="no_such"):
        AIE1["no_such"]


def test_pointers_that_walk_through_loops_in_loops_have_banks() -> None:
    """What a loop moves on and the loop around it hands back is followed once."""
    text = (_PROGRAMS / "walking_pointers.c").read_text()
    beside = cycles(text.replace("0x100 ", "0x2000 "))
    assert cycles(text).total > beside.total
    assert beside.loops[0].waits == 0
