"""Arrays in files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from s2s.simulators.amber.data import read, write
from s2s.source.diagnostics import UserError


@pytest.mark.parametrize("kind", ["int8", "uint16", "int32", "float32", "bool"])
def test_arrays_keep_their_type(tmp_path: Path, kind: str) -> None:
    values = np.array([[-2, 0, 1], [3, -4, 100]]).astype(kind)
    write(f"{tmp_path}/a.npy", values)
    found = read(f"{tmp_path}/a.npy", floats=True)
    assert found.dtype == values.dtype and np.array_equal(found, values)


@pytest.mark.parametrize("values", [np.array([[0.5]]), np.array([[-1]])])
def test_images_have_no_such_values(tmp_path: Path, values: np.ndarray) -> None:
    with pytest.raises(UserError, match="are no image"):
        write(f"{tmp_path}/a.pgm", values)
