"""Random programs with static arrays, all of which move that may: the values of the plain C."""

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from subprocess import run
from typing import Any

import pytest

from s2s.rewriters.emu import arrays
from tests.rewriters.emu.emitted import emitted, plain

TYPES = ("long", "int", "double", "float", "short", "unsigned char", "struct S")
MEMBERS = (".p", ".q", ".z[0]", ".z[1]")


class Array:
    """A static array of 40 to 64 elements, rows or planes."""

    def __init__(self, choose: random.Random, name: str) -> None:
        self.name, self.type = name, choose.choice(TYPES)
        rows = choose.choice((0, 0, 1, 2))
        self.lengths = [choose.choice((40, 64)), *(choose.choice((1, 3, 8)) for _ in range(rows))]

    def declared(self) -> str:
        return self.name + "".join(f"[{length}]" for length in self.lengths)

    def value(self, choose: random.Random, first: str, rest: str) -> str:
        inner = "".join(f"[({rest}) % {length}]" for length in self.lengths[1:])
        member = choose.choice(MEMBERS) if self.type == "struct S" else ""
        return f"{self.name}[{first}]{inner}{member}"


def loop(choose: random.Random, found: Sequence[Array]) -> str:
    """A loop whose iterations write their own elements and read any of other arrays."""
    first, last, by = choose.choice((0, 1, 3)), choose.choice((40, 30)), choose.choice((1, 1, 2))
    head = f"for (long i = {first}; i < {last}; i += {by})"
    if choose.random() < 0.3:
        head = f"for (int i = {last} - 1; i >= {first}; i--)"
    own = choose.sample(found, 3)
    others = [array for array in found if array not in own]
    body = []
    for array in own:
        source, place = choose.choice((*((one, "i") for one in own), (others[0], "i * 7 % 40")))
        target = array.value(choose, "i", choose.choice(("i", "1")))
        body.append(f"{target} += (int){source.value(choose, place, 'i + 1')} % 50 + i;")
        if array.type == "struct S" and len(array.lengths) == 1:
            copy = f"struct S *w = &{array.name}[i], c = {array.name}[i];"
            body.append(f"{{ {copy} w->p++; c.q++; {array.name}[i] = c; }}")
    return f"#pragma omp parallel for\n    {head} {{ {' '.join(body)} }}\n"


def program(choose: random.Random) -> str:
    found = [Array(choose, f"v{k}") for k in range(6)]
    groups: Mapping[str, list[Array]] = {kind: [] for kind in TYPES}
    for array in found:
        groups[array.type].append(array)
    text = "#include <stdio.h>\nstruct S { long p; double q; int z[2]; };\n"
    for kind, group in groups.items():
        if group:
            storage = choose.choice(("", "static "))
            text += f"{storage}{kind} {', '.join(a.declared() for a in group)};\n"
    text += f"static void work(void)\n{{\n{loop(choose, found)}{loop(choose, found)}}}\n"
    text += f"int main(void)\n{{\n    double sum = 0;\n{loop(choose, found)}    work();\n"
    for array in found:
        for _ in range(3):
            read = array.value(choose, "i", "i")
            text += f"    for (int i = 0; i < 40; i++) sum = sum * 1.0625 + (double){read};\n"
    return text + '    printf("%.17g\\n", sum);\n    return 0;\n}\n'


@pytest.mark.parametrize("seed", range(3))
def test_values_stay(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    moved: set[Any] = set()

    def all_of_them(_: object, __: object, homes: Mapping[Any, str]) -> set[Any]:
        moved.update(homes)
        return set(homes)

    monkeypatch.setattr(arrays, "worth_moving", all_of_them)
    source = tmp_path / "program.c"
    source.write_text(program(random.Random(seed)))
    wanted = run([plain(source, ("-ffp-contract=off",))], capture_output=True, text=True)
    found = emitted(source).run(timeout=60)
    assert (found.status, found.stdout) == (wanted.returncode, wanted.stdout)
    assert moved
