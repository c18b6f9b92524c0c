"""Sums in scalars around innermost loops, as people write products: jammed, with the same bits."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest

from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from tests.thorough import some

_TYPES = ("float", "double", "int", "long", "unsigned", "unsigned char", "short")
_WIDER = {"unsigned char": "int", "short": "int"}
_STORES = (
    "{e} = {s};",
    "{e} += {s};",
    "{e} = {s} > 0 ? {s} : 0;",
    "{e} = 3 * {s} + 2 * {e};",
    "{e} = {s} / 3; d[i] -= {s};",
    "if ({s} > 2) {e} = {s};",
)


class _Product:
    """A function that sums up products in a scalar, in one of the manners that people have."""

    def __init__(self, number: int, rng: random.Random) -> None:
        self.name = f"f{number}"
        self.type = rng.choice(_TYPES)
        self.sum = _WIDER.get(self.type, self.type)
        if self.sum == "float" and rng.random() < 0.3:
            self.sum = "double"
        self.deep = rng.random() < 0.7
        self.qualifier = rng.choice(("", "restrict "))
        self.text = self._text(rng)

    def _text(self, rng: random.Random) -> str:
        row, column = "a[i * lda + k]", "b[j * m + k]" if self.deep else "b[k]"
        if rng.random() < 0.2:
            row = "a[k * lda + i]"
        if self.deep and rng.random() < 0.3:
            column = "b[k * m + j]"
        element = "c[i * n + j]" if self.deep else "c[i]"
        start = rng.choice(("0", "0", "1", "d[i]", "(i & 1)"))
        update = rng.choice(
            (
                f"s += {row} * {column};",
                f"s -= {row} * {column};",
                f"s = s + {column} * {row};",
                f"{{ {self.sum} t = {row} - {column}; s += t * t; }}",
                f"{{ s += {row} * {column}; u ^= (int){column}; }}",
            )
        )
        store = rng.choice(_STORES).format(e=element, s="s")
        declared = f"{self.sum} s = {start};"
        if "u ^=" in update:
            apart = rng.random() < 0.5 and self.sum == "int"
            declared = f"int u = 5, s = {start};" if apart else f"{declared} int u = 5;"
            store = f"{store} d[i] += u;"
        last = rng.choice(("k < m", "k < m", "k <= i && k < m", "k < m - 1"))
        if "&&" in last:
            last = "k < i"
        body = f"{declared} for (int k = 0; {last}; k++) {update} {store}"
        inner = rng.choice(("j < n", "j < n", "j <= i"))
        around = f"for (int j = 0; {inner}; j++) {{ {body} }}" if self.deep else body
        q, t = self.qualifier, self.type
        shares, end = rng.choice(
            (
                ("", ""),
                ("", ""),
                ("#pragma omp parallel for\n", ""),
                ("#pragma omp parallel\n    {\n#pragma omp for schedule(static, 3)\n", "    }\n"),
            )
        )
        return (
            f"void {self.name}(int n, int m, int lda, const {t} *{q}a, const {t} *{q}b,"
            f" {self.sum} *{q}c, {self.sum} *{q}d)\n"
            f"{{\n{shares}    for (int i = 0; i < n; i++) {{ {around} }}\n{end}}}\n"
        )

    def call(self) -> str:
        return f"""
    for (int n = -1; n < 15; n++) for (int m = 0; m < 40; m += 1 + m / 2) {{
        static {self.type} a[4000], b[4000];
        static {self.sum} c[800], d[800], x[800], y[800];
        for (int i = 0; i < 4000; i++) {{ a[i] = i * 7 % 23 - 5; b[i] = i * 5 % 19 - 4; }}
        for (int i = 0; i < 800; i++) {{ c[i] = x[i] = i % 13; d[i] = y[i] = i % 3; }}
        {self.name}(n, m, 45, a, b, c, d); new_{self.name}(n, m, 45, a, b, x, y);
        if (memcmp(c, x, sizeof c) || memcmp(d, y, sizeof d)) printf("{self.name} %d %d\\n", n, m);
    }}"""


@pytest.mark.parametrize("seed", some(range(2)))
def test_sums_in_scalars_have_the_same_bits(seed: int, tmp_path: Path) -> None:
    rng = random.Random(f"sums {seed}")
    products = [_Product(number, rng) for number in range(6)]
    original = "\n".join(p.text for p in products)
    path = tmp_path / "sums.c"
    path.write_text(original)
    options = Options(("jam",), force=True, strict=True, parallel=seed % 2 == 1)
    outcome = transform_file(str(path), ["-O2", "-fopenmp"], options)
    assert outcome.text.count(b"unrolled and jammed") >= 3
    changed = outcome.text.decode()
    for one in products:
        changed = changed.replace(f"void {one.name}(", f"void new_{one.name}(")
    calls = "".join(p.call() for p in products)
    main = f"int main(void)\n{{{calls}\n    return 0;\n}}\n"
    program = tmp_path / "both.c"
    program.write_text(f"#include <stdio.h>\n#include <string.h>\n{original}\n{changed}\n{main}")
    command = ["gcc", "-w", "-O1", "-ffp-contract=off", "-fopenmp", "-fsanitize=undefined"]
    subprocess.run([*command, str(program), "-o", str(tmp_path / "both")], check=True)
    done = subprocess.run(
        [tmp_path / "both"], capture_output=True, text=True, check=True,
        env={"OMP_NUM_THREADS": "2"},
    )  # fmt: skip
    assert done.stdout + done.stderr == ""
