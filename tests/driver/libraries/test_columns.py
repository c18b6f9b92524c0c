"""Windows in columns: one convolution, or what they are where others may read the columns."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from tests.driver.libraries.needs import needs_blas, needs_onednn
from tests.driver.libraries.test_random_programs import build, offload, output

SOURCE = Path(__file__).with_name("columns.c")


@needs_blas
@needs_onednn
def test_windows_in_columns_are_convolutions(tmp_path: Path) -> None:
    outcome = offload(SOURCE, "blas", "onednn")
    nests = json.loads(dict(outcome.companions)["manifest.json"])["nests"]
    called = {(n["function"], call) for n in nests for call in n["calls"]}
    windows = {name for name, call in called if call == "dnnl_convolution"}
    assert windows == {nest["function"] for nest in nests if nest["function"].startswith("one_")}
    products = {name for name, call in called if call == "cblas_sgemm"}
    assert len(products) == 4
    assert not products & windows
    host = tmp_path / "host"
    subprocess.run(["gcc", "-O1", "-w", SOURCE, "-o", host], check=True)
    assert output(build(tmp_path / "out", outcome)) == output(host)
