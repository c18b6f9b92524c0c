"""``s2s run`` on Halide-like C++: values, sizes that inputs allow, and refusals in a line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import numpy as np
import pytest

import s2s

Run = Callable[..., CompletedProcess[bytes]]

HERE = Path(__file__).parent
BLEND = (str(HERE / "blend.cpp"), str(HERE / "brighten.cpp"))
ZOOM = str(HERE / "zoom.cpp")
NOISE = np.random.default_rng(5).integers(0, 256, (40, 60), np.uint8)


@pytest.fixture(autouse=True)
def files() -> None:
    np.save("grey.npy", NOISE)
    np.save("mask.npy", np.full((40, 60), 0xF0, np.uint8))


def blend(grey: np.ndarray, amount: int) -> np.ndarray:
    wide = grey.astype(int)
    mean = (wide[:, :-2] + wide[:, 2:]) // 2 & 0xF0
    bright: np.ndarray = np.minimum(mean + amount, 255).astype(np.uint8)
    return bright


@pytest.mark.parametrize("sources", [BLEND, BLEND[::-1]], ids=["first", "last"])
def test_a_program_of_two_files_on_two_inputs(run: Run, sources: tuple[str, str]) -> None:
    result = run("run", *sources, "mask=mask.npy", "grey.npy", "amount=9", "-o", "out.npy")
    assert result.returncode == 0, result.stderr
    assert b"of 58x40 elements, the first at 1x0" in result.stderr
    assert np.array_equal(np.load("out.npy"), blend(NOISE, 9))


def test_files_without_a_program_are_parts_of_the_others(run: Run) -> None:
    """Halide.h comes by a header; both orders and Python give what one text gives."""
    for path in BLEND:
        text = Path(path).read_text().replace('"Halide.h"', '"heads.h"')
        Path(Path(path).name).write_text(text)
    Path("heads.h").write_text('#pragma once\n#include "Halide.h"\n')
    alone = run("transform", "blend.cpp", "--no-check")
    assert alone.returncode == 1 and b"blend.cpp:19:23: error: 'brighten'" in alone.stderr
    both = [
        run("transform", *files, ZOOM, "-o", "out/", "--no-check")
        for files in (("blend.cpp", "brighten.cpp"), ("brighten.cpp", "blend.cpp"))
    ]
    assert [one.returncode for one in both] == [0, 0], both[0].stderr
    assert sorted(p.name for p in Path("out").iterdir()) == [
        "blend.c", "blend.h", "zoom.c", "zoom.h",
    ]  # fmt: skip
    result = s2s.transform("blend.cpp", others=["brighten.cpp"], check=False, header="blend.h")
    assert result.data == Path("out/blend.c").read_bytes()


def test_an_output_of_a_given_size_begins_where_all_is_there(run: Run) -> None:
    result = run("run", *BLEND, "grey.npy", "mask.npy", "-o", "out.npy", "--size", "output=20x10")
    assert result.returncode == 0, result.stderr
    assert np.array_equal(np.load("out.npy"), blend(NOISE, 3)[:10, :20])


def test_images_are_planes_and_are_converted_when_asked(run: Run) -> None:
    image = pytest.importorskip("PIL.Image", reason="pillow is not installed")
    pixels = np.random.default_rng(6).integers(0, 256, (11, 13, 3), np.uint8)
    image.fromarray(pixels).save("colours.png")
    result = run("run", ZOOM, "colours.png", "-o", "out.png", "--convert", "--no-check")
    assert result.returncode == 0, result.stderr
    twice = np.repeat(np.repeat(pixels, 2, 0), 2, 1)
    assert np.abs(np.asarray(image.open("out.png")) - twice / 2).max() < 0.501


WRONG = {
    "grey.npy mask.npy -o out.npy --size output=60x40": "60x40 elements 0 to 61 are read",
    "grey.npy mask.npy -o out.txt": "'.txt' is no format of arrays",
    "grey.npy mask.npy": "'-o FILE' says where",
    "grey.npy -o out.npy": "input 'mask' (uint8, 2 dimensions) has no file",
    "grey.npy mask.npy more.npy -o out.npy": "one file more than there are inputs",
    "grey.npy other=mask.npy -o out.npy": "no input is named 'other'",
    "grey.npy mask.npy amount=many -o out.npy": "'many' is no number",
    "grey.npy mask.npy amount=5000000000 -o out.npy": "does not hold 5000000000",
    "grey.npy mask.npy -o wrong=out.npy": "no output is named 'wrong'",
    "grey.npy mask.npy -o out.npy --size input=9x9": "the file of 'input' has its size",
    "grey.npy mask.npy -o out.npy --size output=9": "output has 2 dimensions, 1 sizes are given",
    "grey.npy floats.npy -o out.npy": "holds float64, input 'mask' is uint8",
    "grey.npy cube.npy -o out.npy": "has 3 dimensions (2x3x4)",
    "grey.npy missing.npy -o out.npy": "missing.npy: No such file",
    "grey.npy text.npy -o out.npy": "text.npy: ",
}


@pytest.mark.parametrize(("words", "said"), WRONG.items(), ids=list(WRONG))
def test_what_does_not_fit_is_refused_in_a_line(run: Run, words: str, said: str) -> None:
    np.save("floats.npy", np.zeros((40, 60)))
    np.save("cube.npy", np.zeros((4, 3, 2), np.uint8))
    np.save("more.npy", NOISE)
    Path("text.npy").write_text("no array")
    result = run("run", *BLEND, *words.split())
    assert result.returncode in (1, 2)
    assert said in result.stderr.decode()
    assert result.stderr.count(b"error: ") == 1
    assert not Path("out.npy").exists()


def test_a_file_without_halide_is_no_program(run: Run) -> None:
    Path("plain.cpp").write_text("int main() { return 0; }\n")
    result = run("run", "plain.cpp", "grey.npy", "-o", "out.npy")
    assert result.returncode == 1
    assert b"plain.cpp: is not Halide-like C++" in result.stderr
