"""What code outside of pipelined loops costs: each rule with a program of its own."""

from pathlib import Path

import numpy as np
import pytest

from s2s.simulators.aie.execute import execute
from s2s.simulators.aie.program import Branch, Loop, items
from s2s.simulators.aie.reading.read import read
from s2s.simulators.aie.timing.cycles import LoopCycles
from s2s.simulators.aie.timing.estimate import estimate
from s2s.simulators.aie.timing.machine import Machine, load
from s2s.simulators.aie.timing.unroll import unrolled
from tests.simulators.aie.hand_written import JUMPING, KERNELS, inputs

_HERE = Path(__file__).parent

AIE1 = load()
PICK = "0, 0x03020100, 0x07060504, 0x2110, z"


def total(text: str, machine: Machine = AIE1) -> int:
    return estimate(read(text), machine).total


def loop_of(text: str) -> LoopCycles:
    (found,) = estimate(read(text), AIE1).loops
    return found


def kernel(body: str, restrict: str = "restrict", local: str = "restrict") -> str:
    """A kernel with a vector of weights and a pointer into the image and the output."""
    return f"""
void k(int16_t *{restrict} in, int16_t *{restrict} w, int16_t *{restrict} out) {{
  v16int16 z = *(v16int16 *)w;
  v16int16 *{local} p = (v16int16 *)in;
  v16int16 *{local} o = (v16int16 *)out;
  v32int16 x = null_v32int16();
{body}
}}"""


def test_a_call_is_a_branch_and_its_delay_slots() -> None:
    assert total("void one(int32_t *p) { p[2] = 5; }") == 6
    assert total("void two(int32_t *p) { p[2] = 5; p[7] = 6; }") == 6
    many = " ".join(f"p[{i}] = {i};" for i in range(12))
    assert 12 <= total(f"void many(int32_t *p) {{ {many} }}") <= 14


def test_a_loop_of_one_trip_is_no_loop() -> None:
    work = f"x = upd_w(x, 0, *p); p++; *o = srs(mul16(x, {PICK}, 0, 0, 0, 1), 4); o++;"
    plain = kernel(work)
    assert total(kernel(f"for (int c = 0; c < 1; c++) {{ {work} }}")) == total(plain)
    assert total(kernel(f"int c = 3; do {{ {work} c++; }} while (c < 4);")) == total(plain)
    assert total(
        kernel(f"for (int c = 0; c < 2; c++) chess_prepare_for_pipelining {{ {work} }}")
    ) > (total(plain))


def test_short_constant_loops_are_unrolled() -> None:
    looped = "v16acc48 a = null_v16acc48(); for (int c = 0; c < {0}; c++) {{ {1} }} *o = srs(a, 4);"
    inner = "x = upd_w(x, 0, p[c]); a = mac16(a, x, " + PICK + ", 0, 0, 0, 1);"
    written = "".join(inner.replace("p[c]", f"p[{c}]") for c in range(4))
    by_hand = f"v16acc48 a = null_v16acc48(); {written} *o = srs(a, 4);"
    assert total(kernel(looped.format(4, inner))) == total(kernel(by_hand))
    assert not estimate(read(kernel(looped.format(12, inner))), AIE1).loops
    assert estimate(read(kernel(looped.format(17, inner))), AIE1).loops
    asked = looped.replace("c++) {{", "c++) chess_prepare_for_pipelining {{")
    assert estimate(read(kernel(asked.format(4, inner))), AIE1).loops


def test_what_is_around_an_unrolled_loop_is_pipelined() -> None:
    text = kernel(f"""
  for (int i = 0; i < 32; i++) chess_prepare_for_pipelining {{
    v16acc48 a = null_v16acc48();
    for (int c = 0; c < 4; c++) {{ x = upd_w(x, 0, *p); p++; a = mac16(a, x, {PICK}, 0, 0, 0, 1); }}
    *o = srs(a, 4); o++;
  }}""")
    assert loop_of(text).pipelined
    assert loop_of(text).interval < 16


def test_a_branch_that_only_chooses_numbers_is_none() -> None:
    around = "for (int i = 0; i < 100; i++) {{ int far = 16; {} w[far * i + 64] = i; }}"
    chosen = total(kernel(around.format("if (i == 7) far = 32; else far = 64;")))
    stored = total(kernel(around.format("if (i == 7) w[3] = 32; else far = 64;")))
    assert stored - chosen >= 100 * AIE1.number("loop.branch")


def test_a_product_by_registers_waits_for_little_but_its_multiplications() -> None:
    """Sums that a pipelined loop and the code around it share: 8 x 4 + 8 products a turn."""

    def products(number: int) -> str:
        return "".join(
            f"a{s} = lmac8(a{s}, x, {8 * (t % 2)}, 0x76543210, z, {t}, 0);"
            + (f"x = upd_w(x, {1 - t % 2}, *p); p++;" if s else "")
            for t in range(number)
            for s in (0, 1)
        )

    text = f"""
void k(int32_t *restrict in, int32_t *restrict w, int32_t *restrict s, int32_t *restrict out) {{
  v8int32 *restrict p = (v8int32 *)in;
  v8int32 *restrict q = (v8int32 *)s;
  v8int32 *restrict o = (v8int32 *)out;
  v8int32 z = *(v8int32 *)w;
  v16int32 x = undef_v16int32();
  x = upd_w(x, 0, *p); p++;
  x = upd_w(x, 1, *p); p++;
  for (int k = 0; k < 50; k++) {{
    v8acc80 a0 = lups(*q, 0); q++;
    v8acc80 a1 = lups(*q, 0); q++;
    for (int j = 0; j < 4; j++) chess_prepare_for_pipelining {{ {products(4)} }}
    {products(4)}
    *o = srs(a0, 2); o++;
    *o = srs(a1, 2); o++;
  }}
}}"""
    assert 40 + 6 < total(text) / 50 < 40 + 20
    waiting = AIE1.replace(loop__setup=26)
    assert 18 <= (total(text, waiting) - total(text)) / 50 <= 20


def test_loops_of_graphs_kernels_are_pipelined_unasked() -> None:
    """Numbers one by one: two loads that only one port takes; vectors use both."""
    head = "input_window_int32 *restrict a, input_window_int32 *restrict b"
    one = "int p = window_readincr(a); int q = window_readincr(b); window_writeincr(c, p - q);"
    loop = f"for (int i = 0; i < 96; i++) {{ {one} }}"
    text = f"void k({head}, output_window_int32 *restrict c) {{ {loop} }}"
    assert loop_of(text).pipelined and loop_of(text).interval == 2
    pointers = text.replace("input_window_int32", "int32_t").replace(
        "output_window_int32", "int32_t"
    )
    pointers = pointers.replace("window_readincr(a)", "*a++").replace("window_readincr(b)", "*b++")
    assert not loop_of(pointers.replace("window_writeincr(c, p - q)", "*c++ = p - q")).pipelined
    vectors = one.replace("int ", "v8int32 ").replace("incr(a)", "incr_v8(a)")
    vectors = text.replace(one, vectors.replace("incr(b)", "incr_v8(b)"))
    assert loop_of(vectors).interval == 1


def test_loads_do_not_pass_stores_that_may_meet_them() -> None:
    body = f"""
  for (int i = 0; i < 64; i++) chess_prepare_for_pipelining {{
    x = upd_w(x, 0, *p); p++;
    *o = srs(mul16(x, {PICK}, 0, 0, 0, 1), 4); o++;
  }}"""
    fast = loop_of(kernel(body)).interval
    assert loop_of(kernel(body, "", "restrict")).interval == fast
    assert loop_of(kernel(body, "restrict", "")).interval == fast
    assert loop_of(kernel(body, "", "")).interval >= 7 + 5
    windows = kernel(body, "", "").replace("int16_t * in", "input_window_int16 * a")
    windows = windows.replace("int16_t * out", "output_window_int16 * b")
    windows = windows.replace("(v16int16 *)in", "(v16int16 *)a->ptr")
    windows = windows.replace("(v16int16 *)out", "(v16int16 *)b->ptr")
    assert loop_of(windows).interval == fast, "windows are buffers of their own"


def test_weights_stay_in_the_loop_where_a_store_may_change_them() -> None:
    body = f"""
  for (int i = 0; i < 64; i++) chess_prepare_for_pipelining {{
    x = upd_w(x, 0, *p); p++;
    z = *(v16int16 *)w;
    *o = srs(mul16(x, {PICK}, 0, 0, 0, 1), 4); o++;
  }}"""
    assert loop_of(kernel(body)).operations + 1 == loop_of(kernel(body, "", "")).operations


@pytest.mark.parametrize(("different", "fits"), [(1, True), (6, True), (28, False)])
def test_configurations_need_registers(different: int, fits: bool) -> None:
    calls = "".join(
        f"a = mac16(a, d, 0, {0x03020100 + 0x1000 * (t % different):#x}, 0x07060504, 0x2110, z, "
        f"{t % 16}, 0, {0x10000 * (t % different):#x}, 1);"
        for t in range(28)
    )
    text = kernel(f"""
  for (int i = 0; i < 64; i++) chess_prepare_for_pipelining {{
    v32int16 d = undef_v32int16();
    d = upd_w(d, 0, p[0]); d = upd_w(d, 1, p[1]); p++;
    v16acc48 a = null_v16acc48();
    {calls}
    *o = srs(a, 4); o++;
  }}""")
    assert (loop_of(text).operations < 40) == fits
    assert (loop_of(text).interval <= 31) == fits


@pytest.mark.parametrize("name", KERNELS)
def test_unrolled_programs_compute_the_same(name: str) -> None:
    text = KERNELS[name][0].replace("chess_prepare_for_pipelining", "")
    program, values = read(text, f"{name}.cc"), inputs(name, 3)
    for machine in (AIE1, AIE1.replace(loop__unrolled=1000, loop__operations=100000)):
        found = execute(unrolled(program, machine), values).arrays["b"]
        np.testing.assert_array_equal(found, execute(program, values).arrays["b"])


def test_branches_and_nests_compute_the_same_when_unrolled() -> None:
    text = (_HERE / "branches_and_nests.c").read_text()
    program = read(text)
    values = {"a": np.array([3, -5, 11, 7], np.int32)}
    short = unrolled(program, AIE1)
    left, before = (
        sum(isinstance(i, Loop | Branch) for i in items(p.body)) for p in (short, program)
    )
    assert left < before
    found = [execute(one, values).arrays["b"].ravel()[:12] for one in (short, program)]
    np.testing.assert_array_equal(found[0], found[1])
    assert found[0][0] != 0


# A select reads both of its values, and one of this program's is not assigned on one side.
@pytest.mark.parametrize("name", [name for name in JUMPING if name != "a return out of a loop"])
def test_jumping_programs_compute_the_same_when_unrolled(name: str) -> None:
    program = read(JUMPING[name], "k.cc", function="k")
    random = np.random.default_rng(5)
    bits = 16 if "const int16_t *restrict a" in JUMPING[name] else 32
    values = {key: random.integers(-2000, 2000, 512).astype(f"int{bits}") for key in "aw"}
    short = unrolled(program, AIE1.replace(loop__unrolled=64, loop__operations=9999))
    found = [execute(one, values).arrays["b"] for one in (short, program)]
    np.testing.assert_array_equal(found[0], found[1])


def test_a_nest_of_short_loops_is_straight_code() -> None:
    frame = """
void k(input_window_float *in, output_window_float *out) {{
  for (int w = 0; w < 12; w++) {{
    float most = -1e30f;
    {0}
    window_incr(in, 3);
    window_writeincr(out, most);
  }}
}}"""
    one = "float a = window_readincr(in); most = most < a ? a : most;"
    nest = f"for (int p = 0; p < 2; p++) for (int q = 0; q < 3; q++) {{ {one} }}"
    assert total(frame.format(nest)) == total(frame.format(f"{{ {one} }}" * 6))
    assert total(frame.format(f"for (int p = 0; p < 60; p++) {{ {one} }}")) > 12 * 60


@pytest.mark.parametrize("pointers", [False, True])
def test_a_short_loop_gives_way_to_one_around_it_that_is_pipelined(*, pointers: bool) -> None:
    inner = "s = fpmac(s, *p, 0, 0x76543210, *w, 0, 0); p++;"
    parameters = ("float *restrict {0}" if pointers else "{1}put_window_float *{0}").format
    frame = f"""
void k({parameters("in", "in")}, {parameters("out", "out")}, float *restrict weights) {{{{
  v8float *restrict p = (v8float *){"in" if pointers else "in->ptr"};
  v8float *restrict w = (v8float *)weights;
  for (int x = 0; x < 10; x++) {{{{
    v8float s = null_v8float();
    {{}}
    {"*(v8float *)out = s; out += 8;" if pointers else "window_writeincr(out, s);"}
  }}}}
}}}}"""
    pipelined = f"for (int c = 0; c < 3; c++) chess_prepare_for_pipelining {{ {inner} }}"
    short, written = total(frame.format(pipelined)), total(frame.format(inner * 3))
    assert short > written if pointers else short == written


STREAMS = """
void k(input_stream_float *restrict a, input_stream_float *restrict b,
       output_stream_float *restrict c) {{
  for (int i = 0; i < {0}; i++) {{ {1} }}
}}"""


def test_a_stream_moves_a_word_each_cycle() -> None:
    copied = total(STREAMS.format(100, "put_wms(0, getf_wss(0));"))
    assert 400 <= copied <= 400 + 40
    twice = total(STREAMS.format(100, "float x = get_ss(0); put_ms(0, x); put_ms(0, x);"))
    assert 200 <= twice <= 200 + 40
    straight = total(STREAMS.format(1, "put_wms(0, getf_wss(0));" * 6))
    assert 24 - 4 < straight <= 24 + 30


def test_words_asked_for_come_every_fourth_cycle() -> None:
    """Of all streams together; whole vectors come as fast as the streams bring them."""
    one = total(STREAMS.format(100, "writeincr(c, readincr(a));"))
    assert 400 <= one <= 400 + 40
    both = total(STREAMS.format(100, "writeincr(c, readincr(a) + readincr(b));"))
    assert 800 <= both <= 800 + 40
    vectors = total(STREAMS.format(100, "writeincr(c, readincr_v4(a));"))
    assert 400 <= vectors <= 400 + 40


def test_single_floats_are_chosen_in_the_vector_unit() -> None:
    frame = """
void k(input_window_float *in, output_window_float *out) {{
  for (int w = 0; w < 100; w++) {{
    float a = window_readincr(in), b = window_readincr(in);
    window_writeincr(out, {0});
  }}
}}"""
    chosen = total(frame.format("a < b ? (b < 2.5f ? b : 2.5f) : a"))
    assert 400 <= chosen <= 400 + 50
    assert 200 <= total(frame.format("a + b")) <= 200 + 40


def test_calls_of_the_library_run_one_after_the_other() -> None:
    frame = """
void k(input_window_float *in, output_window_float *out) {{
  for (int w = 0; w < 100; w++) {{
    float a = window_readincr(in);
    window_writeincr(out, {0});
  }}
}}"""
    (each,) = estimate(read(frame.format("round(a)")), AIE1).loops
    assert each.interval == 116 and each.why == "calls of the library"
    (both,) = estimate(read(frame.format("floor(a) + round(3 * a)")), AIE1).loops
    assert both.interval == 2 * 116
    assert 240_000 <= total(frame.format("expf(a)")) <= 240_000 + 2_500
    assert total(frame.format("sqrt(a)")) < 1000
