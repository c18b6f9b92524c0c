"""Convolutions as different people write them in C: what is found is what the program computes."""

import ctypes
import random
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from s2s.frontends.c.typed import NotATensorNest
from s2s.net.aie.reference import reference
from s2s.scop.contraction import Contraction, NotAContraction
from tests.analyses.contractions import programs
from tests.analyses.contractions.test_contractions import random_arrays

Data = np.ndarray[Any, Any]
SLACK = 4096
STYLES = programs.read("styles", "borders", "calls", "constants")


def built(texts: Sequence[str], folder: Path) -> ctypes.CDLL:
    """All programs, compiled together: the n-th one is ``f_n``."""
    parts = [programs.HEADER]
    for number, text in enumerate(texts):
        defined = [line.split()[1].split("(")[0] for line in text.splitlines() if "#define" in line]
        parts += [f"#define f f_{number}", f"#define helper helper_{number}", text]
        parts += [f"#undef {name}" for name in ("f", "helper", *defined)]
    (folder / "all.c").write_text("\n".join(parts))
    command = ["gcc", "-O1", "-fwrapv", "-w", "-shared", "-fPIC", "all.c", "-o", "all.so"]
    subprocess.run(command, check=True, cwd=folder)
    return ctypes.CDLL(str(folder / "all.so"))


def computed(library: ctypes.CDLL, number: int, of: Contraction, arrays: dict[str, Data]) -> Data:
    """The output of a program, its arrays in the middle of larger ones."""
    around = {key: np.pad(array.ravel(), SLACK) for key, array in arrays.items()}
    passed = [key for key in of.arguments if key in arrays]
    pointers = [around[key][SLACK:].ctypes.data_as(ctypes.c_void_p) for key in passed]
    getattr(library, f"f_{number}")(*pointers)
    output = arrays[of.output.array.name]
    return around[of.output.array.name][SLACK : SLACK + output.size].reshape(output.shape)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    return built(list(STYLES.values()), tmp_path_factory.mktemp("styles"))


@pytest.mark.parametrize("name", STYLES)
def test_the_contraction_computes_what_the_program_does(name: str, library: ctypes.CDLL) -> None:
    of = programs.from_c(STYLES[name])
    for seed in (1, 2):
        arrays = random_arrays(of, seed)
        wanted = computed(library, list(STYLES).index(name), of, arrays)
        np.testing.assert_array_equal(reference(of, arrays), wanted)


CHANGES = (
    ("==", "!="), ("<", "<="), ("+", "-"), ("0", "1"), ("1", "0"), ("3", "2"), ("y", "x"),
    ("r", "s"), ("++", "--"), ("*", "+"), ("&&", "||"), (">", "<"), ("8", "7"), ("acc", "0"),
    ("k", "c"), ("int acc", "short acc"), ("int acc", "unsigned acc"), ("int16_t", "int8_t"),
    ("int32_t", "int16_t"), ("if (", "if (!("), (">>", ">> 1 >>"),
)  # fmt: skip


def changed(text: str, choose: random.Random) -> str:
    """A program with one thing in its body changed."""
    old, new = choose.choice(CHANGES)
    places = [m.start() for m in re.finditer(re.escape(old), text) if m.start() > text.index("{")]
    if not places:
        return text
    place = choose.choice(places)
    return text[:place] + new + text[place + len(old) :]


def test_changed_programs_are_refused_or_still_understood(tmp_path: Path) -> None:
    choose = random.Random(7)
    known: list[tuple[str, Contraction]] = []
    for _ in range(60):
        text = changed(choose.choice(list(STYLES.values())), choose)
        try:
            known.append((text, programs.from_c(text)))
        except (NotAContraction, NotATensorNest, AssertionError, ValueError):
            continue  # no contraction, or no C
    assert len(known) > 20
    changes = built([text for text, _ in known], tmp_path)
    for number, (text, of) in enumerate(known):
        arrays = random_arrays(of, number)
        wanted = computed(changes, number, of, arrays)
        np.testing.assert_array_equal(reference(of, arrays), wanted, text)
