"""The suite of pooling layers: small ones whole, and what the paper says where it is quick."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from s2s.cli.main import main


def test_small_layers_are_equal_in_all_variants(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "davinci.json"
    cases = "VGG16-1-forward,Xception-1-mask,InceptionV3-2-backward"
    words = ["bench", "davinci", "--size", "small", "--case", cases, "--json", str(out)]
    assert main(words) == 0
    records = json.loads(out.read_text())["records"]
    assert {r["metric"] for r in records} == {"cycles", "speedup"}
    assert "OUTPUTS DIFFER" not in capsys.readouterr().out


@pytest.mark.parametrize("stride", [1, 2, 3])
def test_strides_choose_as_published(stride: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "davinci", "--case", f"stride-{stride}-28"]) == 0
    said = capsys.readouterr().out
    assert said.count("(as published)") == 2
