"""Methods of class templates as kernels."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from s2s.simulators.aie.execute import execute
from s2s.simulators.aie.reading.read import read
from s2s.simulators.aie.timing.estimate import estimate
from s2s.simulators.aie.timing.machine import load
from s2s.source.diagnostics import UserError

_PROGRAMS = Path(__file__).parent / "classes"

SOURCE = Path(__file__).with_name("classes") / "pool.cc"
Data = np.ndarray[Any, Any]


def pooled(kind: str, given: dict[str, Any]) -> Data:
    program = read(SOURCE.read_text(), str(SOURCE), function=f"ScaledPool<{kind}, 8, 8>::filter")
    found: Data = execute(program, given).arrays["out"]
    return found[:16]


def test_instances_of_two_types() -> None:
    random = np.random.default_rng(3)
    image, scale = random.integers(-100, 100, 64), random.integers(1, 90, 8)
    most = image.reshape(4, 2, 4, 2).max(axis=(1, 3))
    numbers = {"in": image, "scale": scale, "shift_given": 5, "bias_given": -3}
    wanted = ((most * scale[::2] + 16) >> 5) - 3
    np.testing.assert_array_equal(pooled("int16_t", numbers), wanted.ravel())
    floats = {**numbers, "in": image / 8, "scale": scale / 4, "bias_given": 0.25}
    wanted = (most / 8) * (scale[::2] / 4) + 0.25
    np.testing.assert_array_equal(pooled("float_t", floats), wanted.ravel().astype(np.float32))


def test_the_only_kernel_needs_no_name() -> None:
    """A class without parameters, or a template that the file gives values to."""
    source = SOURCE.with_name("only.cc").read_text()
    plain, made = source.split("// ---\n")
    for text, by in ((plain, 2), (made, 3)):
        found = execute(read(text, "only.cc"), {"in": np.arange(16), "by": 2}).arrays["out"]
        np.testing.assert_array_equal(found, by * np.arange(16))
    with pytest.raises(UserError) as caught:
        read(source, "only.cc")
    said = caught.value.diagnostics[0].text
    assert "--function 'Doubler::run' or 'Scale<16, -3>::filter' chooses one" in said


def test_constructors_take_no_cycles_of_a_call() -> None:
    source = SOURCE.with_name("only.cc").read_text().split("// ---\n")[0]
    longer = source.replace(
        ": kept(by) {}", ": kept(by) { for (int n = 0; n < by; n++) kept /= 3; }"
    )
    plain, other = (read(text, "only.cc") for text in (source, longer))
    found = execute(other, {"in": np.arange(16), "by": 2}).arrays["out"]
    np.testing.assert_array_equal(found, 0 * np.arange(16))
    assert estimate(other, load()).total == estimate(plain, load()).total


@pytest.mark.parametrize(
    ("function", "word", "said"),
    [
        (None, "ScaledPool", "is a class: --function 'ScaledPool<T, ROWS, COLUMNS>::filter'"),
        ("Pool<int>::filter", "", "there is no class 'Pool'"),
        ("ScaledPool<int, 8>::filter", "template", "takes 3 arguments <T, ROWS, COLUMNS>"),
        ("ScaledPool<int, 8, 8>::run", "template", "has no method 'run' with a body"),
    ],
)
def test_what_is_chosen_wrongly(function: str | None, word: str, said: str) -> None:
    with pytest.raises(UserError) as caught:
        read(SOURCE.read_text(), str(SOURCE), function=function)
    (told,) = caught.value.diagnostics
    assert said in told.text
    assert told.location is not None
    line = Path(told.location.path).read_text().splitlines()[told.location.line - 1]
    assert line[told.location.column - 1 :].startswith(word)


def test_words_of_streams_by_their_numbers() -> None:
    text = (_PROGRAMS / "streams_by_numbers.c").read_text()
    program = read(text, "k.cc", function="Merge<2>::filter")
    given = {"a": np.arange(8), "b": np.arange(10) / 4}
    found = execute(program, given).arrays
    np.testing.assert_array_equal(found["c"], np.arange(10) / 4)
    np.testing.assert_array_equal(found["d"], [0, 1])
