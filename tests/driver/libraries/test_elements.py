"""Softmax, functions of elements and sums by libraries: exact enough, and no look-alikes."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from s2s.cli.verify_reference import add_checks, read_checks
from tests.driver.libraries.needs import needs_blas, needs_onednn
from tests.driver.libraries.test_random_programs import offload

SOURCE = Path(__file__).with_name("elements.c")
TAKEN = {
    "softmax: by dnnl_softmax": 3,
    "tanh: by dnnl_eltwise": 1,
    "logistic: by dnnl_eltwise": 1,
    "matvec, elementwise, logistic: by cblas_sgemv, dnnl_eltwise": 1,
    "add: by cblas_sgemv with ones": 1,
    "add: by cblas_dgemv with ones": 1,
    "add: by cblas_ddot with ones": 1,
    "convolution: by cblas_dgemm of windows": 1,
    "convolution: by dnnl_convolution": 1,
    "outer: by cblas_dger": 1,
    "fill, matmul: by cblas_dsyrk": 1,
    "fill, convolution: by dnnl_convolution": 1,
    "elementwise, matmul: by cblas_sgemm": 1,
}


@needs_blas
@needs_onednn
def test_elements_and_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = offload(SOURCE, "blas", "onednn")
    said = [d.text for d in outcome.diagnostics]
    for text, count in TAKEN.items():
        assert sum(s.startswith(text) for s in said) == count, text
    for name, data in ((outcome.name, outcome.text), *outcome.companions):
        (tmp_path / name).write_bytes(data)
    linked = add_checks(tmp_path)
    made = ["make", "-s", "-C", str(tmp_path), "CFLAGS=-O1 -w", f"LDLIBS={linked} -lm"]
    subprocess.run(made, check=True)
    host_made = ["gcc", "-O1", str(SOURCE), "-o", str(tmp_path / "host"), "-lm"]
    subprocess.run(host_made, check=True)
    monkeypatch.setenv("S2S_CHECKED", str(tmp_path / "checks"))
    host, ours = (
        subprocess.run([tmp_path / name], capture_output=True, text=True, check=True).stdout
        for name in ("host", "elements")
    )
    wanted = [float(word) for word in host.split()]
    assert [float(word) for word in ours.split()] == pytest.approx(wanted, 1e-4, nan_ok=True)
    checked = read_checks(tmp_path / "checks")
    assert checked is not None
    assert checked.results > 100_000
    assert 0 < checked.worst < 1
