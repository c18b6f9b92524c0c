"""A vendor's package, installed by pip: its patterns, pass, code and simulator; no line of ours."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from s2s.source.offload import read_manifest
from tests.places import ROOT
from tests.targets.installing import OUTSIDE

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    words = ["install", "-q", "--no-deps", "--no-build-isolation", "--disable-pip-version-check"]
    command = [sys.executable, "-m", "pip", *words, "--target", str(folder)]
    done = subprocess.run([*command, str(OUTSIDE / "acc")], capture_output=True, text=True)
    if "No module named pip" in done.stderr:
        pytest.skip("there is no pip")
    assert done.returncode == 0, done.stderr
    return folder


def s2s(site: Path, *words: object) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(ROOT), str(site)])
    command = [sys.executable, "-m", "s2s", *map(str, words)]
    environment = {**os.environ, "PYTHONPATH": path}
    return subprocess.run(command, capture_output=True, text=True, env=environment)


def test_the_package_is_small() -> None:
    lines = (OUTSIDE / "acc" / "s2s_acc" / "__init__.py").read_text().splitlines()
    assert len(lines) <= 150


def test_what_it_takes_and_how_far_off_it_is(site: Path, tmp_path: Path) -> None:
    source, out = HERE / "conv_bias_relu.c", tmp_path / "out"
    done = s2s(site, "transform", source, "--offload", "acc", "-o", f"{out}/")
    assert done.returncode == 0, done.stderr
    assert "conv_bias_relu goes to acc as region_0: as a stream" in done.stderr
    (region,) = read_manifest(out).regions
    assert region.format == "bytes"
    assert (out / region.files[0]).read_bytes().startswith(b"ACC1")
    # What the region hands on to itself does not cross its border.
    assert {a.name: a.direction for a in region.arguments} == {
        "image": "in", "weights": "constant", "bias": "constant", "result": "out",
    }  # fmt: skip
    ran = s2s(site, "run", out, "--compare", "--json", tmp_path / "counted")
    assert ran.returncode == 0, ran.stderr
    (counted,) = json.loads((tmp_path / "counted").read_text())
    assert (counted["calls"], counted["on_host"]) == (1, 0)
    assert counted["amount"] == -(-15552 // 64)
    # Elements are off by half a step at most: 27 products of |x| <= 2.5 and |w| <= 9.
    x, w = 2.5, 9.0
    step_x, step_w = x / 127, w / 127
    most = 27 * (w * step_x / 2 + x * step_w / 2 + step_x * step_w / 4) + step_x * step_w / 2
    assert 0 < counted["error"] <= most


def test_why_a_match_is_rejected(site: Path, tmp_path: Path) -> None:
    text = (HERE / "conv_bias_relu.c").read_text().replace("float", "double")
    (tmp_path / "x.c").write_text(text)
    done = s2s(site, "transform", tmp_path / "x.c", "--offload", "acc", "-o", f"{tmp_path}/out/")
    assert done.returncode == 0
    why = "its elements are float64, and only float32 is quantised"
    assert f" is nothing for acc.conv_bias_relu: {why}" in done.stderr


def test_a_device_that_nobody_brings(tmp_path: Path) -> None:
    (tmp_path / "x.c").write_text("int main(void) { return 0; }\n")
    words = ("transform", tmp_path / "x.c", "--offload", "aie,acc", "-o", f"{tmp_path}/out/")
    done = s2s(tmp_path, *words)
    assert done.returncode == 1
    assert "error: no device is named 'acc' (there are: aie, davinci" in done.stderr


def test_it_is_among_the_plug_ins(site: Path) -> None:
    listed = s2s(site, "plugins")
    assert (listed.returncode, listed.stderr) == (0, "")
    assert "device\tacc\ts2s-acc 1.0\ts2s_acc\n" in listed.stdout
