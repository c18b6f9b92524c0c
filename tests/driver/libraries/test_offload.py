"""``--offload blas,onednn``: what leaves is right, guarded, and says what it did."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from s2s.driver.offload.settings import OffloadOptions
from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from tests.driver.libraries.needs import needs_blas, needs_onednn
from tests.driver.libraries.test_random_programs import build, offload, output

_PROGRAMS = Path(__file__).parent / "offload"

HERE = Path(__file__).parent


@needs_blas
@needs_onednn
def test_windows_and_products_compute_the_same(tmp_path: Path) -> None:
    source = HERE / "windows.c"
    outcome = offload(source, "blas", "onednn")
    called = json.loads(dict(outcome.companions)["manifest.json"])["nests"]
    assert sum("dnnl_convolution" in nest["calls"] for nest in called) == 7
    made = build(tmp_path / "out", outcome)
    host = tmp_path / "host"
    subprocess.run(["gcc", "-O1", source, "-o", host, "-lm"], check=True)
    before, after = output(host).split(), output(made).split()
    assert len(before) == len(after)
    for one, other in zip(before, after, strict=True):
        assert float(other) == pytest.approx(float(one), rel=1e-4, abs=1e-3)


def test_without_libraries_the_own_text_runs(tmp_path: Path) -> None:
    outcome = offload(HERE / "windows.c", "blas", "onednn")
    folder = tmp_path / "out"
    folder.mkdir()
    for name, data in ((outcome.name, outcome.text), *outcome.companions):
        (folder / name).write_bytes(data)
    flags = ["-O1", "-Wall", "-Wextra", "-Werror", "-I", str(folder)]
    sources = [str(folder / "windows.c"), str(folder / "s2s_libraries.c")]
    command = ["gcc", *flags, *sources, "-lm", "-o", str(folder / "windows")]
    subprocess.run(command, check=True)
    host = tmp_path / "host"
    subprocess.run(["gcc", "-O1", HERE / "windows.c", "-o", host, "-lm"], check=True)
    assert output(folder / "windows") == output(host)


@needs_blas
@needs_onednn
@pytest.mark.parametrize("libraries", [("blas",), ("onednn", "blas")])
def test_infinite_weights_are_not_multiplied_with_borders(
    tmp_path: Path, libraries: tuple[str, ...]
) -> None:
    source = _PROGRAMS / "infinite.c"
    outcome = offload(source, *libraries)
    taken = [d.text for d in outcome.diagnostics if d.text.startswith("convolution: by")]
    assert len(taken) == 3
    made = build(tmp_path / "out", outcome)
    host = tmp_path / "host"
    subprocess.run(["gcc", "-O1", source, "-o", host, "-lm"], check=True)
    said = output(host)
    assert "inf" in said
    assert "nan" not in said
    assert output(made) == said


def _text(tmp_path: Path, body: str, *, force: bool = False) -> tuple[str, list[str]]:
    source = tmp_path / "one.c"
    source.write_text(body)
    options = Options(offload=OffloadOptions(("blas",)), force=force)
    outcome = transform_file(str(source), (), options)
    return outcome.text.decode(), [d.text for d in outcome.diagnostics]


_PRODUCT = """\
void {name}(int n, double *a, double *b, double *restrict c) {{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i * n + j] += a[i * n + k] * b[k * n + j];
}}
"""


def test_a_function_of_the_entrys_name_does_not_call_itself(tmp_path: Path) -> None:
    text, said = _text(tmp_path, _PRODUCT.format(name="cblas_dgemm"))
    assert "s2s_dgemm" not in text
    assert said[0].startswith("stays on the host: 'cblas_dgemm' would call itself")


def test_the_guard_asks_for_size_library_and_memory(tmp_path: Path) -> None:
    text, said = _text(tmp_path, _PRODUCT.format(name="product"))
    guard = text[text.index("if (") : text.index("{\n        s2s_dgemm")]
    assert "s2s_pays_blas(0.3 * n * n * n)" in guard
    assert "(double)n * n * n >= " in guard
    assert "restrict" in text
    assert "(const char *)" not in guard, "the restrict pointer is apart from the others"
    assert "by cblas_dgemm (sums of n terms in another order" in said[0]
    assert _PRODUCT.format(name="product").split("\n", 1)[1][:60] in text


def test_overlap_is_asked_for_where_pointers_may_meet(tmp_path: Path) -> None:
    text, _ = _text(tmp_path, _PRODUCT.format(name="product").replace("restrict ", ""))
    assert text.count("(const char *)") == 8


def test_known_sizes_below_the_threshold_stay(tmp_path: Path) -> None:
    body = "double a[4][4], b[4][4], c[4][4];\nvoid f(void) {\n"
    body += "for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) for (int k = 0; k < 4; k++)\n"
    body += "c[i][j] += a[i][k] * b[k][j]; }\n"
    text, said = _text(tmp_path, body)
    assert "cblas" not in text
    assert "too small: 64 of at least" in said[0]
    assert "cblas_dgemm" in _text(tmp_path, body, force=True)[0]


def test_vectors_of_integers_stay_on_the_host(tmp_path: Path) -> None:
    body = "int f(int n, const int *a, const int *b) {\n    int s = 0;\n"
    body += "    for (int i = 0; i < n; i++) s += a[i] * b[i];\n    return s;\n}\n"
    _, said = _text(tmp_path, body)
    assert "BLAS has no int32" in said[0]


def test_a_factor_that_may_be_zero_is_asked_for(tmp_path: Path) -> None:
    body = (_PROGRAMS / "factor.c").read_text()
    assert "beta != 0" in _text(tmp_path, body)[0]
    zero = body.replace("c[i][j] *= beta", "c[i][j] = 0")
    assert "beta != 0" not in _text(tmp_path, zero)[0]


@needs_blas
@pytest.mark.parametrize(
    ("name", "text", "times"), [("rows.c", b"s2s_row_step(", 3), ("lanes.c", b" s2s_sgemm(", 1)]
)
def test_what_is_asked_as_it_runs_keeps_results(
    tmp_path: Path, name: str, text: bytes, times: int
) -> None:
    source = HERE / name
    outcome = offload(source, "blas")
    assert outcome.text.count(text) == times
    made = build(tmp_path / "out", outcome)
    host = tmp_path / "host"
    subprocess.run(["gcc", "-O1", source, "-o", host], check=True)
    assert output(host) == output(made)


@needs_blas
@pytest.mark.parametrize(("name", "flags"), [("old.c", ["-std=c90", "-pedantic"]), ("old.cpp", [])])
def test_older_c_and_cxx(tmp_path: Path, name: str, flags: list[str]) -> None:
    source = tmp_path / name
    source.write_bytes((HERE / "old.c").read_bytes())
    options = Options(offload=OffloadOptions(("blas",)), force=True)
    outcome = transform_file(str(source), flags, options)
    calls = {call: outcome.text.count(f" s2s_{call}(".encode()) for call in ("dgemm", "dgemv")}
    assert calls == {"dgemm": 2, "dgemv": 1}
    folder = tmp_path / "out"
    folder.mkdir()
    for one, data in ((outcome.name, outcome.text), *outcome.companions):
        (folder / one).write_bytes(data)
    subprocess.run(["make", "-s", "-C", folder, "CFLAGS=-O1 -Wall -Werror"], check=True)
    subprocess.run(["gcc", "-O1", HERE / "old.c", "-o", tmp_path / "host"], check=True)
    assert output(folder / "old") == output(tmp_path / "host")


@needs_blas
def test_devices_first_then_libraries(tmp_path: Path) -> None:
    source = HERE.parent / "offload" / "three_devices.c"
    text = source.read_text() + _PRODUCT.format(name="product")
    both = tmp_path / "both.c"
    both.write_text(text)
    options = Options(offload=OffloadOptions(("davinci", "blas")), force=True)
    outcome = transform_file(str(both), (), options)
    assert b"s2s_dgemm" in outcome.text
    assert b"on davinci" in outcome.text
    folder = tmp_path / "out"
    for name, data in ((outcome.name, outcome.text), *outcome.companions):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    subprocess.run(["make", "-s", "-C", folder, "CFLAGS=-O1 -w"], check=True)
    subprocess.run(["gcc", "-O1", "-w", both, "-o", tmp_path / "host", "-lm"], check=True)
    assert output(tmp_path / "host") == output(folder / "both")


def test_explain_says_of_each_nest_who_got_it_and_how_much_that_is() -> None:
    source = HERE.parents[1] / "analyses" / "operators" / "layouts.c"
    options = Options(offload=OffloadOptions(("blas", "onednn")), explain=True)
    lines = transform_file(str(source), (), options).explanation.splitlines()
    assert lines[-1].endswith("23 of 23 operations that multiply and accumulate are on libraries")
    pool = next(line for line in lines if ": largest: " in line)
    assert "-> host because its maximum does not begin with the lowest number" in pool
    assert "layouts.c:8-15: accumulate_rows: matmul -> cblas_sgemm" in lines[0]


@needs_blas
@pytest.mark.parametrize("parallel", [False, True])
def test_the_rest_is_transformed_for_the_host(tmp_path: Path, parallel: bool) -> None:
    source = HERE / "rest.c"
    chosen = OffloadOptions(("blas",), rest=not parallel)
    outcome = transform_file(str(source), (), Options(offload=chosen, parallel=parallel))
    text = outcome.text.decode()
    assert text.count("s2s_pays_blas(8100000.0)") == 1
    assert "/* s2s: cblas_dgemm */" in text
    assert "/* s2s: interchanged loops to (i, j, t)" in text
    assert ("#pragma omp parallel for" in text) == parallel
    assert dict(outcome.companions)["Makefile"].endswith(b"CFLAGS += -fopenmp\n") == parallel
    made = build(tmp_path / "out", outcome)
    host = tmp_path / "host"
    subprocess.run(["gcc", "-O1", source, "-o", host, "-lm"], check=True)
    assert output(made) == output(host)


@needs_blas
def test_a_library_is_loaded_where_that_pays(tmp_path: Path) -> None:
    source = HERE / "often.c"
    outcome = offload(source, "blas", force=False)
    made = build(tmp_path / "out", outcome)
    assert b"-DS2S_BLAS_FILE" in dict(outcome.companions)["Makefile"]
    for times, loaded in (("3", "0"), ("4000", "1")):
        done = subprocess.run([made, times], capture_output=True, text=True, check=True)
        assert done.stdout.split() == [loaded, "64"]


_ASKED = re.compile(r"s2s_pays_(\w+)\((.*)\)+(?: &&| {)\n")


def test_libraries_of_one_region_pay_together() -> None:
    text = offload(_PROGRAMS / "both.c", "onednn", "blas", force=False).text.decode()
    (one, saved), (other, same) = _ASKED.findall(text)
    assert (one, other) == ("onednn", "blas")
    assert saved.rstrip(")") == same.rstrip(")") == "1.0 * 36864.0 * m + 0.7 * 500.0 * m"
    assert "if (36864.0 * m >= 600000.0 &&" in text  # what a long call gains decides
    text = offload(_PROGRAMS / "layer.c", "blas", "onednn", force=False).text.decode()
    ((asked, saved),) = _ASKED.findall(text)  # tanhf without oneDNN is the C library's
    assert (asked, saved.rstrip(")")) == ("blas", "0.7 * m * n")


@needs_blas
def test_functions_of_elements_do_without_onednn(tmp_path: Path) -> None:
    outcome = offload(_PROGRAMS / "layer.c", "blas", "onednn", force=False)
    for name, data in ((outcome.name, outcome.text), *outcome.companions):
        (tmp_path / name).write_bytes(data)
    (tmp_path / "main.c").write_text((_PROGRAMS / "layer_main.c").read_text())
    (tmp_path / "counted.c").write_text(
        "#include <cblas.h>\n#include <stdio.h>\nstatic int calls;\n"
        "void counted(enum CBLAS_ORDER o, enum CBLAS_TRANSPOSE t, int m, int n, float alpha,"
        " const float *a, int lda, const float *x, int incx, float beta, float *y, int incy) {\n"
        "    calls++;\n    cblas_sgemv(o, t, m, n, alpha, a, lda, x, incx, beta, y, incy);\n}\n"
        '__attribute__((destructor)) static void said(void) { printf("%d\\n", calls); }\n'
    )
    runtime = ["-Dcblas_sgemv=counted", "-DS2S_WITH_BLAS", "-c", "s2s_libraries.c"]
    subprocess.run(["gcc", "-O1", *runtime], cwd=tmp_path, check=True)
    ours = ["main.c", "layer.c", "counted.c", "s2s_libraries.o", "-lopenblas", "-lm", "-o", "ours"]
    subprocess.run(["gcc", "-O1", *ours], cwd=tmp_path, check=True)
    own = ["main.c", str(_PROGRAMS / "layer.c"), "-lm", "-o", "own"]
    subprocess.run(["gcc", "-O1", *own], cwd=tmp_path, check=True)
    *values, calls = output(tmp_path / "ours").split()
    assert int(calls) == 15  # of 16; none of no rows
    wanted = [float(word) for word in output(tmp_path / "own").split()]
    assert [float(word) for word in values] == pytest.approx(wanted, abs=2e-5)


@needs_blas
def test_sums_with_a_factor_of_their_row_are_products_and_then_scaled(tmp_path: Path) -> None:
    source = _PROGRAMS / "scaled.c"
    outcome = offload(source, "blas")
    calls = re.findall(r"/\* s2s: (\w+)", outcome.text.decode())
    assert calls == ["cblas_dgemv", "cblas_dgemv", "cblas_dgemm"]
    made = build(tmp_path / "out", outcome)
    host = tmp_path / "host"
    subprocess.run(["gcc", "-O1", source, "-o", host, "-lm"], check=True)
    assert output(made) == output(host)


_WHILES = (_PROGRAMS / "layers_by_while.c").read_text()


@needs_blas
def test_loops_by_while_and_functions_of_own_headers(tmp_path: Path) -> None:
    source = tmp_path / "whiles.c"
    source.write_text(_WHILES)
    clipped = "static inline double clipped(double v) { if (v < 0) return v / 4; return v; }\n"
    (tmp_path / "act.h").write_text(clipped)
    outcome = offload(source, "blas")
    calls = re.findall(r"/\* s2s: (\w+)", outcome.text.decode())
    assert calls == ["cblas_dgemv", "cblas_ddot", "cblas_dgemv"]
    assert "the value of 'k' is used after the loop" in " ".join(
        d.text for d in outcome.diagnostics
    )
    made = build(tmp_path / "out", outcome)
    host = tmp_path / "host"
    subprocess.run(["gcc", "-O1", source, "-o", host, "-lm"], check=True)
    assert output(made) == output(host)


_WALKING = """\
typedef double (*act)(const void *, double);
struct net {{ int in, out; act f; double *w; double y[64]; }};
static double lookup[4], seen;
static double twice(const void *net, double a) {{ return a < 0 ? lookup[0] : 2 * a; }}
static double counts(const void *net, double a) {{ seen += a; return a; }}
{more}
double *run(struct net *l, const double *x) {{
    double *w = l->w, *y = l->y;
    for (int j = 0; j < l->out; ++j) {{
        double sum = *w++ * -1.0;
        for (int k = 0; k < l->in; ++k)
            sum += *w++ * x[k];
        *y++ = l->f(l, sum);
    }}
    lookup[1] = twice(l, counts(l, seen));
    return w;
}}
"""


def test_pointers_walk_on_and_pointed_functions_are_asked_for(tmp_path: Path) -> None:
    text, said = _text(tmp_path, _WALKING.format(more=""), force=True)
    assert "s2s_dgemv(0, (long)(l->out), (long)(l->in), 1.0, ((const double *)w) + 1," in text
    assert "(l->f == twice)" in text
    assert "w += ((1L + (long)l->in) * (long)l->out);" in text
    assert any(line.startswith("matvec, elementwise: by cblas_dgemv") for line in said)


def test_functions_that_see_memory_of_others_are_not_called_later(tmp_path: Path) -> None:
    text, _ = _text(tmp_path, _WALKING.format(more="double *leak = lookup;"), force=True)
    assert "twice)" not in text
    assert "s2s_dgemv" not in text


_OPTIONAL = (_PROGRAMS / "optional.c").read_text()


def test_what_a_null_pointer_leads_to_is_left_out(tmp_path: Path) -> None:
    text, _ = _text(tmp_path, _OPTIONAL, force=True)
    assert text.index("if (db) {") < text.index("s2s_stotals(1, ") < text.index("s2s_sgemm")


_MACROS = (_PROGRAMS / "macros.c").read_text()


def test_what_macros_do_beside_a_nest_is_kept(tmp_path: Path) -> None:
    text, said = _text(tmp_path, _MACROS, force=True)
    assert "stays on the host: its text comes from a macro [matvec]" in said
    assert text.count("s2s_dgemv(") == 1
    assert text.index("    w = 2;\n    /* s2s: cblas_dgemv */") < text.index("s2s_dgemv(")
