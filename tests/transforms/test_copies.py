"""Arrays that exchange roles: what is left alone, what changes, and equal results."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from tests.thorough import THOROUGH, count
from tests.transforms.exchanging import ROWS, compared


def _loop(*parts: str, head: str = "for (int t = 0; t < steps; t++)") -> str:
    lines = "\n        ".join(parts)
    return f"    {head} {{\n        {lines}\n    }}"


_B = "for (int i = 1; i < n - 1; i++) b_[i] = 0.25 * a_[i - 1] + 0.5 * a_[i] + 0.25 * a_[i + 1];"
_BACK = "for (int i = 1; i < n - 1; i++) a_[i] = b_[i];"
_B2 = """for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] = 0.2 * (a[i][j] + a[i-1][j] + a[i+1][j] + a[i][j-1] + a[i][j+1]);"""
_BACK2 = """for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i][j] = b[i][j];"""
_PARALLEL = "\n#pragma omp parallel for\n"

CHANGED = {
    "1-D": _loop(_B, _BACK),
    "2-D": f"{ROWS}\n{_loop(_B2, _BACK2)}",
    "pointers to whole arrays": (
        "T (*u)[n][m] = (T (*)[n][m])a_, (*v)[n][m] = (T (*)[n][m])b_;\n"
        + _loop(
            _BACK2.replace("a[", "(*u)[").replace("b[", "(*v)["),
            _B2.replace("a[", "(*u)[").replace("b[", "(*v)["),
        )
    ),
    "copy first": _loop(_BACK, _B),
    "2-D, copy first": f"{ROWS}\n{_loop(_BACK2, _B2)}",
    "flat": _loop(
        """for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b_[i * m + j] = a_[i * m + j] + 0.5 * a_[(i - 1) * m + j] - a_[i * m + j + 1];""",
        """for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a_[i * m + j] = b_[i * m + j];""",
    ),
    "time is named": _loop(
        "for (int i = 1; i < n - 1; i++) b_[i] = a_[i - 1] + t * a_[i + 1];", _BACK,
        head="for (int t = 3; t <= steps; t++)",
    ),
    "time counts down": _loop(
        "for (int i = 1; i < n - 1; i++) b_[i] = a_[i - 1] + t * a_[i + 1];", _BACK,
        head="for (int t = steps - 1; t >= 0; t--)",
    ),
    "rows count down": _loop(
        "for (int i = n - 2; i >= 1; i--) b_[i] = 0.5 * (a_[i - 1] + a_[i + 1]);", _BACK
    ),
    "a residual of both": _loop(
        _B, "T s = 0;", "for (int i = 1; i < n - 1; i++) s += (a_[i] - b_[i]) * (a_[i] - b_[i]);",
        "c_[t] = s;", _BACK,
    ),
    "more is set than copied": _loop(
        "for (int i = 0; i < n - 1; i++) b_[i] = a_[i] + 0.5 * a_[i + 1];", _BACK
    ),
    "a boundary of the copied array": _loop(_B, "a_[0] = t;", "a_[n - 1] = a_[1];", _BACK),
    "the new array's own boundary": _loop(_B, "b_[0] = b_[1] + t;", _BACK),
    "a branch at the boundary": _loop(
        _BACK.replace("1; i < n - 1", "0; i < n"),
        """for (int i = 0; i < n; i++)
            if (i == 0 || i == n - 1) b_[i] = c_[i];
            else b_[i] = 0.5 * (a_[i - 1] + a_[i + 1]);""",
    ),
    "two statements": _loop(
        "for (int i = 1; i < n - 1; i++) { c_[i] = a_[i + 1] - a_[i]; b_[i] = a_[i] + c_[i]; }",
        _BACK,
    ),
    "two pairs": "T *d_ = c_ + 1000, *e_ = c_ + 2000;\n" + _loop(
        "for (int i = 1; i < n - 1; i++) b_[i] = 0.5 * a_[i - 1] + 0.25 * c_[i + 1];",
        "for (int i = 2; i < n; i++) d_[i] = 0.5 * c_[i - 1] - 0.25 * b_[i - 1];",
        _BACK, "for (int i = 2; i < n; i++) c_[i] = d_[i];",
    ),
    "three arrays in turn": _loop(
        "for (int i = 1; i < n - 1; i++) b_[i] = 0.5 * (a_[i - 1] + a_[i + 1]) - c_[i];",
        "for (int i = 1; i < n - 1; i++) c_[i] = a_[i];", _BACK,
    ),
    "a copy in two parts": _loop(
        _B, "for (int i = 1; i < n - 9; i++) a_[i] = b_[i];",
        "for (int i = n - 9; i < n - 1; i++) if (i > 0) a_[i] = b_[i];",
    ),
    "neighbours that are set already": _loop(
        _B.replace("0.25 * a_[i - 1]", "0.25 * b_[i - 1]").replace("1;", "2;", 1),
        _BACK.replace("1;", "2;", 1),
    ),
    "parentheses": _loop(_B, "for (int i = 1; i < n - 1; i += 1) (a_[i]) = (b_[i]);"),
}  # fmt: skip

PARALLEL = {
    "in parallel": _loop(_PARALLEL + _B, _PARALLEL + _BACK),
    "within a parallel region": "\n#pragma omp parallel\n" + _loop(
        "\n#pragma omp for\n" + _B, "\n#pragma omp for\n" + _BACK
    ),
    "2-D in parallel": f"{ROWS}\n{_loop(_PARALLEL + _B2, _PARALLEL + _BACK2)}",
}  # fmt: skip

SAME = {
    "not all that is copied is set": (
        _loop(_B.replace("n - 1", "n - 2", 1), _BACK), "not all of what is copied",
    ),
    "the new array is read first": (
        _loop(_B.replace("0.5 * a_[i]", "0.5 * b_[i]"), _BACK), "read before it is set",
    ),
    "neighbours in the new array": (
        _loop(_B.replace("0.25 * a_[i + 1]", "0.25 * b_[i + 1]"), _BACK), "read before it is set",
    ),
    "a condition on data": (
        _loop("for (int i = 1; i < n - 1; i++) if (c_[i] > 0) b_[i] = a_[i - 1];", _BACK),
        "not all of what is copied",
    ),
    "shifted": (_loop(_B, "for (int i = 1; i < n - 2; i++) a_[i] = b_[i + 1];"), "no copy"),
    "scaled": (_loop(_B, "for (int i = 1; i < n - 1; i++) a_[i] = 2 * b_[i];"), "no copy"),
    "negated": (_loop(_B, "for (int i = 1; i < n - 1; i++) a_[i] = -b_[i];"), "no copy"),
    "converted": (
        _loop(_B, "for (int i = 1; i < n - 1; i++) a_[i] = (float)b_[i];"), "no copy",
    ),
    "other types": (
        "float *f = (float *)b_;\n"
        + _loop(_B.replace("b_", "f"), "for (int i = 1; i < n - 1; i++) a_[i] = f[i];"),
        "no copy",
    ),
    "a part that grows": (
        _loop(_B, "for (int i = 1; i < n - 1 && i <= t; i++) a_[i] = b_[i];"), "different elements",
    ),
    "left early": (
        _loop(_B, "T s = 0;", "for (int i = 1; i < n - 1; i++) s += a_[i] - b_[i];", _BACK,
              "if (s < 1) break;"),
        "",
    ),
    "volatile": (
        "volatile T *v = b_;\n" + _loop(_B.replace("b_", "v"), _BACK.replace("b_", "v")),
        "volatile",
    ),
    "in the middle": (_loop(_B, _BACK, "a_[0] = a_[1] + t;"), "in the middle"),
    "a call in between": (
        _loop(_B, "look(a_, n);", _BACK), "",
    ),
    "steps of two": (
        _loop(_B, _BACK, head="for (int t = 0; t < steps; t += 2)"), "leaves out iterations",
    ),
    "copied only sometimes": (
        _loop(_B, "if (t > 2)\n" + _BACK), "different elements",
    ),
    "indirect": (
        _loop(_B, "for (int i = 1; i < n - 1; i++) c_[i] = a_[(int)b_[i] & 7];", _BACK), "",
    ),
    "hidden in a macro": (
        _loop("for (int i = 1; i < n - 1; i++) b_[i] = AT(i - 1) + AT(i + 1);", _BACK),
        "not spelled plainly",
    ),
}  # fmt: skip
_BEFORE = """#define AT(i) a_[i]
static T sink;
static __attribute__((noinline)) void look(T *p, int n) { if (n > 3) sink += p[2], p[1] += 1; }
"""


@pytest.mark.parametrize("kind", ["double", "int"])
def test_roles_are_exchanged(tmp_path: Path, kind: str) -> None:
    first = ("double", "int").index(kind)
    chosen = dict(CHANGED if THOROUGH else [*CHANGED.items()][first::2])
    found = compared(tmp_path, chosen, kind=kind, before=_BEFORE)
    assert found.different == frozenset()
    assert found.changed == set(chosen), {
        name: found.remarks[name] for name in chosen if name not in found.changed
    }
    for name in chosen:
        assert any("exchange roles" in text for text in found.remarks[name]), name


def test_threads_share_both_halves(tmp_path: Path) -> None:
    found = compared(tmp_path, PARALLEL, threads=3)
    assert found.different == frozenset()
    assert found.changed == set(PARALLEL)
    assert found.outcome.text.count(b"#pragma omp parallel for") > 3 * len(PARALLEL)


def test_near_misses_stay(tmp_path: Path) -> None:
    found = compared(tmp_path, {n: text for n, (text, _) in SAME.items()}, before=_BEFORE)
    assert found.changed == frozenset()
    for name, (_, reason) in SAME.items():
        assert not reason or any(reason in text for text in found.remarks[name]), (
            name, found.remarks[name],
        )  # fmt: skip


class _Random:
    """Random loops over time with a copy; most of them can be changed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def function(self) -> str:
        pick = self.random
        low, high = pick.randint(1, 3), pick.randint(1, 3)
        inner_low, inner_high = pick.choice([(low, high), (low - 1, high), (low + 1, high)])
        plane = pick.random() < 0.4
        copy, step = (self._plane if plane else self._row)((low, high), (inner_low, inner_high))
        parts = [step]
        if pick.random() < 0.3:
            parts.append(f"a_[{pick.randint(0, 2)}] = 0.5 * a_[{pick.randint(0, 20)}] + t;")
        if pick.random() < 0.3 and not plane:
            parts.append("for (int i = 3; i < n - 3; i++) c_[i + t] = a_[i] - 2 * b_[i];")
        parts.insert(pick.choice([0, len(parts)]), copy)
        head = pick.choice(
            ["for (int t = 0; t < steps; t++)", "for (int t = steps; t > 0; t--)",
             "for (long t = 2; t <= steps; ++t)"]
        )  # fmt: skip
        return f"{ROWS if plane else ''}\n{_loop(*parts, head=head)}"

    def _row(self, copied: tuple[int, int], set_: tuple[int, int]) -> tuple[str, str]:
        head = "for (int i = {}; i < n - {}; i++) "
        offsets = [self.random.randint(-1, 1) for _ in range(self.random.randint(1, 4))]
        value = " + ".join(f"0.5 * a_[i + {o}]" for o in offsets)
        step = head.format(*set_) + f"b_[i] = {value};"
        return head.format(*copied) + "a_[i] = b_[i];", step.replace("+ -", "- ")

    def _plane(self, copied: tuple[int, int], set_: tuple[int, int]) -> tuple[str, str]:
        head = "for (int i = {0}; i < n - {1}; i++) for (int j = {0}; j < m - {1}; j++) "
        offsets = [
            (self.random.randint(-1, 1), self.random.randint(-1, 1))
            for _ in range(self.random.randint(1, 3))
        ]
        value = " + ".join(f"0.25 * a[i + {p}][j + {q}]" for p, q in offsets)
        step = head.format(*set_) + f"b[i][j] = {value};"
        return head.format(*copied) + "a[i][j] = b[i][j];", step.replace("+ -", "- ")


def test_random_loops(tmp_path: Path) -> None:
    seed = int(os.environ.get("S2S_SEED", "1"))
    few = count("S2S_COPIES", 3, 40)
    functions = {f"random {seed} {i}": _Random(seed * 1000 + i).function() for i in range(few)}
    found = compared(tmp_path, functions)
    assert found.different == frozenset(), "\n".join(functions[n] for n in sorted(found.different))
    assert len(found.changed) >= few // 3
