"""Layers spread over cores: the graph's files, run on the simulator, give the program's output."""

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

from s2s.cli import main as cli
from s2s.transforms.aie import chain
from tests.targets.aie.random_layers import layers

_plan_chain = cache(chain.plan_chain)
FOLDER = Path(__file__).with_name("graphs")
CASES = {
    "layer": ("int8_t", "one, two, three", "(void *)one, (void *)two, three, (void *)wanted"),
    "product": ("int16_t", "one, two", "(void *)one, (void *)two, (void *)wanted"),
}


def transform(name: str, shape: str, folder: Path) -> None:
    source = str(FOLDER / f"{name}.c")
    words = ["--target", "aie", "--cores", shape, "--no-check", "--remarks", "none"]
    assert cli.main(["transform", source, *words, "-o", f"{folder}/"]) == 0


def host(name: str, folder: Path) -> None:
    """The program of a user around the header."""
    type_, given, call = CASES[name]
    words = {
        "SOURCE": f'"{FOLDER / name}.c"',
        "WINDOWS": f'"{folder / name}_windows.h"',
        "TYPE": type_,
        "WRITE": f'{name}_write({given}, "data")',
        "READ": f'{name}_read(found, "data")',
        "CALL": f"{name}({call})",
    }
    flags = [f"-D{key}={value}" for key, value in words.items()]
    command = ["gcc", "-O1", "-w", *flags, str(FOLDER / "main.c"), "-o", "host"]
    subprocess.run(command, check=True, cwd=folder)
    (folder / "data").mkdir()
    subprocess.run(["./host"], check=True, cwd=folder)


@pytest.mark.parametrize(
    ("name", "shape"), [("product", "1x2"), ("layer", "2x2"), ("layer", "4x4")]
)
def test_values(name: str, shape: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    transform(name, shape, tmp_path)
    host(name, tmp_path)
    assert cli.main(["simulate", str(tmp_path), "--machine", "aie1"]) == 0
    said = capsys.readouterr().out
    cores = len(re.findall(r"^core\[", said, re.M))
    rows, columns = map(int, shape.split("x"))
    assert cores == rows * columns
    assert subprocess.run(["./host", "read"], check=False, cwd=tmp_path).returncode == 0


@pytest.fixture
def plan_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plan the same layers once: what is done with the plan is what is tested."""
    monkeypatch.setattr(chain, "plan_chain", _plan_chain)


@pytest.mark.usefixtures("plan_once")
@pytest.mark.parametrize("seed", [1])
def test_random_layers(seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Layers one after the other: what leaves was run beside the program."""
    made = layers(seed)
    source = tmp_path / "net.c"
    source.write_text(made.text)
    words = ["--target", "aie", "--cores", made.shape, "--strict", "-o", f"{tmp_path}/out/"]
    assert cli.main(["transform", str(source), *words]) == 0
    said = capsys.readouterr().err
    assert "layers one after the other" in said and "not compared" not in said


def test_layers_need_cores(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "net.c"
    source.write_text(layers(1).text)
    assert cli.main(["transform", str(source), "--target", "aie"]) == 1
    assert "3 layers one after the other: --cores ROWSxCOLUMNS" in capsys.readouterr().err


@pytest.mark.usefixtures("plan_once")
def test_rows_that_are_mixed_up_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from s2s.emitters.aie.kept import KeptText

    monkeypatch.setattr(KeptText, "_copied", lambda self: iter(()))
    source = tmp_path / "net.c"
    source.write_text(layers(1).text)
    words = ["--target", "aie", "--cores", "2x4", "--strict", "-o", f"{tmp_path}/out/"]
    assert cli.main(["transform", str(source), *words]) == 70


def test_a_difference_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What leaves was run beside the program: a graph that mixes its streams up is not written."""
    from s2s.emitters.aie import graph

    files = graph.files

    def mixed(text: graph.GraphText) -> dict[str, str]:
        found: dict[str, str] = files(text)
        found["graph.h"] = re.sub(r"(?<=<>\(a\[)[^]]*", "0", found["graph.h"])
        return found

    monkeypatch.setattr(graph, "files", mixed)
    source = str(FOLDER / "product.c")
    words = ["--target", "aie", "--cores", "1x2", "--remarks", "none", "--strict"]
    assert cli.main(["transform", source, *words, "-o", f"{tmp_path}/"]) == 70
    assert not (tmp_path / "graph.h").exists()


def test_what_no_core_can_hold_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "large.c"
    text = (FOLDER / "product.c").read_text()
    source.write_text(text.replace("[32]", "[1024]").replace("< 32", "< 1024"))
    words = ["--target", "aie", "--cores", "1x2", "-o", f"{tmp_path}/out/"]
    assert cli.main(["transform", str(source), *words]) == 1
    said = capsys.readouterr().err
    assert "large.c:3:" in said and "'product' cannot be mapped: cores: no tile" in said


@pytest.mark.parametrize("shape", ["4", "0x4", "9x9", "4x51", "x"])
def test_shapes(shape: str, capsys: pytest.CaptureFixture[str]) -> None:
    source = str(FOLDER / "product.c")
    assert cli.main(["transform", source, "--target", "aie", "--cores", shape]) == 2
    assert "--cores" in capsys.readouterr().err
