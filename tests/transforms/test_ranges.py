"""Index-set splitting: where a loop is cut, what stays, and that the new code does the same."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from s2s.scop.schedule import Parallelism
from s2s.transforms.errors import NotApplicable
from s2s.transforms.polysimd import Polysimd
from s2s.transforms.transformed import Transformed
from tests.lifting import analysed, scop_of
from tests.soundness.harness import check, program

HEAD = "double a[400], b[400]; void f(int n, int k) {{ for (int i = {}) {} }}"
DECLARE = "double *a = u_, *b = v_; int k = m % (n + 1);"


def _run(body: str, loop: str = "0; i < n; i++") -> Transformed:
    found = analysed(scop_of(HEAD.format(loop, body)))
    return Polysimd().run(found.scop, found.pruned)


@pytest.mark.parametrize(
    ("body", "parts"),
    [
        ("a[i] = a[k] + b[i];", 3),
        ("a[i] = a[n / 2] * b[i];", 3),
        ("a[i] = a[n - 1 - i] + b[i];", 2),
        ("{ double x = a[n - i] + b[i]; a[i] = x - 1; b[i] = x; }", 2),
        ("a[i + 20] = a[2 * k - i] + b[i];", 2),
        ("{ a[i] = b[i] + 1; b[i] = a[k]; }", 3),
    ],
)
def test_a_loop_is_cut_where_dependences_begin_or_end(body: str, parts: int) -> None:
    done = _run(body)
    assert done.scop.history == (f"split the loop into {parts} parts",)
    assert done.scop.target is not None
    assert Parallelism.SIMD in {d.parallelism for d in done.scop.target.dimensions}


@pytest.mark.parametrize("loop", ["n - 1; i >= 0; i--", "0; i < n; i += 3", "k; i <= n; i++"])
def test_other_loops_are_cut_as_well(loop: str) -> None:
    assert "split the loop" in _run("a[i] = a[k + 40] + b[i];", loop).scop.history[0]


@pytest.mark.parametrize(
    "body",
    [
        "a[i] = a[i - 1] + b[i];",
        "a[i] = a[i - 2] + a[n - i] + b[i];",
        "a[i] = a[2 * i] + a[i / 2];",
        "a[i % 7] += b[i];",
    ],
)
def test_a_loop_without_free_parts_stays(body: str) -> None:
    with pytest.raises(NotApplicable):
        _run(body)


@pytest.mark.parametrize("body", ["a[i] = a[i + 1] + b[i];", "a[i] = a[n + i] + b[i];"])
def test_a_loop_that_vectorizes_is_not_cut(body: str) -> None:
    with pytest.raises(NotApplicable):
        _run(body)


def _random_loop(random: Random) -> str:
    """Statements on two arrays with subscripts that are reversed, fixed or shifted."""
    subscripts = ["i", "i", "n - 1 - i", "n - i", "k", "n / 2", "0", "n - 1", "i + 3", "2 * i"]
    header = random.choice(["i = 0; i < n; i++", "i = n - 1; i >= 0; i--", "i = 0; i < n; i += 2"])
    statements = []
    for _ in range(random.randint(1, 2)):
        target, *operands = (
            f"{random.choice('ab')}[{random.choice(subscripts[: 4 if p == 0 else None])}]"
            for p in range(3)
        )
        statements.append(f"{target} = {operands[0]} * 0.5 + {operands[1]};")
    return f"for (int {header}) {{ {' '.join(statements)} }}"


def test_random_loops_do_the_same(tmp_path: Path) -> None:
    random = Random(7)
    cut = 0
    for number in range(4):
        loops = "\n".join(_random_loop(random) for _ in range(10))
        result = check(tmp_path, program(loops, declare=DECLARE), name=f"r{number}.c")
        assert not result.different, loops
        cut += result.messages.count("split the loop")
    assert cut >= 4
