"""Tiles of products in vector registers: the same bits as the source, and what is left alone."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from s2s.emitters.c.panels import PanelWriter
from s2s.transforms.errors import NotApplicable
from s2s.transforms.panels import Panels
from tests.lifting import analysed, scop_of
from tests.thorough import count, some

_PROGRAMS = Path(__file__).parent / "panels"

_UPDATES = (
    "{c} += {a} * {b};",
    "{c} -= {b} * {a};",
    "{c} += alpha * {a} * {b};",
    "{c} = {c} + {a} * (alpha * {b});",
    "{c} += {a} * {b} / ({b} + alpha);",
    "{c} -= ({a} - {b}) * ({a} - {b});",
    "{c} += {b} * alpha * {a} + {a} * -{b};",
    "{c} = {a} * 0.5{f} - {b} + {c};",
)
_DOMAINS = (
    ("r = 0; r < n", "q = 0; q < m", "s = 0; s < d"),
    ("r = 0; r < n", "q = 0; q < m", "s = 0; s < d"),
    ("r = 1; r < n - 1", "q = 2; q < m", "s = 3; s <= d - 2"),
    ("r = 0; r < n", "q = 0; q <= r && q < m", "s = 0; s < d"),
    ("r = 0; r < n", "q = r; q < m", "s = 0; s < d"),
    ("r = 0; r < n", "q = 0; q < m", "s = 0; s < r && s < d"),
    ("r = 0; r < n", "q = 0; q < m", "s = r + 1; s < d"),
)
_ROWS = ("a[r][s]", "a[s][r]")
_COLUMNS = ("b[s][q]", "b[q][s]", "b[s + 1][q + 2]")


class _Product:
    """A function that updates a matrix with sums of products."""

    def __init__(self, number: int, rng: random.Random) -> None:
        self.name, self.type = f"f{number}", rng.choice(("float", "double"))
        domain = rng.choice(_DOMAINS)
        boxes = domain in _DOMAINS[:3]
        order = rng.choice(("rqs", "rsq", "srq", "qrs") if boxes else ("rqs", "rsq"))
        parts = {"r": domain[0], "q": domain[1], "s": domain[2]}
        names = {"c": "c[r][q]", "a": rng.choice(_ROWS), "b": rng.choice(_COLUMNS)}
        scalar = order == "rqs" and rng.random() < 0.6
        start = rng.choice(("0", names["c"])) if scalar else ""
        names["c"] = "sum" if scalar else names["c"]
        update = rng.choice(_UPDATES).format(**names, f="f" if self.type == "float" else "")
        before = "for (int q = 0; q < m; q++) c[r][q] *= 0.75;" if rng.random() < 0.4 else ""
        loops = [f"for (int {parts[x]}; {x}++)" for x in order]
        if scalar:
            loops[1] += f" {{ {self.type} sum = {start};"
            update += " c[r][q] = sum; }"
        if before and order[0] == "r":
            loops[0] += f" {{ {before}"
            update += " }"
        t, q = self.type, rng.choice(("", "restrict "))
        self.text = (
            f"void {self.name}(int n, int m, int d, {t} alpha, {t} (*{q}a)[700],"
            f" {t} (*{q}b)[700], {t} (*{q}c)[90])\n"
            f"{{\n    {' '.join(loops)}\n        {update}\n}}\n"
        )

    def call(self, sizes: tuple[tuple[int, int, int], ...]) -> str:
        listed = ", ".join(f"{{{n}, {m}, {d}}}" for n, m, d in sizes)
        return f"""
    for (int z = 0; z < {len(sizes)}; z++) {{
        static const int s[][3] = {{{listed}}};
        static {self.type} a[700][700], b[700][700], c[300][90], x[300][90];
        for (int i = 0; i < 700; i++) for (int j = 0; j < 700; j++) {{
            a[i][j] = (i * 7 + j * 3) % 23 / 7.0 - 1; b[i][j] = (i * 5 + j) % 19 / 3.0 - 2.1; }}
        for (int i = 0; i < 300; i++) for (int j = 0; j < 90; j++) c[i][j] = x[i][j] = (i + j) % 13;
        {self.name}(s[z][0], s[z][1], s[z][2], 1.25, a, b, c);
        new_{self.name}(s[z][0], s[z][1], s[z][2], 1.25, a, b, x);
        if (memcmp(c, x, sizeof c)) printf("{self.name} %d\\n", z);
    }}"""


# Functions for each seed.
_PRODUCTS = count("S2S_PRODUCTS", 2, 8)
# Below a tile and at it, with edges, across blocks of each loop.
_SIZES = (
    (0, 0, 0),
    (5, 17, 20),
    (6, 16, 16),
    (25, 41, 20),
    (13, 87, 30),
    (7, 33, 600),
    (260, 20, 18),
)


@pytest.mark.parametrize("seed", some(range(2)))
def test_products_have_the_same_bits(seed: int, tmp_path: Path) -> None:
    rng = random.Random(f"panels {seed}")
    products = [_Product(number, rng) for number in range(_PRODUCTS)]
    original = "\n".join(p.text for p in products)
    path = tmp_path / "products.c"
    path.write_text(original)
    spec = f"panels:vector={(16, 32)[seed]}"
    options = Options((spec,), force=True, strict=True, parallel=seed == 1)
    outcome = transform_file(str(path), ["-O2", "-fopenmp"], options)
    assert outcome.text.count(b"held along") >= 1
    changed = outcome.text.decode()
    for one in products:
        changed = changed.replace(f"void {one.name}(", f"void new_{one.name}(")
    calls = "".join(p.call(_SIZES) for p in products)
    program = tmp_path / "both.c"
    main = f"int main(void)\n{{{calls}\n    return 0;\n}}\n"
    program.write_text(f"#include <stdio.h>\n#include <string.h>\n{original}\n{changed}\n{main}")
    command = ["gcc", "-w", "-O1", "-ffp-contract=off", "-fopenmp", "-fsanitize=undefined"]
    subprocess.run([*command, str(program), "-o", str(tmp_path / "both")], check=True)
    done = subprocess.run(
        [tmp_path / "both"], capture_output=True, text=True, check=True,
        env={"OMP_NUM_THREADS": "2"},
    )  # fmt: skip
    assert done.stdout + done.stderr == ""


@pytest.mark.parametrize(
    ("loops", "reason"),
    [
        ("for (int k = 0; k < n; k++) c[i][j] += a[i][k] * c[k][j];", "is an operand"),
        ("for (int k = 0; k < n; k++) c[i][j] += a[i][k] * x[k];", "no product of two"),
        ("for (int k = 0; k < n; k++) c[i][j] += a[i][j] * b[k][j];", "for each iteration"),
        ("for (int k = 0; k < n; k++) c[j][2 * i] += a[i][k] * b[k][j];", "no sum into"),
        ("for (int k = 0; k < n; k++) c[i][j + k] += a[i][k] * b[k][j];", "no sum into"),
        ("for (int k = 0; k < n; k++) c[i][j] += m * a[i][k] * b[k][j];", ""),
        ("for (int k = 0; k < 4; k++) c[i][j] += a[i][k] * b[k][j];", ""),
        ("c[i][j] += a[i][j] * b[j][i];", "three loops"),
    ],
)
def test_what_is_left_alone(loops: str, reason: str, tmp_path: Path) -> None:
    text = (
        "void f(int n, int m, double (*restrict a)[70], double (*restrict b)[70],"
        " double (*restrict c)[70], double *restrict x)\n{\n"
        f"    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {loops}\n}}\n"
    )
    if reason:
        found = analysed(scop_of(text))
        with pytest.raises(NotApplicable, match=reason):
            Panels().run(found.scop, found.pruned)
    path = tmp_path / "left.c"
    path.write_text(text)
    outcome = transform_file(str(path), ["-O2"], Options(("panels",), strict=True))
    assert outcome.text == outcome.original


def test_the_other_branch_is_jammed(tmp_path: Path) -> None:
    path = tmp_path / "product.c"
    path.write_text((_PROGRAMS / "other_branch.c").read_text())
    outcome = transform_file(str(path), ["-O3", "-mavx2"], Options(strict=True))
    text = outcome.text.decode()
    assert "vector_size(32)" in text and "unrolled and jammed" in text


def test_a_wrong_tile_does_not_leave(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The net executes tiles: a vector that is taken for its neighbour is found."""
    right = PanelWriter._within

    def wrong(self: PanelWriter, instances: Sequence[Sequence[str]], place: int) -> tuple[int, int]:
        row, vector = right(self, instances, place)
        return row, 0 if row == 2 else vector

    monkeypatch.setattr(PanelWriter, "_within", wrong)
    path = tmp_path / "wrong.c"
    path.write_text((_PROGRAMS / "wrong_tile.c").read_text())
    outcome = transform_file(str(path), ["-O3"], Options(("panels",)))
    assert outcome.text == outcome.original
    assert any("internal error: 'c' is" in d.text for d in outcome.diagnostics)
