"""Elements that all iterations of a loop update: held in locals, with the same bits, or left."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest

from s2s.driver.options import Options
from s2s.driver.transform import transform_file

_PROGRAMS = Path(__file__).parent / "accumulators"

_HEAD = """
struct item { double v, x; float w; int n; };
struct wide { int count; double s[3]; struct item in; };
"""
_PLACES = {
    "a[i].v": "double", "a[i].x": "double", "a[i].w": "float", "a[i].n": "int",
    "p->in.x": "double", "p->s[1]": "double", "p->count": "int", "y[i]": "double",
    "m[i][1]": "double", "m[i][3]": "double", "p->s[2]": "double",
}  # fmt: skip
_READS = (
    "b[j].v",
    "b[j].x",
    "b[j].w",
    "b[i].x",
    "a[i + 1].x",
    "c[2 * j]",
    "q[j]",
    "z[j][1]",
    "q[i]",
)
_UPDATES = {"double": ("+=", "-=", "*="), "float": ("+=", "-="), "int": ("+=", "^=", "-=")}


class _Loop:
    """A function with a loop that updates elements which do not move, through pointers."""

    def __init__(self, number: int, rng: random.Random) -> None:
        self.name = f"f{number}"
        self.rng = rng
        kinds = _PLACES if rng.random() < 0.3 else {k for k in _PLACES if _PLACES[k] == "double"}
        places = rng.sample(sorted(kinds), rng.choice((1, 2, 2, 3)))
        body = [f"        s = {self._value()};", f"        t = s - {self._value()};"]
        body += [self._update(place) for place in places]
        rng.shuffle(body[1:])
        step = rng.choice(("j++", "j++", "++j", "j += 2"))
        start = rng.choice(("0", "0", "lo", "lo + 1"))
        self.text = (
            f"void {self.name}(int i, int lo, int hi, struct item *a, const struct item *b,\n"
            "    struct wide *p, const double *c, const double *q, double *y, double (*m)[4],\n"
            "    double (*z)[4])\n"
            "{\n    double s, t;\n    int j;\n"
            f"    for (j = {start}; j < hi; {step}) {{\n" + "\n".join(body) + "\n    }\n}\n"
        )

    def _value(self) -> str:
        first, second = self.rng.choices(_READS, k=2)
        return f"{first} * 0.25 {self.rng.choice('+-')} {second}"

    def _update(self, place: str) -> str:
        kind = _PLACES[place]
        operator = self.rng.choice(_UPDATES[kind])
        value = self.rng.choice(("t", "s", f"t * 0.5 + {self.rng.choice(_READS)}"))
        if kind == "int":
            value = self.rng.choice(("j", "b[j].n", "lo + 3"))
        if operator == "*=":
            value = f"(1.0 + 0.001 * ({value}))"
        if self.rng.random() < 0.2 and operator in ("+=", "-="):
            return f"        {place} = {place} {operator[0]} ({value});"
        return f"        {place} {operator} {value};"

    def call(self) -> str:
        # Memory of two types may not be one: where there are others than double, all lies apart.
        mixed = any(name in self.text for name in (".w", ".n", "count"))
        places = 1 if mixed else 4
        return f'    check({self.name}, new_{self.name}, {places}, "{self.name}");\n'


_MAIN = (_PROGRAMS / "accumulators_main.c").read_text()


@pytest.mark.parametrize("seed", range(2))
def test_elements_in_locals_end_with_the_same_bits(seed: int, tmp_path: Path) -> None:
    rng = random.Random(f"accumulators {seed}")
    loops = [_Loop(number, rng) for number in range(10)]
    original = _HEAD + "\n".join(one.text for one in loops)
    path = tmp_path / "loops.c"
    path.write_text(original)
    options = Options(("polysimd",), force=seed % 2 == 1, strict=True)
    outcome = transform_file(str(path), ["-O3"], options)
    assert outcome.text.count(b"in locals */") >= 3
    changed = outcome.text.decode().replace(_HEAD, "")
    for one in loops:
        changed = changed.replace(f"void {one.name}(", f"void new_{one.name}(")
    calls = "".join(one.call() for one in loops)
    main = f"{_MAIN}\nint main(void)\n{{\n{calls}    return 0;\n}}\n"
    program = tmp_path / "both.c"
    program.write_text(f"#include <stdio.h>\n#include <string.h>\n{original}\n{changed}\n{main}")
    command = ["gcc", "-w", "-O1", "-ffp-contract=off", "-fno-strict-aliasing"]
    subprocess.run([*command, str(program), "-o", str(tmp_path / "both")], check=True)
    done = subprocess.run([tmp_path / "both"], capture_output=True, text=True, check=True)
    assert done.stdout + done.stderr == ""
