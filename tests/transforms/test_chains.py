"""Rows side by side: which nests, how far they are skewed, and that the new code does the same."""

from __future__ import annotations

import random
import subprocess
from itertools import cycle
from pathlib import Path

import pytest

from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from s2s.transforms.chains import Chains
from s2s.transforms.errors import NotApplicable
from tests.lifting import analysed, scop_of

_SEIDEL = "0.2 * (a[i-1][j] + a[i][j-1] + a[i][j] + a[i][j+1] + a[i+1][j])"
_NINE = (
    "(a[i-1][j-1] + a[i-1][j] + a[i-1][j+1] + a[i][j-1] + a[i][j] + a[i][j+1]"
    " + a[i+1][j-1] + a[i+1][j] + a[i+1][j+1]) / 9"
)
_UP = "for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++) "
_DOWN = "for (int i = n - 2; i >= 1; i--) for (int j = m - 2; j > 0; j -= 1) "
TAKEN = {
    "five": (_UP + f"a[i][j] = {_SEIDEL};", 1),
    "down": (_DOWN + "a[i][j] = 0.2 * (a[i+1][j] + a[i][j+1] + a[i][j] + a[i][j-1] + a[i-1][j]);",
             1),
    "nine": (_UP + f"a[i][j] = {_NINE};", 2),
    "over time": ("for (int t = 0; t < 3; t++) " + _UP + f"a[i][j] = {_NINE};", 2),
    "rows alone": (_UP + "a[i][j] = a[i][j-1] + b[i][j] + b[i][j-1] * b[i][j+1];", 0),
    "triangle": ("for (int i = 1; i < n && i < m; i++) for (int j = 1; j <= i; j++) "
                 "a[i][j] = (a[i][j-1] + b[i][j]) * b[i][j-1] + b[i-1][j];", 0),
    "two": (_UP + "{ a[i][j] = a[i][j-1] + b[i][j] + b[i][j+1] + b[i+1][j]; "
            "b[i][j] = a[i][j] * 0.5 + b[i-1][j]; }", 1),
}  # fmt: skip
LEFT = {
    "no recurrence": (_UP + "a[i][j] = b[i][j-1] + b[i][j+1];",
                      "the compiler makes vectors of the innermost loop"),
    "far back": (_UP + f"a[i][j] = {_SEIDEL} + a[i-1][m-j];",
                 "rows wait for each other, even skewed"),
    "may wait for memory": (_UP + "a[i][j] = a[i][j-1] + b[i][j];",
                            "the innermost loop may wait for memory"),
    "no nest": ("for (int j = 1; j < m; j++) a[1][j] = a[1][j-1] + a[1][j] + a[1][j+1] + b[1][j];",
                "no loop around the innermost one"),
    "between": ("for (int i = 1; i < n - 1; i++) { b[i][0] = 1; for (int j = 1; j < m - 1; j++) "
                f"a[i][j] = {_SEIDEL}; }}", "the region is not a perfect nest"),
    "columns": (_UP + "{ a[1][j] = 1 - a[1][j-1]; b[j][i] = a[1][j] + b[j][i] * a[2][j]; }",
                "the innermost loop does not walk along rows"),
    "condition": (_UP + f"if (b[i][j] > 0) a[i][j] = {_SEIDEL};",
                  "the statement is not straight code"),
}  # fmt: skip
_HEADERS = [
    "for (int i = 2; i < n - 2; i++) for (int j = 2; j < m - 2; j++) ",
    "for (int i = 2; i < n - 2; i++) for (int j = 2; j < i && j < m; j++) ",
    "for (int i = n - 3; i > 1; i--) for (int j = 2; j < m - 2; j++) ",
]
_SHIFTS = ["", "-1", "+1", "-2", "+2"]
_PARAMETERS = "int n, int m, T (*restrict a)[80], T (*restrict b)[80]"
_MAIN = Path(__file__).with_name("chains.c").read_text()


def _function(body: str, kind: str = "double") -> str:
    parameters = _PARAMETERS.replace("T", kind)
    return f"void f({parameters})\n{{\n    {body}\n}}\n"


@pytest.mark.parametrize("name", TAKEN)
def test_skew(name: str) -> None:
    body, skew = TAKEN[name]
    analysis = analysed(scop_of(_function(body)))
    (words,) = Chains().run(analysis.scop, analysis.pruned).scop.history
    assert (f"each {skew} behind" in words) == bool(skew), words


@pytest.mark.parametrize("name", LEFT)
def test_what_is_left_alone(name: str) -> None:
    body, reason = LEFT[name]
    analysis = analysed(scop_of(_function(body)))
    with pytest.raises(NotApplicable, match=reason):
        Chains().run(analysis.scop, analysis.pruned)


@pytest.mark.parametrize(
    ("name", "kind"), list(zip(TAKEN, cycle(("double", "float")), strict=False))
)
def test_results_are_the_same(name: str, kind: str, tmp_path: Path) -> None:
    _compare(tmp_path, TAKEN[name][0], kind)


def test_random_recurrences(tmp_path: Path) -> None:
    """Neighbours at random: rows run side by side where that is legal, and give the same."""
    draw = random.Random("chains")
    taken = 0
    for number in range(10):
        terms = [f"{draw.choice('aab')}[i{draw.choice(_SHIFTS)}][j{draw.choice(_SHIFTS)}]"
                 for _ in range(4)]  # fmt: skip
        body = f"a[i][j] = 0.25 * (a[i][j{draw.choice(['-1', '-2'])}] + {' + '.join(terms)});"
        header = draw.choice(
            [
                "for (int i = 2; i < n - 2; i++) for (int j = 2; j < m - 2; j++) ",
                "for (int i = 2; i < n - 2; i++) for (int j = 2; j < i && j < m; j++)",
                "for (int i = n - 3; i > 1; i--) for (int j = 2; j < m - 2; j++) ",
            ]
        )
        folder = tmp_path / str(number)
        folder.mkdir()
        taken += _compare(folder, header + body, draw.choice(["double", "float"]), sure=False)
    assert taken >= 5


def _compare(folder: Path, body: str, kind: str, *, sure: bool = True) -> bool:
    source = folder / "rows.c"
    source.write_text(_function(body, kind) + _MAIN.replace("T", kind))
    done = transform_file(str(source), (), Options(passes=("chains",), strict=True))
    if sure:
        assert "side by side" in done.text.decode(), [d.text for d in done.diagnostics]
    if done.changed:
        changed = folder / "changed.c"
        changed.write_bytes(done.text)
        assert _output(source, "-O0") == _output(changed, "-O2")
    return done.changed


def _output(source: Path, level: str) -> str:
    binary = source.with_suffix("")
    command = ["gcc", level, "-w", "-ffp-contract=off", str(source), "-o", str(binary)]
    subprocess.run(command, check=True)
    return subprocess.run([str(binary)], check=True, capture_output=True, text=True).stdout
