"""Loops with table reads and branches, declared to be vectors: the same bits, or left."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

from s2s.driver.options import Options
from s2s.driver.transform import transform_file

_PROGRAMS = Path(__file__).parent / "lanes"

_READS = ("u[i]", "u[up[i]]", "u[down[i]]", "v[i + 1]", "t", "v[2 * i]", "a[i]", "b[i]")
_RISKY = ("a[up[i]]", "b[i + 1]", "a[i - 1]")


class _Loop:
    """A function that stores to ``a`` and ``b``, which may be one unless it is said."""

    def __init__(self, number: int, rng: random.Random) -> None:
        self.name = f"f{number}"
        self.rng = rng
        self.reads = (*_READS, rng.choice(_RISKY)) if rng.random() < 0.25 else _READS
        self.apart = rng.random() < 0.7
        body = [f"{'ab'[k]}[i] = {self._value()};" for k in rng.sample((0, 1), 2)]
        if rng.random() < 0.2:
            body.insert(rng.randint(0, 2), f"t = {self._value()};")
        body.append(self._branch())
        if rng.random() < 0.5:
            body.append(f"a[i] = a[i] - {self._value()};")
        if rng.random() < 0.15:
            body.append("b[up[i]] = t;")
        kept = "restrict " if self.apart else ""
        self.text = (
            f"void {self.name}(int n, const float *restrict u, const float *restrict v,\n"
            f"    const int *up, const int *down, float *{kept}a, float *{kept}b)\n"
            "{\n    float t;\n    int i;\n    for (i = 1; i < n; i++) {\n        t = u[i];\n"
            + "".join(f"        {line}\n" for line in body) + "    }\n}\n"
        )  # fmt: skip

    def _value(self) -> str:
        first, second, third = self.rng.choices(self.reads, k=3)
        return f"({first} {self.rng.choice('+-*')} {second}) / (1.5f + {third} * {third})"

    def _branch(self) -> str:
        asked = f"{self.rng.choice(('a[i]', 'b[i]', 't'))} {self.rng.choice('<>')} 0.5f"
        text = f"if ({asked}) {{ {self.rng.choice('ab')}[i] = {self._value()}; }}"
        return text + (f" else {{ b[i] = {self._value()}; }}" if self.rng.random() < 0.4 else "")

    def call(self) -> str:
        return (
            f'    check({self.name}, new_{self.name}, {1 if self.apart else 3}, "{self.name}");\n'
        )


_MAIN = (_PROGRAMS / "lanes_main.c").read_text()


def test_loops_declared_to_be_vectors_end_with_the_same_bits(tmp_path: Path) -> None:
    rng = random.Random("lanes")
    loops = [_Loop(number, rng) for number in range(14)]
    original = "\n".join(one.text for one in loops)
    path = tmp_path / "loops.c"
    path.write_text(original)
    options = Options(("polysimd",), strict=True)
    outcome = transform_file(str(path), ["-O3", "-mavx2", "-fopenmp"], options)
    assert 3 <= outcome.text.count(b"vectorized the loop") < len(loops)
    changed = outcome.text.decode()
    for one in loops:
        changed = changed.replace(f"void {one.name}(", f"void new_{one.name}(")
    main = f"{_MAIN}\nint main(void)\n{{\n{''.join(one.call() for one in loops)}    return 0;\n}}\n"
    program = tmp_path / "both.c"
    program.write_text(f"#include <stdio.h>\n#include <string.h>\n{original}\n{changed}\n{main}")
    command = ["gcc", "-w", "-O2", "-mavx2", "-ftree-vectorize", "-fopenmp", "-ffp-contract=off"]
    subprocess.run([*command, str(program), "-o", str(tmp_path / "both")], check=True)
    done = subprocess.run([tmp_path / "both"], capture_output=True, text=True, check=True)
    assert done.stdout + done.stderr == ""
