"""Local arrays that are filled and copied: what is left alone, what changes, and equal results."""

from __future__ import annotations

from pathlib import Path

from s2s.driver.options import Options
from tests.programs import read_body
from tests.transforms.exchanging import ROWS, compared

_PROGRAMS = Path(__file__).parent / "forward"

_FILL = "for (int i = 1; i < n - 1; i++) t[i] = 0.25 * a_[i - 1] + 0.5 * a_[i + 1];"
_COPY = "for (int i = 1; i < n - 1; i++) b_[i] = t[i];"
_LOCAL = "T t[4096];"
_HEAP = "T *t = malloc((n + 1) * sizeof *t);\nif (!t) return;"


def _body(*parts: str) -> str:
    return "    " + "\n    ".join(parts)


CHANGED = {
    "local": _body(_LOCAL, _FILL, _COPY),
    "variable length": _body("T t[n + 1];", _FILL, _COPY),
    "allocated": _body(_HEAP, _FILL, _COPY, "free(t);"),
    "set to zero at first": _body("T t[4096] = {0};", _FILL, _COPY),
    "more is set than copied": _body(
        _LOCAL, "for (int i = 0; i < n; i++) t[i] = a_[i] - 2 * c_[i];", _COPY
    ),
    "several statements": _body(
        _LOCAL, _FILL, "for (int i = 1; i < n - 1; i++) t[i] += a_[i] * c_[i];",
        "for (int i = 2; i < n - 1; i++) t[i] -= 0.5 * t[i - 1];", _COPY,
    ),
    "another array in between": _body(
        _LOCAL, _FILL, "for (int i = 1; i < n - 1; i++) c_[i] = 2 * a_[i] - t[i];", _COPY
    ),
    "rows": _body(
        ROWS, _LOCAL,
        read_body(_PROGRAMS / "rows.c"),
    ),
    "rows, declared inside": _body(
        ROWS,
        read_body(_PROGRAMS / "rows_inside.c"),
    ),
    "flat rows": _body(
        _LOCAL,
        read_body(_PROGRAMS / "flat_rows.c"),
    ),
    "planes": _body(
        ROWS, "T t[64][64], (*d)[64] = (T (*)[64])c_;",
        "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) t[i][j] = a[i][j] + 1;",
        """for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)
            t[i][j] = 0.5 * t[i][j] - (j > 0 ? t[i][j - 1] : 0);""",
        "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) d[i][j] = t[i][j];",
    ),
    "down": _body(
        _LOCAL, "for (int i = n - 2; i > 0; i--) t[i] = a_[i + 1];",
        "for (int i = n - 2; i > 0; i--) b_[i] = t[i];",
    ),
    "again and again": _body(
        _LOCAL, f"for (int k = 0; k < steps; k++) {{\n {_FILL} {_COPY}\n a_[k] += b_[2 * k]; }}"
    ),
}  # fmt: skip

SAME = {
    "read behind": (_body(_LOCAL, _FILL, _COPY, "c_[0] = t[2];"), ""),
    "read in the next iteration": (
        _body("T t[4096] = {0};",
              "for (int k = 0; k < steps; k++) {",
              "for (int i = 1; i < n - 1; i++) t[i] = 0.5 * t[i] + a_[i];", _COPY, "}"),
        "read before it is set",
    ),
    "neighbours that are not set yet": (
        _body("T t[4096] = {0};",
              "for (int i = 1; i < n - 1; i++) t[i] = 0.5 * t[i + 1] + a_[i];", _COPY),
        "read before it is set",
    ),
    "passed on": (_body(_LOCAL, _FILL, _COPY, "look(t, n);"), ""),
    "its address is kept": (_body(_LOCAL, "T *p = t;", _FILL, _COPY, "c_[1] = p[1];"), ""),
    "a parameter": (
        _body(_FILL.replace("t[", "c_["), _COPY.replace("t[", "c_[")), "",
    ),
    "static": (_body("static T t[4096];", _FILL, _COPY), ""),
    "not all is set": (
        _body("T t[4096] = {0};", _FILL.replace("n - 1", "n - 3"), _COPY),
        "not all of what is copied",
    ),
    "on a condition": (
        _body("T t[4096] = {0};", _FILL.replace("t[i] =", "if (a_[i] > 0) t[i] ="), _COPY),
        "not all of what is copied",
    ),
    "the target is read": (
        _body(_LOCAL, _FILL.replace("a_[i + 1]", "b_[i + 1]"), _COPY),
        "used before it is copied to",
    ),
    "the target is set": (
        _body(_LOCAL, _FILL, "for (int i = 1; i < n - 1; i++) b_[i] = i;", _COPY),
        "used before it is copied to",
    ),
    "shifted": (
        _body(_LOCAL, _FILL, "for (int i = 1; i < n - 1; i++) b_[i - 1] = t[i];"),
        "other subscripts",
    ),
    "backwards": (
        _body(_LOCAL, _FILL, "for (int i = 1; i < n - 1; i++) b_[n - 1 - i] = t[i];"),
        "other subscripts",
    ),
    "another type": (
        _body("float t[4096];", _FILL, _COPY), "",
    ),
    "converted": (
        _body(_LOCAL, _FILL, "for (int i = 1; i < n - 1; i++) b_[i] = (float)t[i];"), "",
    ),
    "a sum in a register": (
        _body(_LOCAL, "for (int i = 1; i < n - 1; i++) t[i] = 0;",
              "for (int i = 1; i < n - 1; i++) for (int k = 0; k < 9; k++) t[i] += a_[i + k];",
              _COPY),
        "may be in a register",
    ),
    "volatile": (_body("volatile T t[4096];", _FILL, _COPY), ""),
    "left early": (
        _body(_LOCAL, "for (int i = 1; i < n - 1; i++) { t[i] = a_[i]; if (t[i] > 60) return; }",
              _COPY),
        "",
    ),
    "in parallel": (_body(_LOCAL, "\n#pragma omp parallel for\n" + _FILL, _COPY), ""),
}  # fmt: skip
_BEFORE = (
    "static T sink;\nstatic __attribute__((noinline)) void look(T *p, int n) { sink += p[n]; }\n"
)


def _few(*names: str) -> dict[str, str]:
    return {name: CHANGED[name] for name in names}


def test_the_target_is_filled(tmp_path: Path) -> None:
    for kind, chosen in (("double", CHANGED), ("int", _few("local", "rows", "flat rows"))):
        found = compared(tmp_path, chosen, kind=kind, before=_BEFORE, passes=("forward",))
        assert found.different == frozenset()
        assert found.changed == set(chosen), {
            name: found.remarks[name] for name in chosen if name not in found.changed
        }
        for name in chosen:
            assert any("is filled in place of 't'" in text for text in found.remarks[name]), name


def test_near_misses_stay(tmp_path: Path) -> None:
    texts = {name: text for name, (text, _) in SAME.items()}
    found = compared(tmp_path, texts, before=_BEFORE, passes=("forward",))
    assert found.changed == frozenset()
    for name, (_, reason) in SAME.items():
        assert not reason or any(reason in text for text in found.remarks[name]), (
            name, found.remarks[name],
        )  # fmt: skip


def test_with_all_passes(tmp_path: Path) -> None:
    chosen = _few("local", "several statements", "rows", "again and again")
    found = compared(tmp_path, chosen, before=_BEFORE, passes=Options().passes)
    assert found.different == frozenset()
    filled = {n for n, said in found.remarks.items() if any("is filled" in s for s in said)}
    assert {"local", "rows"} <= filled
