"""Steps at a device's border: there and back."""

from typing import Any

import numpy as np
import pytest

from s2s.simulators.devices.borders import Borders
from s2s.source.offload import Argument
from s2s.transforms.outline import Function, Refused, change_layout, pad_to_multiple, quantize


def function(*extents: int, type: str = "float32") -> Function:
    return Function("f", "", (), (Argument("x", type, extents, "inout"),), {})


def there_and_back(made: Function, array: Any) -> tuple[Any, Any]:
    borders = Borders(made.borders)
    there = borders.to_device({"x": array})["x"]
    back = np.zeros_like(array)
    borders.from_device("x", there, back)
    return there, back


@pytest.mark.parametrize(
    ("have", "want", "c0", "shape"),
    [
        ("NCHW", "NHWC", 0, (2, 4, 6, 5)),
        ("NHWC", "NCHW", 0, (2, 5, 4, 6)),
        ("NCHW", "NC1HWC0", 16, (2, 1, 4, 6, 16)),
        ("NHWC", "NC1HWC0", 2, (2, 3, 4, 6, 2)),
    ],
)
def test_layouts(have: str, want: str, c0: int, shape: tuple[int, ...]) -> None:
    sizes = {"N": 2, "C": 5, "H": 4, "W": 6}
    extents = tuple(sizes[letter] for letter in have)
    array = np.arange(240, dtype=np.float32).reshape(extents)
    there, back = there_and_back(change_layout(function(*extents), "x", have, want, c0), array)
    assert there.shape == shape
    assert np.array_equal(back, array)
    plain = array.transpose([have.index(letter) for letter in "NCHW"])
    if "C1" in want:
        assert there[1, 4 // c0, 3, 2, 4 % c0] == plain[1, 4, 3, 2]
    else:
        place = {"N": 1, "C": 4, "H": 3, "W": 2}
        assert there[tuple(place[letter] for letter in want)] == plain[1, 4, 3, 2]


def test_padding() -> None:
    array = np.arange(15, dtype=np.float32).reshape(3, 5)
    there, back = there_and_back(pad_to_multiple(function(3, 5), "x", (4, 4)), array)
    assert there.shape == (4, 8)
    assert there[3:].sum() == there[:, 5:].sum() == 0
    assert np.array_equal(back, array)


def test_quantisation_is_off_by_half_a_step() -> None:
    array = np.random.default_rng(1).normal(size=(7, 9)).astype(np.float32)
    made = quantize(change_layout(function(7, 9), "x", "HW", "WH"), "x", "int8")
    there, back = there_and_back(made, array)
    step = np.abs(array).max() / 127
    assert (there.dtype, there.shape) == (np.int8, (9, 7))
    assert 0 < np.abs(back - array).max() <= step / 2 * 1.0001
    assert there_and_back(made, np.zeros_like(array))[1].any() == 0


def test_what_goes_with_no_layout() -> None:
    with pytest.raises(Refused, match="'NHW' is no layout of what is 'NCHW'"):
        change_layout(function(1, 2, 3, 4), "x", "NCHW", "NHW")
    with pytest.raises(Refused, match="'x' has 2 dimensions"):
        change_layout(function(1, 2), "x", "NCHW", "NHWC")
