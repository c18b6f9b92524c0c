"""Programs whose regions run on simulated devices, from the command line to the numbers."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from s2s.cli import main as cli
from s2s.source.offload import read_manifest
from tests.places import ROOT

HERE = Path(__file__).parent
PIPELINE = """\
#include "Halide.h"
using namespace Halide;
class Conv : public Generator<Conv> {
public:
    Input<Buffer<float, 3>> input{"input"};
    Input<Buffer<float, 4>> filter{"filter"};
    Output<Buffer<float, 3>> output{"output"};
    void generate() {
        Var x("x"), y("y"), k("k");
        RDom r(0, 8, 0, 3, 0, 3);
        Func conv("conv");
        conv(x, y, k) = 0.0f;
        conv(x, y, k) += input(x + r.y, y + r.z, r.x) * filter(r.y, r.z, r.x, k);
        output(x, y, k) = max(conv(x, y, k), 0.0f);
        conv.compute_root();
        output.bound(x, 0, 32).bound(y, 0, 32).bound(k, 0, 16);
    }
};
HALIDE_REGISTER_GENERATOR(Conv, conv)
"""


def run_natively(source: Path, folder: Path) -> str:
    program = folder / "reference"
    subprocess.run(["gcc", "-O1", "-w", str(source), "-o", str(program), "-lm"], check=True)
    return subprocess.run([program], capture_output=True, text=True, check=True).stdout


def test_one_program_on_three_devices(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source, out = HERE / "three_devices.c", tmp_path / "out"
    words = ["transform", str(source), "--offload", "aie,davinci,cgra", "-o", f"{out}/"]
    assert cli.main([*words, "--no-check"]) == 0
    assert "goes to davinci as region_3" in capfd.readouterr().err
    manifest = read_manifest(out)
    devices = [region.device for region in manifest.regions]
    assert devices == ["clockwork", "aie", "clockwork", "davinci"]
    assert [a.direction for a in manifest.region("region_1").arguments] == [
        "in", "constant", "out",
    ]  # fmt: skip
    record = tmp_path / "run.json"
    assert cli.main(["run", str(out), "--json", str(record)]) == 0
    assert capfd.readouterr().out == run_natively(source, tmp_path)
    counted = json.loads(record.read_text())
    assert [(one["calls"], one["on_host"]) for one in counted] == [(1, 0)] * 4
    assert all(one["amount"] > 0 for one in counted)
    # Without any device the program is what it was, and says once that it is alone.
    alone = subprocess.run(
        [out / "three_devices"], capture_output=True, text=True,
        env={**os.environ, "S2S_PYTHON": "/nonexistent/python"},
    )  # fmt: skip
    assert alone.stdout == run_natively(source, tmp_path)
    assert alone.stderr.count("the host runs its own text") == 4


def offload(source: Path, out: Path, *words: str) -> list[str]:
    """Devices of the regions that a program gets."""
    command = ["transform", str(source), "-o", f"{out}/", "--no-check", *words]
    assert cli.main(command) == 0
    return [region.device for region in read_manifest(out).regions]


def test_a_convolution_on_a_spatial_accelerator(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    source, out = HERE / "spatial.c", tmp_path / "out"
    assert offload(source, out, "--offload", "spatial") == ["spatial"]
    capfd.readouterr()
    assert cli.main(["run", str(out), "--compare"]) == 0
    ran = capfd.readouterr()
    assert ran.out == run_natively(source, tmp_path)
    # 8 processing elements, 3 * 14 * 14 tiles of 3 x 3: no fewer cycles than multiplications.
    cycles = int(ran.err.splitlines()[1].split()[6].replace(",", ""))
    assert cycles >= 3 * 14 * 14 * 9
    assert "1 regions, 1 run on devices" in ran.err


def test_a_sum_of_products_of_floats_in_integers(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    source, out = HERE / "float_product.c", tmp_path / "out"
    assert offload(source, out, "--offload", "aie") == []
    assert "and the kernels are of integers" in capfd.readouterr().err
    assert offload(source, out, "--offload", "aie", "--offload-lossy") == ["aie"]
    record = tmp_path / "run.json"
    assert cli.main(["run", str(out), "--compare", "--json", str(record)]) == 0
    (counted,) = json.loads(record.read_text())
    assert counted["on_host"] == 0
    # 27 products leave 14 bits for each factor: |x| <= 11 / 3, |w| <= 6 / 7.
    x, w = 11 / 3, 6 / 7
    step_x, step_w = x / 8191, w / 8191
    most = 27 * (w * step_x / 2 + x * step_w / 2 + step_x * step_w / 4)
    assert 0 < counted["error"] <= most + 27 * x * w * 2**-22


def test_what_multiplies_nothing_stays_on_the_host_by_the_published_rule(tmp_path: Path) -> None:
    source = ROOT / "benchmarks/offload/detection.c"
    every = offload(source, tmp_path / "none", "--offload", "cgra")
    macs = offload(source, tmp_path / "macs", "--offload", "cgra", "--offload-rule", "macs")
    assert (len(every), len(macs)) == (7, 1)
    time = offload(source, tmp_path / "time", "--offload", "cgra", "--offload-rule", "time")
    assert time == []


def test_parallel_loops_over_subscripts_in_memory_on_emu(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    source, out = HERE / "gather.c", tmp_path / "out"
    assert cli.main(["transform", str(source), "-o", f"{out}/", "--offload", "emu"]) == 0
    assert "none of its loops is said to be parallel" in capfd.readouterr().err
    (region,) = read_manifest(out).regions
    assert region.device == "emu"
    assert b"cilk_spawn_at(" in (out / region.files[0]).read_bytes()
    record = tmp_path / "run.json"
    assert cli.main(["run", str(out), "--compare", "--json", str(record)]) == 0
    assert capfd.readouterr().out == run_natively(source, tmp_path)
    (counted,) = json.loads(record.read_text())
    assert (counted["on_host"], counted["error"]) == (0, 0)


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc")
def test_kernels_for_cuda_or_the_host_where_there_is_no_device(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    source, out = HERE / "rows.c", tmp_path / "out"
    assert offload(source, out, "--offload", "cuda") == ["cuda"]
    capfd.readouterr()
    assert cli.main(["run", str(out), "--compare", "--json", str(tmp_path / "run.json")]) == 0
    assert capfd.readouterr().out == run_natively(source, tmp_path)
    (counted,) = json.loads((tmp_path / "run.json").read_text())
    assert (counted["calls"], counted["error"]) == (1, 0)


def test_explaining(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source = HERE / "three_devices.c"
    assert cli.main(["explain", str(source), "--offload", "aie,davinci", "--no-check"]) == 0
    said = capfd.readouterr().out.splitlines()
    assert f"{source}:13: convolution: aie.product could take it; aie has it in region_0" in said
    assert f"{source}:21: elementwise: the host keeps it (no pattern is for it)" in said
    assert f"{source}:33: loops: the host keeps it (no pattern is for it)" in said
    share = "on devices: 2 of 5 nests and operations, 2304 of 2304 multiplications (100 %)"
    assert share in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--offload", "aie,aie", "-o", "out/"], "'aie,aie' is no list of different devices"),
        (["--offload", "aie"], "'--offload' writes several files: '-o DIRECTORY/'"),
        (["--offload-rule", "macs"], "'--offload-rule' has no effect without '--offload'"),
        (["--offload", "aie", "--target", "aie", "-o", "out/"],
         "'--target' has no effect with '--offload'"),
        (["y.c", "--offload", "aie", "-o", "out/"],
         "'--offload' to devices takes a program of one file"),
    ],
)  # fmt: skip
def test_usage(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    for name in ("x.c", "y.c"):
        Path(name).write_text("int main(void) { return 0; }\n")
    assert cli.main(["transform", "x.c", *words]) == 2
    assert said in capfd.readouterr().err


def test_it_takes_c_alone(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "x.cpp"
    source.write_text("int main() { return 0; }\n")
    assert cli.main(["transform", str(source), "--offload", "aie", "-o", f"{tmp_path}/out/"]) == 1
    assert "x.cpp:1:1: error: '--offload' to devices takes a program in C" in capfd.readouterr().err


def test_pipelines_become_c_before(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source, out = tmp_path / "conv.cpp", tmp_path / "out"
    source.write_text(PIPELINE)
    assert cli.main(["explain", str(source), "--offload", "blas"]) == 1
    assert "make C of this pipeline first, 's2s transform FILE -o DIR/'" in capfd.readouterr().err
    assert cli.main(["transform", str(source), "-o", f"{out}/"]) == 0
    assert cli.main(["explain", str(out / "conv.c"), "--offload", "onednn"]) == 0
    assert "conv: convolution -> dnnl_convolution" in capfd.readouterr().out


def test_a_folder_that_is_none_of_ours(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "manifest.json").write_text('{"format": 7}')
    assert cli.main(["run", str(tmp_path)]) == 1
    assert "is no manifest of offloaded regions: format 7, not 1" in capfd.readouterr().err
