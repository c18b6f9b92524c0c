"""Elements carried in locals: which ones are found, what stays, and that results are the same."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from s2s.scop.nodes import Scop
from s2s.transforms.assume import assume_disjoint
from s2s.transforms.errors import NotApplicable
from s2s.transforms.rotate import Rotate
from tests.lifting import analysed, scop_of
from tests.soundness.harness import check

_PARAMETERS = "int n, int m, double *x, double *y, double *z, long *k, double a[n][m]"


def _function(loops: str) -> str:
    return f"void f({_PARAMETERS})\n{{\n{loops}\n}}\n"


def _apart(loops: str) -> Scop:
    scop = scop_of(_function(loops))
    try:
        return assume_disjoint(scop)
    except NotApplicable:
        return scop


def _chains(loops: str) -> set[tuple[str, str, int]]:
    """Spelled generators and readers with their distances, along the only loop's dimension."""
    text = _function(loops)
    scop = Rotate().run(_apart(loops), analysed(_apart(loops)).pruned).scop
    assert scop.target is not None

    def spelled(statement: str, access: int) -> str:
        span = scop.statement(statement).accesses[access].span
        return text[span.start : span.end]

    return {
        (spelled(r.statement, r.access), spelled(reader.statement, reader.access), reader.distance)
        for r in scop.target.rotated
        for reader in r.readers
    }


_COUPLED = """
    for (int i = 1; i < n; i++) {
        x[i] = 0.5 * x[i - 1] + z[i];
        y[i] = 0.25 * y[i - 1] + x[i];
    }"""
_FAR = """
    for (int i = 3; i < n; i++) {
        x[i] = 0.5 * x[i - 3] + 0.25 * x[i - 1];
        y[i] = y[i - 2] + x[i - 1];
    }"""
_UPDATES = """
    for (int i = 2; i < n; i++) {
        x[i] += 0.5 * x[i - 1] * x[i - 1] / (1.0 + x[i - 2]);
        y[i] *= 0.25;
        y[i] += y[i - 1];
    }"""
_ROWS = """
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            a[i][j] = 0.25 * (a[i][j - 1] + a[i - 1][j] + a[i - 1][j - 1]);
            x[j] = a[i][j] + 0.5 * x[j - 1];
        }"""
_MIXED = """
    long kept = 3;
    for (long i = 1; i < n; i++) {
        const double t = x[i - 1] * 0.5;
        k[i] = (k[i - 1] + kept) % 1009;
        if (t > 1.0) y[i] = t;
        x[i] = t > 2.0 ? 2.0 : t + z[i];
    }"""
_DOWN = """
    for (int i = n - 2; i >= 0; i--) {
        x[i] = 0.5 * x[i + 1] + z[i];
        y[i] = y[i + 1] - x[i + 1];
    }"""
_STEP = """
    for (int i = 2; i < n; i += 2) {
        x[i] = 0.5 * x[i - 2] + z[i];
        y[i] = y[i - 2] + x[i];
    }"""
_SCALAR_INDEX = """
    for (int i = 1; i < n; i++) {
        int at = i - 1;
        x[at + 1] = 0.5 * x[at] + z[at];
        y[i] = y[at] + x[at];
    }"""

_TWICE = """
    for (int i = 1; i < n; i++) {
        double t = z[i];
        if (t > 0.5) y[i] = t;
        t = t + x[i - 1] * x[i - 1];
        x[i] = t / (2.0 + t);
        y[i] += y[i - 1];
    }"""

_TAKEN = {
    "coupled": _COUPLED, "far": _FAR, "updates": _UPDATES, "rows": _ROWS, "mixed": _MIXED,
    "down": _DOWN, "scalar index": _SCALAR_INDEX, "twice": _TWICE,
}  # fmt: skip


def test_elements_are_carried_from_writes_to_reads() -> None:
    assert _chains(_COUPLED) == {("x[i]", "x[i - 1]", 1), ("y[i]", "y[i - 1]", 1)}
    assert _chains(_FAR) == {
        ("x[i]", "x[i - 3]", 3), ("x[i]", "x[i - 1]", 1), ("y[i]", "y[i - 2]", 2),
    }  # fmt: skip


def test_what_a_row_above_has_is_carried_too() -> None:
    assert ("a[i - 1][j]", "a[i - 1][j - 1]", 1) in _chains(_ROWS)


@pytest.mark.parametrize(
    ("loops", "reason"),
    [
        # The compiler finds these: no other store may be to the same memory.
        ("for (int i = 1; i < n; i++) x[i] = x[i - 1] + z[i];", "compilers see"),
        ("for (int i = 1; i < n; i++) { y[i] = z[i]; x[i] = 2.0 * z[i]; }", "no element"),
        # Read in front of being written: nothing waits.
        ("for (int i = 1; i < n; i++) { x[i - 1] = x[i]; y[i] = x[i - 1]; }", "no element"),
        # The distance is not constant, or no element is sure to be written.
        ("for (int i = 1; i < n; i++) { x[2 * i] = x[i]; y[i] = 1.0; }", "no element"),
        ("for (int i = 1; i < n; i++) { if (z[i] > 0.5) x[i] = x[i - 1]; y[i] = 1.0; }",
         "no element"),
        # Too far away for locals.
        ("for (int i = 9; i < n; i++) { x[i] = x[i - 9]; y[i] = 1.0; }", "no element"),
        # Another statement writes the element in between.
        ("for (int i = 2; i < n; i++) { x[i] = x[i - 1]; x[n - i] = z[i]; y[i] = 1.0; }",
         "no element"),
    ],
)  # fmt: skip
def test_what_is_left_alone(loops: str, reason: str) -> None:
    scop = _apart(loops)
    with pytest.raises(NotApplicable, match=reason):
        Rotate().run(scop, analysed(scop).pruned)


def test_arrays_that_may_overlap_carry_nothing() -> None:
    scop = scop_of(_function(_COUPLED))
    with pytest.raises(NotApplicable, match="no element"):
        Rotate().run(scop, analysed(scop).pruned)


def test_the_last_write_of_an_element_is_the_one_carried() -> None:
    loops = """
    for (int i = 2; i < n; i++) {
        x[i] = 2.0 * x[i - 2];
        x[i - 1] = z[i];
        y[i] = x[i - 1];
    }"""
    assert _chains(loops) == {("x[i - 1]", "x[i - 2]", 1)}


def test_several_references_to_what_is_written_carry_nothing() -> None:
    """The local would have the value of one of them."""
    loops = """
    for (int i = 1; i < n; i++) {
        double t = z[i];
        if (t > 0.5) x[i] = t;
        y[i] = t;
        x[i] = y[i] + x[i - 1];
    }"""
    scop = _apart(loops)
    with pytest.raises(NotApplicable, match="no element"):
        Rotate().run(scop, analysed(scop).pruned)


_MAIN = r"""
#include <stdio.h>
#include <stdlib.h>
static void show(const char *name, const void *p, unsigned long size)
{
    unsigned long hash = 1469598103934665603UL;
    for (unsigned long i = 0; i < size; i++)
        hash = (hash ^ ((const unsigned char *)p)[i]) * 1099511628211UL;
    printf("%s %016lx\n", name, hash);
}
int main(void)
{
    static const int sizes[][2] = {
        {0, 0}, {1, 1}, {2, 3}, {3, 2}, {4, 5}, {5, 17}, {18, 4}, {40, 33}
    };
    static double data[4096], a[2048];
    static long k[512];
    for (int s = 0; s < 8; s++)
        for (int overlap = 0; overlap < 3; overlap++) {
            int n = sizes[s][0], m = sizes[s][1];
            for (int i = 0; i < 4096; i++) data[i] = (i * 37 + 11) % 64 / 32.0;
            for (int i = 0; i < 2048; i++) a[i] = (i * 29 + 3) % 64 / 64.0;
            for (int i = 0; i < 512; i++) k[i] = i % 7;
            /* apart; y in the middle of x; z the next element of x */
            double *x = data + 16, *y = data + (overlap == 1 ? 20 : 1040);
            double *z = data + (overlap == 2 ? 17 : 2064);
            CALLS
            show("data", data, sizeof data);
            show("a", a, sizeof a);
            show("k", k, sizeof k);
        }
    return 0;
}
"""


def _program(functions: list[str]) -> str:
    calls = "\n".join(
        f"f{i}(n, m, x, y, z, k + 16, (double (*)[m])a);" for i in range(len(functions))
    )
    named = [f.replace("void f(", f"void f{i}(") for i, f in enumerate(functions)]
    calls = f"if (n > 0 && m > 0) {{ {calls} }}"
    return "\n".join(named) + _MAIN.replace("CALLS", calls)


@pytest.mark.parametrize("name", [*_TAKEN, "step"])
def test_the_new_code_does_the_same(tmp_path: Path, name: str) -> None:
    text = _program([_function({**_TAKEN, "step": _STEP}[name])])
    result = check(tmp_path, text, passes=("rotate",))
    assert not result.different, result.different
    assert "in locals" in result.messages or name == "step", result.messages


def test_references_that_a_macro_hides_stay(tmp_path: Path) -> None:
    text = _COUPLED.replace("x[i - 1]", "BEFORE(x)").replace("y[i - 1]", "BEFORE(y)")
    result = check(tmp_path, "#define BEFORE(p) p[i - 1]\n" + _program([_function(text)]))
    assert not result.different
    assert "carried in locals" not in result.messages


_SEEDS = range(4)


def _random_function(rng: random.Random) -> str:
    """A loop with recurrences over three pointers, some of which turn out to overlap."""
    lines = []
    for _ in range(rng.randint(2, 4)):
        target = rng.choice("xyz")
        reads = [
            f"{rng.choice((0.5, 0.25, 0.125))} * {rng.choice('xyz')}[i + {rng.randint(-4, 2)}]"
            for _ in range(rng.randint(1, 3))
        ]
        reads.append(f"0.25 * {target}[i - {rng.randint(1, 4)}]")
        place = rng.choice(("i", "i", "i", "i - 1", "i + 1"))
        operator = rng.choice(("=", "=", "=", "+=", "-="))
        lines.append(f"        {target}[{place}] {operator} {' + '.join(reads)};")
    kind = rng.choice(("int", "long", "unsigned"))
    start = rng.randint(4, 6) if kind == "unsigned" else rng.randint(0, 5)
    body = "\n".join(lines)
    return _function(f"    for ({kind} i = {start}; i < n; i++) {{\n{body}\n    }}")


@pytest.mark.parametrize("seed", _SEEDS)
def test_random_recurrences(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    result = check(tmp_path, _program([_random_function(rng) for _ in range(12)]))
    assert not result.different, result.different
    assert result.messages.count("carried in locals") >= 2, result.messages
