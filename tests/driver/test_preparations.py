"""How often a file is parsed again for regions whose text is prepared."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s.driver import preparations
from s2s.driver.options import Options
from s2s.driver.regions import Regions
from s2s.driver.remarks import Remarks
from s2s.frontends.c.parse import parse_as_compiled
from s2s.frontends.c.regions import functions
from s2s.scop.allowance import Allowance
from s2s.source import SourceBuffer

ROW = "static void row(int n, double *r) { for (int j = 1; j < n; j++) r[j] += r[j - 1]; }\n"
CALLS = "".join(
    f"void rows_{k}(int n, double a[n][n]) {{ for (int i = 0; i < n; i++) row(n, a[i]); }}\n"
    for k in range(3)
)


@pytest.mark.parametrize("most, left_out", [(0, 2), (64_000_000, 0)])
def test_so_many_bytes_are_parsed_again(
    most: int, left_out: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, data = tmp_path / "x.c", (ROW + CALLS).encode()
    path.write_bytes(data)
    unit = parse_as_compiled(SourceBuffer(str(path), data), ("-O2",))
    monkeypatch.setattr(preparations, "MOST_READ", most)
    options = Options()
    remarks = Remarks(unit, options, Allowance())
    regions = Regions(unit, options, remarks)
    for function in functions(unit, every=True):
        list(regions.edits(function))
    said = [d.location.line for d in remarks.diagnostics if "not prepared" in d.text and d.location]
    assert said == [4 - k for k in reversed(range(left_out))]
    prepared = 3 - left_out
    assert unit.read_again[0] >= prepared * len(data)
