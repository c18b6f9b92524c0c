"""Elements carried in locals: which ones are found, and what stays."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from s2s.scop.nodes import Scop
from s2s.transforms.assume import assume_disjoint
from s2s.transforms.errors import NotApplicable
from s2s.transforms.rotate import Rotate
from tests import inputs
from tests.lifting import analysed, scop_of
from tests.programs import read_body
from tests.soundness.harness import check

_PROGRAMS = Path(__file__).parent / "rotate"

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


_FOLDER = Path(__file__).parent / "rotate"
_COUPLED, _FAR, _ROWS = (inputs.body(_FOLDER / f"{name}.c") for name in ("coupled", "far", "rows"))


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
        # Read before being written: nothing waits.
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
    loops = read_body(_PROGRAMS / "last_write.c")
    assert _chains(loops) == {("x[i - 1]", "x[i - 2]", 1)}


def test_several_references_to_what_is_written_carry_nothing() -> None:
    """The local would have the value of one of them."""
    loops = read_body(_PROGRAMS / "two_references.c")
    scop = _apart(loops)
    with pytest.raises(NotApplicable, match="no element"):
        Rotate().run(scop, analysed(scop).pruned)


_MAIN = (_FOLDER / "main.h").read_text()


def _program(functions: list[str]) -> str:
    calls = " ".join(
        f"f{i}(n, m, x, y, z, k + 16, (double (*)[m])a);" for i in range(len(functions))
    )
    named = [f.replace("void f(", f"void f{i}(") for i, f in enumerate(functions)]
    return "\n".join([*named, f"#define CALLS {calls}", _MAIN])


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
