"""Images larger than a core's memory: tiles on several cores give the whole output."""

import subprocess
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from s2s.cli import main as cli
from s2s.emitters.aie.cores import spreading
from s2s.emitters.aie.kernel import emit
from s2s.emitters.aie.packing import packing
from s2s.scop.contraction import Contraction
from s2s.scop.cores import Box, Cores
from s2s.scop.vector_kernel import KernelLoop, KernelNest, LoadPart, Pointer, Register
from s2s.transforms.aie.compile import compile_contraction
from s2s.transforms.aie.cores import spread
from s2s.transforms.aie.errors import Unmappable
from s2s.transforms.aie.mapping import Mapping
from s2s.transforms.aie.packed import reach
from s2s.transforms.aie.tile_kernels import Natural
from tests.places import BENCHMARKS
from tests.transforms.aie.contractions import (
    INCLUDE,
    Values,
    contraction,
    conv2d,
    expected,
    random_inputs,
)

LAYER = contraction(
    {"k": 4, "y": 6, "x": 40, "C": 2, "S": 3, "R": 3},
    ({"x": 1}, {"y": 1}, {"k": 1}),
    ({"x": 1, "r": 1}, {"y": 2, "s": 1}, {"c": 1}),
    ({"r": 1}, {"s": 1}, {"c": 1}, {"k": 1}),
)
CASES = {
    "rows and columns": (conv2d(16, 3, 3, x=80, y=13), 1000, Mapping("x", order=("y", "x"))),
    "one core": (conv2d(16, 3, 3), 1 << 17, Mapping("x", order=("y", "x"))),
    "a layer with strides": (LAYER, 2000, Mapping("x", order=("k", "y", "x"))),
}


@pytest.mark.parametrize("name", CASES)
def test_everybody_has_what_it_reads(name: str) -> None:
    of, memory, _ = CASES[name]
    cores = spread(of, memory)
    numbers = range(len(cores.origins))
    for core in numbers:
        got = elements(cores.owned(core))
        for copy in cores.exchange():
            if copy.to == core:
                assert elements(copy.box) <= elements(cores.owned(copy.source))
                got |= elements(copy.box)
        assert got == elements(cores.region(of.image, core))
    outputs = [elements(cores.region(of.output, core)) for core in numbers]
    assert len(set().union(*outputs)) == of.output.array.size


def elements(box: Box) -> set[tuple[int, ...]]:
    return set(product(*(range(low, high) for low, high in box)))


@pytest.mark.parametrize("name", CASES)
def test_values(name: str, tmp_path: Path) -> None:
    of, memory, mapping = CASES[name]
    cores = spread(of, memory)
    inputs = random_inputs(of, 2)
    np.testing.assert_array_equal(run(of, cores, mapping, inputs, tmp_path), expected(of, inputs))


def run(
    of: Contraction, cores: Cores, mapping: Mapping, inputs: dict[str, Values], folder: Path
) -> Values:
    """The output of all cores, one after the other, by g++."""
    kernel = compile_contraction(cores.contraction, mapping).kernel
    lines = [emit(kernel), packing(kernel), spreading(cores)]
    for array in (of.image.array, of.weight.array, of.output.array):
        lines.append(f"static int16_t {array.name}[{array.size}];")
    lines += [f"alignas(32) static int16_t p_{a.name}[{a.size}];" for a in kernel.arrays]
    lines += ["static struct conv_core cores[conv_cores];", "int main() {"]
    for name in ("I", "W"):
        lines.append(f'std::fread({name}, sizeof {name}, 1, std::fopen("{name}", "rb"));')
        inputs[name].astype(np.int16).tofile(folder / name)
    lines.append("conv_scatter(I, W, cores); conv_exchange(cores);")
    lines.append("for (int n = 0; n < conv_cores; ++n) {")
    for a in kernel.arrays:
        if not a.is_output:
            whole = f"std::memcpy(p_{a.name}, cores[n].{a.name}, sizeof cores[n].{a.name});"
            packed = f"pack_conv_{a.name}(cores[n].{a.name}, p_{a.name});"
            lines.append(whole if a.is_natural else packed)
    lines.append(f"conv({', '.join(f'p_{a.name}' for a in kernel.arrays)});")
    whole = "std::memcpy(cores[n].O, p_O, sizeof cores[n].O);"
    lines += [whole if kernel.output.is_natural else "unpack_conv_O(p_O, cores[n].O);", "}"]
    lines.append('conv_gather(O, cores); FILE *out = std::fopen("out", "wb");')
    lines += ["std::fwrite(O, sizeof O, 1, out); std::fclose(out); }"]
    (folder / "k.cc").write_text("\n".join(lines))
    flags = ["-std=c++17", "-O1", "-w", f"-I{INCLUDE}"]
    subprocess.run(["g++", *flags, "k.cc", "-o", "k"], check=True, cwd=folder)
    subprocess.run(["./k"], check=True, cwd=folder)
    return np.fromfile(folder / "out", np.int16).astype(np.int64)


def test_what_fits_nowhere_is_refused() -> None:
    with pytest.raises(Unmappable, match="no tile of the output has its operands in 10 bytes"):
        spread(conv2d(16, 3, 3), 10)


def test_a_large_image_on_several_cores(tmp_path: Path) -> None:
    """What the command writes, put together by a program of a user: 324 KB, halos exchanged."""
    program = BENCHMARKS / "vyasa/conv2d.cpp"
    types = [word for name in "IWO" for word in ("--param", f"{name}.type=int16")]
    size = ["--size", "x=400,y=200", "--remarks", "none"]
    out = tmp_path / "conv.cc"
    command = ["transform", str(program), "--target", "aie", *size, *types, "-o", str(out)]
    assert cli.main(command) == 0
    (tmp_path / "main.cc").write_text(MAIN)
    flags = ["-std=c++17", "-O1", "-w", f"-I{INCLUDE}"]
    subprocess.run(["g++", *flags, "conv.cc", "main.cc", "-o", "k"], check=True, cwd=tmp_path)
    found = subprocess.run(["./k"], check=False, cwd=tmp_path, capture_output=True, text=True)
    assert (found.returncode, found.stdout) == (0, "3 cores\n")


MAIN = "\n" + Path(__file__).with_name("cores_main.c").read_text()


def test_what_has_to_stay_as_it_is_may_not_lie_twice() -> None:
    """Weights that are loaded as vectors may, whatever the image has to be."""
    natural = Natural(image=True)
    rows = natural.of(LAYER, Mapping("x", order=("k", "y", "x"), copies=2))
    filters = natural.of(LAYER, Mapping("k", order=("y", "x", "k"), copies=2))
    assert rows is not None and rows.copies == 1
    assert filters is not None and filters.copies == 2


@pytest.mark.parametrize(("offset", "fits"), [(48, True), (47, False)])
def test_vectors_do_not_begin_before_their_array(offset: int, fits: bool) -> None:
    """A pointer that walks backwards stays in its array."""
    register = Register("z", LAYER.image.array.type, 16)
    back = Pointer("p", LAYER.image.array.name, offset, (("x", -16),))
    body = (LoadPart(register, 0, "p", 0),)
    nest = KernelNest((KernelLoop("x", 4, 1),), (back,), body)
    if fits:
        assert reach(LAYER.image.array, register.type, (nest,)) == 64
        return
    with pytest.raises(Unmappable, match="begins before the array"):
        reach(LAYER.image.array, register.type, (nest,))
