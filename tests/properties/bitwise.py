"""Loops and other texts for them, compiled together: which leave other bits in memory?"""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.properties.cyclic import ARRAYS, HEADER, CyclicLoop

_LENGTHS = (-3, 0, 1, 2, 3, 7, 8, 15, 16, 17, 31, 40, 67, 150)
_FLAGS = ("-O0", "-w", "-std=gnu11", "-ffp-contract=off", "-fno-strict-aliasing")
_INITIAL = {
    "float": "0.125f * ((k * 7 + {m}) % 29)",
    "double": "0.1 * ((k * 5 + {m}) % 31)",
    "int": "(k * 11 + {m}) % 97",
}


def differences(made: Mapping[CyclicLoop, Sequence[str]], directory: Path) -> list[str]:
    """What there is to say of each text that does not do what its loop does, for some length."""
    source = directory / "loops.c"
    source.write_text(program(made))
    binary = directory / "loops"
    built = subprocess.run(
        ["gcc", *_FLAGS, str(source), "-o", str(binary)], capture_output=True, text=True
    )
    assert built.returncode == 0, built.stderr[:2000]
    ran = subprocess.run([str(binary)], capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr[:2000]
    return told(made, ran.stdout)


def told(made: Mapping[CyclicLoop, Sequence[str]], printed: str) -> list[str]:
    """What a program has printed, with the texts."""
    texts = {loop.name: (loop.text, texts) for loop, texts in made.items()}
    found = []
    for line in printed.splitlines():
        name, number, length = line.split()
        original, others = texts[name]
        found.append(f"n = {length}:\n{original}\n{others[int(number)]}")
    return found


def program(made: Mapping[CyclicLoop, Sequence[str]], in_front: str = "") -> str:
    """A program that prints which variants of which loops differ from them, and for which n.

    ``in_front`` is text that the variants need, after the declarations of the arrays.
    """
    parts = ["#include <stdio.h>\n#include <string.h>\n", HEADER, in_front]
    parts += [f"static char was_{n}[sizeof {n}];\n" for n in ARRAYS]
    calls = []
    for loop, texts in made.items():
        parts.append(loop.text)
        for number, text in enumerate(texts):
            name = f"{loop.name}_{number}"
            parts.append(text.replace(f"double {loop.name}(", f"double {name}("))
        names = ", ".join(f"(void *){loop.name}_{i}" for i in range(len(texts)))
        if texts:
            calls.append(f"    {{ void *all[] = {{{names}}}; CHECK({loop.name}, all) }}\n")
    initial = "".join(
        f"    for (int k = 0; k < (int)(sizeof {n} / sizeof *{n}); k++) {n}[k] = "
        f"{_INITIAL[t].format(m=len(n) + ord(n[0]))};\n"
        for n, t in ARRAYS.items()
    )
    save = " ".join(f"memcpy(was_{n}, {n}, sizeof {n});" for n in ARRAYS)
    same = " && ".join(f"!memcmp(was_{n}, {n}, sizeof {n})" for n in ARRAYS)
    lengths = ", ".join(map(str, _LENGTHS))
    parts.append(
        f"static void start(void)\n{{\n{initial}}}\n"
        f"static const int lengths[] = {{{lengths}}};\n"
        "#define CHECK(f, all) for (unsigned k = 0; k < sizeof lengths / sizeof *lengths; k++) \\\n"
        "{ start(); double was = f(lengths[k], 3, 2); " + save + " \\\n"
        "    for (unsigned v = 0; v < sizeof all / sizeof *all; v++) { \\\n"
        "        start(); double is = ((__typeof__(&f))all[v])(lengths[k], 3, 2); \\\n"
        f"        if (memcmp(&was, &is, sizeof was) || !({same})) {{ \\\n"
        '            printf("%s %u %d\\n", #f, v, lengths[k]); } } }\n'
    )
    parts.append("int main(void)\n{\n" + "".join(calls) + "    return 0;\n}\n")
    return "".join(parts)
