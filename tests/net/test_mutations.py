"""One wrong step after the last proof, in the text of each pass: nothing of it leaves."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from s2s.driver.options import Options
from s2s.net import Mismatch
from tests.net.mutants import Wrong, caught, checked, transformed

_PROGRAMS = Path(__file__).parent / "mutations"

_FORWARD = (_PROGRAMS / "forward.c").read_text()
_COPIES = (_PROGRAMS / "copies.c").read_text()
_CHAINS = (_PROGRAMS / "chains.c").read_text()
_RENAMED = (_PROGRAMS / "renamed.c").read_text()
_PERMUTED = (_PROGRAMS / "permuted.c").read_text()
_TILED = (_PROGRAMS / "tiled.c").read_text()
_STRIPS = (_PROGRAMS / "strips.c").read_text()
_SHIFTS = (_PROGRAMS / "shifts.c").read_text()
_BALANCE = (_PROGRAMS / "balance.c").read_text()
_MEMBERS = (_PROGRAMS / "members.c").read_text()
_STAGES = (_PROGRAMS / "stages.c").read_text()
_GRAPH = (_PROGRAMS / "graph.c").read_text()

MUTANTS: dict[str, tuple[str, str, str, list[Wrong]]] = {
    "forward": ("forward", _FORWARD, "-O3", [
        ("i < n - 1; i++) {", "i < n - 2; i++) {"),
        ("i = 1; i < n - 1; i++) {\n", "i = 2; i < n - 1; i++) {\n"),
        ("i++) {\n", "i += 2) {\n"),
        ("0.25 * a[i - 1]", "0.25 * a[i]"),
        ("b[i] = 0.25", "b[i + 1] = 0.25"),
        ("b[i] = 0.25 * a[i - 1] + 0.5 * a[i + 1];\n", ";\n"),
        ("0.5 * a[i + 1];\n", "0.5 - a[i + 1];\n"),
    ]),
    "strips of vectors": ("forward", _FORWARD, "-O2", [
        ("int s2s_i_at = 1;", "int s2s_i_at = 2;"),
        ("s2s_i_at >= 16; s2s_i_at", "s2s_i_at >= 15; s2s_i_at"),
        ("s2s_i_at += 16)", "s2s_i_at += 17)"),
        ("int s2s_i_lane = 0;", "int s2s_i_lane = 1;"),
        ("s2s_i_lane < 16;", "s2s_i_lane < 15;"),
        ("s2s_i_at + s2s_i_lane;", "s2s_i_at;"),
        ("int i = s2s_i_at; i < n - 1;", "int i = s2s_i_at; i < n - 2;"),
    ]),
    "copies": ("copies", _COPIES, "-O3", [
        ("s2s_t += 2", "s2s_t += 1"),
        ("s2s_t < steps - 2", "s2s_t < steps - 1"),
        ("i = 2; i < n - 2", "i = 2; i < n - 3"),
        ("a[i] = 0.3 * (b[i - 1]", "a[i] = 0.3 * (a[i - 1]"),
        ("const int i = n - 2;", "const int i = n - 3;"),
        ("(long)steps % 2 + steps - 2", "steps - 2"),
        ("a[i] = b[i];\n", ";\n"),
        ("a[i] = 0.3 * (b[i - 1] + b[i] + a[i + 1]);", ";"),
    ]),
    "chains": ("chains", _CHAINS, "-O2", [
        ("s2s_j <= m + 4", "s2s_j < m + 4"),
        ("const int j = (int)(s2s_j - 4 * s2s_i_tile - 2);",
         "const int j = (int)(s2s_j - 4 * s2s_i_tile - 1);"),
        ("const int i = (int)(4 * s2s_i_tile + 3);", "const int i = (int)(4 * s2s_i_tile + 2);"),
        ("j = (int)(m + 4 * s2s_i_tile - i + 1", "j = (int)(m + 4 * s2s_i_tile - i + 2"),
        ("s2s_i_tile < ((long)n + 2) / 4", "s2s_i_tile < ((long)n + 1) / 4"),
        ("s2s_i_tile++", "s2s_i_tile += 2"),
        ("s2s_i_tile - 1);\n                            A[i][j] = A[i][j - 1] * 0.5",
         "s2s_i_tile - 1);\n                            A[i][j] = A[i][j] * 0.5"),
    ]),
    "polysimd": ("polysimd", _RENAMED, "-O2", [
        ("s2s_a_S2_1 = a[i + 1];\n", "s2s_a_S2_1 = a[i];\n"),
        ("s2s_a_S2_1 = a[i + 1];\n                a[i] = b[i] + c[i];",
         "a[i] = b[i] + c[i];\n                s2s_a_S2_1 = a[i + 1] - 1;"),
        ("(a[i] + s2s_a_S2_1)", "(s2s_a_S2_1 + s2s_a_S2_1)"),
        ("i++) {\n", "i += 2) {\n"),
        ("i < n; i++) {\n", "i < n - 1; i++) {\n"),
        ("s2s_a_S2_1) * c[i]", "s2s_a_S2_1) * c[i + 1]"),
        ("s2s_a_S2_1;\n", "s2s_a_S2_1 = 0; if (0)\n"),
        ("a[i] = b[i] + c[i];\n", ";\n"),
    ]),
    "members": ("members", _MEMBERS, "-O3", [
        ("s2s_from_stride = from->stride;", "s2s_from_stride = to->stride;"),
        ("s2s_to_stride = to->stride;", "s2s_to_stride = from->width;"),
        ("s2s_from_height = from->height;", "s2s_from_height = from->height - 1;"),
        ("s2s_from_width = from->width;", "s2s_from_width = to->width;"),
        ("s2s_from_pixels = from->pixels;", "s2s_from_pixels = to->pixels;"),
        ("s2s_to_pixels = to->pixels;", "s2s_to_pixels = to->pixels + 1;"),
        ("x = 1; x < s2s_from_width - 1", "x = 1; x < s2s_from_width - 2"),
    ]),
    "permute": ("permute", _PERMUTED, "-O3", [
        ("double x = A[i][j] * 2;", "double x = A[i][j] + 2;"),
        ("B[i][j] = x + A[i][j];\n", "B[i][j] = x + A[i][j + 1];\n"),
        ("j < m; j++) {\n", "j < m - 1; j++) {\n"),
        ("i < n; i++) {\n", "i <= n; i++) {\n"),
        ("j++) {\n", "j += 2) {\n"),
        ("i = 0; i < n; i++) {\n", "i = 1; i < n; i++) {\n"),
    ]),
    "popp": ("popp", _TILED, "-fopenmp", [
        ("w = 0.25 * (a[i - 1][1]", "w = 0.25 * (a[i + 1][1]"),
        ("b[i][j] = w + a[i - 1][j]", "b[i][j] = w + a[i][j]"),
        ("a[i][j] = b[i][j];", "a[i][j] = b[i][j - 1];"),
        ("const int i = (int)(s2s_i - 2L * t - 1);", "const int i = (int)(s2s_i - 2L * t - 2);"),
        ("j < n - 1; j++) b[i][j] = w", "j < n - 2; j++) b[i][j] = w"),
        ("s2s_i <= s2s_i_end", "s2s_i < s2s_i_end"),
        ("w = 0.25 * (a[i - 1][1] + a[i + 1][1]);", ""),
    ]),
    "strips": ("idioms", _STRIPS, "-O2", [
        ("i += 64;", "i += 65;"),
        ("m = u[i]; at = i;", "m = u[i];"),
        ("u[i] > m) != 0", "u[i] > m + 2) != 0"),
        ("{ m = u[i]; at = i; }", "{ m = u[i]; at = n; }"),
        ("int i = 1;", "int i = 2;"),
        ("s2s_l = 0;", "s2s_l = 1;"),
        ("int i = s2s_i_at + s2s_l;", "int i = s2s_i_at;"),
        ("if (u[i] > m) { m", "if (u[i] >= m) { m"),
    ]),
    "shifts": ("idioms", _SHIFTS, "-O2", [
        ("b[i - 1];", "b[i];"),
        ("s2s_n < 1", "s2s_n < 0"),
        ("int i = 0;", "int i = 1;"),
        ("(b[i] + s2s_t) * .5", "(b[i] - s2s_t) * .5"),
        ("i < n; i++) {\n", "i < n - 1; i++) {\n"),
        ("a[i] = (b[i] + s2s_t) * .5;", ""),
        ("s2s_n++, i++", "s2s_n++"),
    ]),
    "stages": ("collect-hits", _STAGES, "-O2", [
        ("s2s_listed += s2s_picked[s2s_l];", "s2s_listed += 1;"),
        ("s2s_picked[s2s_l] = (r < 8.0);", "s2s_picked[s2s_l] = (r < 7.0);"),
        ("s2s_a_of[s2s_h] = s2s_a_all[s2s_i_list[s2s_h] - s2s_at];",
         "s2s_a_of[s2s_h] = s2s_a_all[s2s_h - s2s_before];"),
        ("double t = s2s_t_of[s2s_h];", "double t = s2s_t_of[0];"),
        ("s2s_t_of[s2s_h] = t;", "s2s_t_of[s2s_h] = r;"),
        ("double h = s2s_h_of[s2s_h];", "double h = s2s_t_of[s2s_h];"),
        ("const int s2s_before = s2s_listed;", "const int s2s_before = s2s_listed + 1;"),
        ("+ g;\n            }\n            if", "- g;\n            }\n            if"),
        ("i += s2s_some;", "i += s2s_some + 1;"),
        ("s2s_h < s2s_listed; s2s_h++) {\n", "s2s_h < s2s_listed - 1; s2s_h++) {\n"),
    ]),
    "balance": ("balance", _BALANCE, "-fopenmp", [
        ("schedule(dynamic, n > 0 ? n / 256 + 1 : 1)", "schedule(dynamic, n / 256)"),
        ("schedule(dynamic,", "nowait schedule(dynamic,"),
        ("schedule(dynamic, n > 0 ? n / 256 + 1 : 1)", "firstprivate(u)"),
        ("schedule(dynamic, n > 0 ? n / 256 + 1 : 1)", "collapse(2)"),
        ("n / 256 + 1 : 1", "n / 256 + 1 : 0"),
        (" schedule", " simd schedule"),
        (" schedule", "\n schedule"),
    ]),
    "unrolled": ("balance idioms", _BALANCE, "-fopenmp", [
        ("#pragma GCC unroll 8\n", "#pragma GCC ivdep\n"),
        ("#pragma GCC unroll 8\n", "#pragma omp simd\n"),
        ("#pragma GCC unroll 8\n", "#pragma GCC unroll 0\n"),
        ("#pragma GCC unroll 8\n", "#pragma GCC unroll 8 "),
        ("#pragma GCC unroll 8\n", "#pragma GCC unroll 8\nk++;\n"),
        ("#pragma GCC unroll 8\n", "#pragma GCC unroll 99999\n"),
        ("#pragma GCC unroll 8\n", "if (0)\n"),
        ("#pragma GCC unroll 8\n", "//"),
    ]),
    "fused": ("graph:flip=no", _GRAPH, "-O2", [
        ("c[v] = b[v] + 1", "c[v] = b[v] - 1"),
        ("e < back[v + 1]", "e <= back[v + 1]"),
        ("e = back[v]", "e = back[v] + 1"),
        ("a[from[e]] * bw[e]", "a[from[v]] * bw[e]"),
        ("b[v] += ", "b[v] = "),
        ("v < n; v++", "v < n - 1; v++"),
        ("c[v] = b[v] + 1;", ";"),
    ]),
    "flipped": ("graph:machine=emu", _GRAPH, "-O2", [
        ("b[nbr[e]] += a[v] * w[e];", "b[v] += a[nbr[e]] * w[e];"),
        ("e < off[v + 1]", "e < off[v]"),
        ("off[v]; e", "off[v] + 1; e"),
        ("a[v] * w[e]", "a[v] * bw[e]"),
        ("v < n; v++) {", "v < n - 1; v++) {"),
        ("a[v] * w[e]", "a[nbr[e]] * w[e]"),
        ("b[nbr[e]] +=", "b[nbr[e]] -="),
    ]),
}  # fmt: skip


def _write(tmp_path: Path, name: str) -> tuple[Path, Options, list[str]]:
    passes, text, flag, _ = MUTANTS[name]
    path = tmp_path / "file.c"
    path.write_text(text)
    return path, Options(passes=tuple(passes.split())), [flag]


@pytest.mark.parametrize("name", MUTANTS)
def test_wrong_text_does_not_leave(tmp_path: Path, name: str) -> None:
    done, asked = checked(*_write(tmp_path, name))
    assert done.changed
    assert not any("internal" in d.text for d in done.diagnostics)
    assert all(v.compared or not v.why for net, _ in asked for _, v in net.verdicts)
    survived = [wrong for wrong in MUTANTS[name][3] if not caught(asked, wrong)]
    assert not survived
    assert len(MUTANTS[name][3]) >= 6


def test_the_file_keeps_its_text_with_a_remark(tmp_path: Path) -> None:
    path, options, flags = _write(tmp_path, "strips")
    done = transformed(path, ("i += 64;", "i += 65;"), options, flags)
    assert not done.changed
    (said,) = done.diagnostics
    assert said.text.startswith("internal error: ")
    assert said.text.endswith("; left as it was")


def test_strict_ends(tmp_path: Path) -> None:
    path, options, flags = _write(tmp_path, "strips")
    with pytest.raises(Mismatch):
        transformed(path, ("i += 64;", "i += 65;"), replace(options, strict=True), flags)


def test_nothing_is_executed_where_that_is_switched_off(tmp_path: Path) -> None:
    path, options, flags = _write(tmp_path, "strips")
    wrong = ("i += 64;", "i += 65;")
    assert transformed(path, wrong, replace(options, check=False), flags).changed
    assert not checked(path, replace(options, check=False), flags)[1]
