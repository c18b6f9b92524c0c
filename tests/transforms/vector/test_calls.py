"""Loops that are split around calls: the same bits, or left."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest

from s2s.driver.options import Options
from s2s.driver.transform import transform_file

_HEAD = "#include <math.h>\n#include <stdio.h>\n#include <string.h>\n"
_CALLS = (
    "exp(-{0} * {0})", "log({0} * {0} + 1.5)", "sin({0})", "pow(fabs({0}) + 0.5, 1.25)",
    "tanh({0}) + {1}", "{0} > {1} ? cos({0}) : {1}",
)  # fmt: skip
_READS = ("a[j]", "b[j].x", "b[j].w", "b[i].x", "a[j + 1]", "a[2 * j]", "z[j][1]", "k")
_UPDATES = ("f[i].x += {0};", "f[i].w -= {0};", "p->total += {0};", "z[j][0] = {0};",
            "z[j][i] += {0};", "sum += {0};", "last = {0};", "a[j + 2] = {0};",
            "m[i][0] += {0};", "m[i][2] -= {0};", "m[i + 1][1] += {0};")  # fmt: skip
_SCALARS = ("s", "t", "u", "v", "w")


class _Loop:
    """A function with a loop that calls, whose scalars are set once, twice, or carried along."""

    def __init__(self, number: int, rng: random.Random) -> None:
        self.name = f"f{number}"
        self.rng = rng
        self.known = ["k"] if rng.random() < 0.9 else ["k", "u"]  # perhaps of the iteration before
        body = [self._value() for _ in range(rng.randint(1, 3))]
        for _ in range(rng.choice((1, 1, 2))):
            body += [self._call(), *(self._value() for _ in range(rng.randint(0, 2)))]
        body += [self._update() for _ in range(rng.randint(2, 5))]
        start = rng.choice(("0", "0", "lo"))
        self.text = (
            f"double {self.name}(int i, int lo, int hi, double k, double *a,\n"
            "    const struct item *b, struct item *f, struct whole *p, double (*z)[4],\n"
            "    double (*m)[3])\n"
            "{\n    double s = 1, t = 2, u = 3, v = 4, w = 5, sum = 0, last = 7;\n"
            f"    for (int j = {start}; j < hi; j++) {{\n        " + "\n        ".join(body)
            + f"\n    }}\n    return sum - last * {rng.choice(_SCALARS)};\n}}\n"
        )  # fmt: skip

    def _operands(self) -> list[str]:
        return self.rng.choices((*_READS, *self.known * 3), k=3)

    def _set(self, value: str) -> str:
        name = self.rng.choice(_SCALARS)
        self.known.append(name)
        return f"{name} = {value};"

    def _value(self) -> str:
        first, second, third = self._operands()
        return self._set(f"{first} * 0.25 {self.rng.choice('+-')} {second} * {third}")

    def _call(self) -> str:
        return self._set(self.rng.choice(_CALLS).format(*self._operands()))

    def _update(self) -> str:
        first, second, third = self._operands()
        if self.rng.random() < 0.3:
            second = f"({self.rng.choice(_CALLS).format(second, third)})"
        return self.rng.choice(_UPDATES).format(f"{first} * {second} + 0.125 * {third}")


_TYPES = "struct item { double x, w; };\nstruct whole { int count; double total; };\n"
_MAIN = Path(__file__).parent / "calls" / "both.c"


@pytest.mark.parametrize("seed", range(3))
def test_split_loops_leave_the_same_bits(seed: int, tmp_path: Path) -> None:
    rng = random.Random(f"calls {seed}")
    loops = [_Loop(number, rng) for number in range(12)]
    original = _HEAD + _TYPES + "\n".join(one.text for one in loops)
    path = tmp_path / "loops.c"
    path.write_text(original)
    options = Options(("polysimd:gain=0.9",), force=seed == 2, strict=True)
    outcome = transform_file(str(path), ["-O3"], options)
    assert outcome.text.count(b"loops around calls */") >= 3
    changed = outcome.text.decode().replace(_HEAD + _TYPES, "")
    for one in loops:
        changed = changed.replace(f"double {one.name}(", f"double new_{one.name}(")
    checks = " ".join(f'check({n}, new_{n}, "{n}");' for n in (one.name for one in loops))
    program = tmp_path / "both.c"
    main = _MAIN.read_text().replace("CHECKS", checks)
    program.write_text(f"{original}\n{changed}\n{main}")
    command = ["gcc", "-w", "-O2", "-ffp-contract=off", "-fno-strict-aliasing"]
    subprocess.run([*command, str(program), "-o", str(tmp_path / "both"), "-lm"], check=True)
    done = subprocess.run([tmp_path / "both"], capture_output=True, text=True, check=True)
    assert done.stdout + done.stderr == ""
