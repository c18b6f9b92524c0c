"""Products of integers by BLAS: bit for bit, whatever the numbers are."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.driver.libraries.needs import needs_blas
from tests.driver.libraries.test_random_programs import offload

SOURCE = Path(__file__).with_name("integers.c")


@needs_blas
def test_products_of_integers_are_exact(tmp_path: Path) -> None:
    outcome = offload(SOURCE, "blas")
    said = [d.text for d in outcome.diagnostics]
    assert sum("by cblas_dgemm of integers" in text for text in said) == 6
    assert not any("epsilon" in text for text in said)
    assert "[no operator]" in said[6]
    for name, data in ((outcome.name, outcome.text), *outcome.companions):
        (tmp_path / name).write_bytes(data)
    subprocess.run(["make", "-s", "-C", tmp_path, "CFLAGS=-O1 -fwrapv -Werror -Wall"], check=True)
    host = tmp_path / "host"
    subprocess.run(["gcc", "-O1", "-fwrapv", str(SOURCE), "-o", str(host)], check=True)
    want, got = (
        subprocess.run([p], capture_output=True, text=True, check=True).stdout
        for p in (host, tmp_path / "integers")
    )
    assert got == want
    assert len(set(want.split())) > 20
