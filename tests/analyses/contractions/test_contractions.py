"""Convolutions in C and in Halide-like C++, written in many ways, as one object each."""

import ctypes
import subprocess
from pathlib import Path

import numpy as np
import pytest

from s2s.analyses.contractions import extract
from s2s.frontends.c.typed import NotATensorNest
from s2s.net.aie.reference import dtype_of, reference, shape_of
from s2s.scop.contraction import Contraction, NotAContraction
from tests.analyses.contractions import programs

_HERE = Path(__file__).parent

PLAIN = (programs.HERE / "plain.c").read_text()
STRUCTURES = (programs.HERE / "structures.c").read_text()
SAME = programs.read("same")
WRONG = programs.read("refused")
MORE = programs.read("more")


@pytest.mark.parametrize("name", SAME)
def test_one_convolution_written_in_many_ways_is_one_object(name: str) -> None:
    plain, other = programs.from_c(PLAIN), programs.from_c(SAME[name], {"w": 32})
    found = other.accumulator
    assert str(other).replace(f"[{found}]", f"[{plain.accumulator}]") == str(plain)


def test_the_same_convolution_in_halide_is_the_same_object() -> None:
    text = (_HERE / "halide.cpp").read_text()
    assert programs.from_halide(text, (32, 8)) == programs.from_c(PLAIN)


def test_members_of_structures_are_arrays_and_sizes() -> None:
    found = programs.from_c(STRUCTURES, {"I.width": 40, "O.width": 32, "shift": 10})
    text = str(found).replace("_data", "").replace("_taps", "")
    assert text == str(programs.from_c(PLAIN))
    with pytest.raises(NotATensorNest, match=r"'O.width' is not known; give it as a size"):
        programs.from_c(STRUCTURES, {"I.width": 40})


@pytest.mark.parametrize("reason", WRONG)
def test_what_is_no_contraction_is_refused_with_the_reason(reason: str) -> None:
    with pytest.raises((NotATensorNest, NotAContraction)) as refused:
        extract(programs.nest(WRONG[reason]))
    assert reason in str(refused.value)


@pytest.mark.parametrize("name", MORE)
def test_the_contraction_computes_what_the_program_does(name: str, tmp_path: Path) -> None:
    found = programs.from_c(MORE[name])
    library = built(MORE[name], tmp_path)
    for seed in (1, 2):
        arrays = random_arrays(found, seed)
        wanted = {name: array.copy() for name, array in arrays.items()}
        library.f(
            *(
                wanted[name].ctypes.data_as(ctypes.c_void_p)
                for name in found.arguments
                if name in wanted
            )
        )
        output = found.output.array.name
        assert (reference(found, arrays) == wanted[output]).all()


def built(text: str, folder: Path) -> ctypes.CDLL:
    source, library = folder / "f.c", folder / "f.so"
    source.write_text(programs.HEADER + text)
    subprocess.run(["gcc", "-O1", "-fwrapv", "-shared", "-fPIC", source, "-o", library], check=True)
    return ctypes.CDLL(str(library))


def random_arrays(found: Contraction, seed: int) -> dict[str, np.ndarray]:
    """Values small enough that sums do not overflow int32, where that is the accumulator."""
    random = np.random.default_rng(seed)
    arrays = {}
    for access in found.accesses:
        array = access.array.memory
        if array.data is not None:
            continue  # the program's own
        limit = 1 << min(array.type.bits - 1, 12)
        low = 0 if array.type.code == "uint" else -limit
        view = access.array.view
        low, limit = (0, 32) if view is not None and view.is_distance else (low, limit)
        values = random.integers(low, limit, shape_of(array))
        arrays[array.name] = values.astype(dtype_of(array.type))
    return arrays
