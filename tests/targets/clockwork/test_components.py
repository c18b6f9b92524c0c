"""Funcs of several values at the array's ends, and arrays of all types in files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from s2s.cli.main import main

_SOURCE = Path(__file__).resolve().parents[2] / "transforms/clockwork/sources/components.cpp"


def test_each_component_is_a_stream(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["transform", str(_SOURCE), "--target", "clockwork", "-o", f"{tmp_path}/"]) == 0
    random = np.random.default_rng(3)
    real = random.integers(-(2**15), 2**15, (4, 7), np.int16)
    mask = random.integers(0, 256, (4, 7), np.uint8)
    np.save(tmp_path / "real.npy", real)
    np.save(tmp_path / "mask.npy", mask)
    words = ["simulate", f"{tmp_path}/", "--machine", "amber"]
    words += [f"--input={name}={tmp_path}/{name}.npy" for name in ("real", "mask")]
    words += [f"--output={name}={tmp_path}/{name}.npy" for name in ("sums", "signs")]
    assert main(words) == 0
    wide = real.astype(np.int32)
    wanted = wide[:3, :6] * mask[:3, 1:] - wide[1:, :6]
    sums, signs = (np.load(tmp_path / f"{name}.npy") for name in ("sums", "signs"))
    assert (sums.dtype, signs.dtype) == (np.int32, np.int8)
    assert np.array_equal(sums, wanted)
    assert np.array_equal(signs, np.where(wanted < 0, -1, 1))

    np.save(tmp_path / "mask.npy", mask.astype(np.int16) + 200)
    assert main(words) == 1
    assert "which 'mask' of type uint8 cannot hold" in capsys.readouterr().err


def test_pictures_whose_size_nobody_gives_are_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The definitions ask where they end, as the host repeats their edges."""
    source = Path(__file__).with_name("unsized_edges.cpp")
    assert main(["transform", str(source), "--target", "clockwork", "-o", f"{tmp_path}/"]) == 0
    assert "becomes a design of 611 cycles" in capsys.readouterr().err
