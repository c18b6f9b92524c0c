"""Convolutions as different people write them in C: what is found is what the program computes."""

import ctypes
import subprocess

import numpy as np
import pytest

from s2s.aie.reference import reference
from s2s.scop.contraction import Contraction
from tests.aie import programs
from tests.aie.styles import STYLES
from tests.aie.test_contractions import random_arrays


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """All programs, compiled together; each has an entry of its own."""
    folder = tmp_path_factory.mktemp("styles")
    parts = [programs.HEADER]
    for number, text in enumerate(STYLES.values()):
        defined = [line.split()[1].split("(")[0] for line in text.splitlines() if "#define" in line]
        parts += [f"#define f f_{number}", f"#define helper helper_{number}", text]
        parts += [f"#undef {name}" for name in ("f", "helper", *defined)]
    (folder / "all.c").write_text("\n".join(parts))
    command = ["gcc", "-O1", "-fwrapv", "-w", "-shared", "-fPIC", "all.c", "-o", "all.so"]
    subprocess.run(command, check=True, cwd=folder)
    return ctypes.CDLL(str(folder / "all.so"))


def found(name: str) -> Contraction:
    return programs.from_c(STYLES[name])


@pytest.mark.parametrize("name", STYLES)
def test_the_contraction_computes_what_the_program_does(name: str, library: ctypes.CDLL) -> None:
    of = found(name)
    function = getattr(library, f"f_{list(STYLES).index(name)}")
    for seed in (1, 2):
        arrays = random_arrays(of, seed)
        wanted = {key: array.copy() for key, array in arrays.items()}
        function(*(wanted[key].ctypes.data_as(ctypes.c_void_p) for key in of.arguments))
        output = of.output.array.name
        np.testing.assert_array_equal(reference(of, arrays), wanted[output])
