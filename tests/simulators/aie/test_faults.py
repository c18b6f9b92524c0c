"""What the machine or its compiler has no answer for is said, with its line."""

import numpy as np
import pytest

from s2s.simulators.aie.execute import KernelFault, execute
from s2s.simulators.aie.reading.read import Modes, read
from s2s.source.diagnostics import UserError

BEGIN = "void f(const int16_t *a, const int16_t *w, int16_t *b, int n) { // a[64] w[16] b[32]\n"
PICK = "0x03020100, 0x07060504, 0x2110, z, 0, 0, 0, 1)"


def run(body: str, n: int = 0) -> None:
    execute(read(BEGIN + body + "}", "k.c"), {"n": n})


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("*(v16int16 *)(b + 4) = *(v16int16 *)a;", "not aligned to 128 bits"),
        ("v16int16 x = *(v16int16 *)(a + 56);", ""),
        ("*(v16int16 *)b = *(v16int16 *)(a + 56);", "at 'a[56]', outside its 128 bytes"),
        ("b[-1] = 3;", "at 'b[-1]', outside its 64 bytes"),
        ("for (int i = 30; i < 34; i++) b[i] = a[i];", "at 'b[32]', outside its 64 bytes"),
        ("v16int16 x; *(v16int16 *)b = x;", "lanes that are undefined are stored"),
        ("int k; b[0] = k + 1;", "'k' is read before it is assigned"),
        ("v16acc48 s; *(v16int16 *)b = srs(s, n);", "an accumulator is read before"),
        ("b[0] = a[1] / n;", "'/' by 0"),
        ("while (n == 0) { b[0] = 1; }", "a loop that does not end"),
        ("aie::store_v(b, aie::shuffle_up(aie::load_v<16>(a), 1));", "undefined are stored"),
        ("b[0] = aie::reduce_add(aie::shuffle_down(aie::load_v<16>(a), 1));", "of lanes that are"),
        ("b[0] = float2fix(3.0f, 30 + n);", "a number of 'float2fix' does not fit 32 bits"),
        ("b[0] = fix2float(3, 32 + n);", "a point of 'fix2float' is not within"),
        ("b[n] = ext_elem(*(v16int16 *)a, 16 + n);", "lane 16 of 16"),
    ],
)  # fmt: skip
def test_faults(line: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("s2s.simulators.aie.execute.ENDLESS", 1000)
    if not text:
        run(line)  # what nothing uses is not executed
        return
    with pytest.raises(KernelFault, match=text.replace("[", r"\[").replace("]", r"\]")) as caught:
        run("\n" + line)
    assert caught.value.line == 3


def test_undefined_elements_are_faults_only_where_a_multiplier_takes_them() -> None:
    begin = "v32int16 x = undef_v32int16(); v16int16 z = *(v16int16 *)w;\n"
    begin += "x = upd_w(x, 0, *(v16int16 *)a);\n"
    run(begin + "*(v16int16 *)b = srs(mul16(x, 0, 0, 0, 0x1100, z, 0, 0, 0, 1), 0);")
    with pytest.raises(KernelFault, match="'mul16' takes element 16 of X, which is undefined"):
        run(begin + f"*(v16int16 *)b = srs(mul16(x, 0, {PICK}, 0);")


def test_memory_of_the_kernel_is_undefined_until_it_is_written() -> None:
    begin = "int16_t t[32]; for (int i = 0; i < 16; i++) t[i + n] = a[i];\n"
    run(begin + "*(v16int16 *)b = *(v16int16 *)t;")
    run(begin + "*(v16int16 *)b = ext_w(*(v32int16 *)t, 0); b[16] = t[15];")
    with pytest.raises(KernelFault, match="lanes that are undefined are stored"):
        run(begin + "*(v16int16 *)b = *(v16int16 *)t;", 1)
    with pytest.raises(KernelFault, match="read before it is assigned"):
        run(begin + "for (int i = 0; i < 2; i++) b[i] = t[i + 15] + 1;")
    run("static int16_t t[32]; const int16_t u[4] = {1}; b[0] = t[3] + u[2];")


def test_a_start_that_turns_out_odd() -> None:
    body = "v16int16 z = *(v16int16 *)w; v32int16 x = *(v32int16 *)a;\n"
    body += f"for (int i = 0; i < 4; i++) *(v16int16 *)b = srs(mul16(x, n * i, {PICK}, 0);"
    run(body, 2)
    with pytest.raises(KernelFault, match="a start of 1 in X: no multiple of 2"):
        run(body, 1)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("b[0] = mystery(3);", "'mystery' is no function of this file and no known intrinsic"),
        ("cfloat x;", "complex floats are not simulated"),
        ("goto end; end: ;", "'goto' is not understood in a kernel"),
        ("b[0] = y;", "'y' is not declared"),
        ("v32int16 x = upd_w(*(v32int16 *)a, 2, *(v16int16 *)a);", "has no part 2 of 256 bits"),
        ("v32int16 x = upd_w(*(v32int16 *)a, n, *(v16int16 *)a);", "has to be a constant"),
        ("v32int16 x = upd_v(*(v32int16 *)a, 1, *(v16int16 *)a);", "puts in 128 bits"),
        ("v32int16 x = *(v16int16 *)a;", "where 'v32int16' is needed"),
        ("mul16(*(v32int16 *)a, 1, " + PICK.replace("z", "*(v16int16 *)w") + ";",
         "a start of 1 in X: no multiple of 2"),
        ("mul16(*(v32int16 *)a, 0, 0, 0, 0x2114, *(v16int16 *)w, 0, 0, 0, 1);", "digit above 3"),
        ("mul16(*(v32int16 *)a, 0, n, 0, 0x2110, *(v16int16 *)w, 0, 0, 0, 1);",
         "offsets, steps and squares have to be constants"),
        ("mul16(*(v32int16 *)a, 0, 0, 0, 0x2110, *(v16int16 *)w, n, 0, 0, 1);",
         "the start in Z has to be a constant"),
        ("mul16(*(v32int16 *)a, 0, 0, 0, *(v16int16 *)w, 0, 0, 0, 1);", "takes 10 arguments"),
        ("mul16(*(v16int16 *)a, 0, 0, 0, 0x2110, *(v16int16 *)w, 0, 0, 0, 1);",
         "takes no 'v16int16' as X"),
        ("lmul8(*(v32int16 *)a, 0, 0, *(v16int16 *)w, 0, 0);", "is not simulated"),
        ("lmac8(null_v8acc48(), *(v16int32 *)a, 0, 0, *(v8int32 *)w, 0, 0);",
         "adds to a 'v8acc80', not 'v8acc48'"),
        ("*(v16int16 *)b = srs(null_v16acc48(), 63);", "not within -1 .. 62"),
        ("*(v16int8 *)b = bsrs(null_v8acc80(), 3);", "'bsrs' of a 'v8acc80' is not simulated"),
        ("if (n) set_sat();", "inside a loop or a branch"),
        ("b[0] = ;", "'b[0] = ;}' is not understood as C"),
        ("auto f = [&](int q) { return q; };", "a lambda is not understood ('[&](int q) {')"),
        ("auto [p, q] = pair(n);", "a structured binding is not understood"),
        ("for (int q : list) b[q] = 0;", "a loop over a range is not understood"),
        ("int *q = new int[4];", "memory from 'new' is not understood ('new')"),
        ("b[0] = twice<int>(n);", "a template is not understood ('twice<int>')"),
    ],
)  # fmt: skip
def test_refusals(line: str, text: str) -> None:
    with pytest.raises(UserError) as caught:
        read(BEGIN + "\n" + line + "}", "k.c")
    (diagnostic,) = caught.value.diagnostics
    assert text in diagnostic.text
    assert diagnostic.location is not None
    assert (diagnostic.location.path, diagnostic.location.line) == ("k.c", 3)


def test_a_preprocessor_error_has_its_place() -> None:
    with pytest.raises(UserError) as caught:
        read("int x;\n#error no such size\n", "k.c")
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.text == "#error no such size"
    assert diagnostic.location is not None and diagnostic.location.line == 2


def test_a_function_that_calls_itself() -> None:
    with pytest.raises(UserError, match="'f' calls itself"):
        read("void f(int *b) { f(b); }", "k.c", function="f")


ROUNDED = {
    "rnd_floor": [-2, -2, -1, -1, 0, 0, 1, 1],
    "rnd_ceil": [-2, -1, -1, 0, 0, 1, 1, 2],
    "rnd_pos_inf": [-2, -1, -1, 0, 0, 1, 1, 2],
    "rnd_neg_inf": [-2, -2, -1, -1, 0, 0, 1, 1],
    "rnd_sym_inf": [-2, -2, -1, -1, 0, 1, 1, 2],
    "rnd_sym_zero": [-2, -1, -1, 0, 0, 0, 1, 1],
    "rnd_conv_even": [-2, -2, -1, 0, 0, 0, 1, 2],
    "rnd_conv_odd": [-2, -1, -1, -1, 0, 1, 1, 1],
}


@pytest.mark.parametrize("mode", ROUNDED)
def test_halves_are_rounded(mode: str) -> None:
    """-4/2 .. 3/2, of 48 bits and of 80."""
    text = (
        "void f(int16_t *a, int32_t *c, int16_t *b, int32_t *d) {"
        "*(v8int16 *)b = srs(ups(*(v8int16 *)a, 0), 1);"
        "*(v8int32 *)d = srs(lups(*(v8int32 *)c, 0), 1); }"
    )
    program = read(text, "k.c", modes=Modes(mode))
    values = np.arange(-4, 4)
    found = execute(program, {"a": values, "c": values}).arrays
    assert found["b"].tolist() == ROUNDED[mode]
    assert found["d"].tolist() == ROUNDED[mode]


def test_sums_wrap_or_saturate() -> None:
    text = (
        "void f(int32_t *c, int32_t *d, int32_t *e) {"
        "v8acc80 s = lups(*(v8int32 *)c, 48); v16int32 x = concat(*(v8int32 *)c, *(v8int32 *)c);"
        "*(v8int32 *)d = srs(s, 47);"
        "set_sat(); *(v8int32 *)e = srs(s, 47); }"
    )
    values = np.array([1 << 30, -(1 << 31), -1, 5, 0, 7, (1 << 31) - 1, 1])
    found = execute(read(text, "k.c"), {"c": values}).arrays
    assert found["d"].tolist() == [-(1 << 31), 0, -2, 10, 0, 14, -2, 2]
    assert found["e"].tolist() == [(1 << 31) - 1, -(1 << 31), -2, 10, 0, 14, (1 << 31) - 1, 2]
