"""``s2s tune --target spatial`` as a user calls it."""

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

import s2s

Run = Callable[..., CompletedProcess[bytes]]

NETWORK = """Network two {
  Layer first { Type: GEMM Dimensions { M: 24, N: 32, K: 40 } }
  Layer second { Type: DSCONV Dimensions { C: 8, R: 3, S: 3, Y: 10, X: 10 } }
  Layer third { Type: GEMM Dimensions { M: 24, N: 32, K: 40 } }
}
"""


def test_a_network_is_one_table_and_is_remembered(run: Run) -> None:
    Path("two.m").write_text(NETWORK)
    arguments = (
        "tune", "two.m", "--target", "spatial", "--machine", "p2", "--effort", "12", "--jobs", "1",
        "--tune-cache", "cache", "-o", "best.m", "--json", "best.json", "--csv", "best.csv",
        "--plot", "front.svg",
    )  # fmt: skip
    first = run(*arguments)
    assert first.returncode == 0, first.stderr
    assert b"3 layers, 2 shapes on p2 for runtime" in first.stdout
    assert b"first .. third" in first.stdout
    assert Path("front.svg").read_bytes().startswith(b"<?xml")
    record = json.loads(Path("best.json").read_text())["records"][0]
    assert record["case"] == "first" and record["metric"] == "cycles"
    again = run(*arguments)
    assert again.stdout == first.stdout
    done = run("simulate", "best.m", "--machine", "p2", "--layer", "third")
    assert done.returncode == 0
    assert f"{int(record['value'])}".encode() in done.stdout
    found = s2s.tune("two.m", target="spatial", machine="p2", effort=12, cache="cache")
    assert found.layer("third").names == ("first", "third") and not found.missing
    assert found.layer("first").cycles == record["value"] and f"{found.cycles} cycles" in (
        first.stdout.decode()
    )
    assert found.text == Path("best.m").read_text()
    assert found.layer("second").directives.split() == (
        found.text[found.text.index("Layer second") :].partition("Layer third")[0].split()
    )


def test_one_layer_is_drawn(run: Run) -> None:
    Path("two.m").write_text(NETWORK)
    done = run(
        "tune", "two.m", "--target", "spatial", "--layer", "second", "--effort", "12",
        "--tune-cache", "",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    for words in (b"DRAM ", b"L2 ", b"array ", b"SpatialMap", b"lower bound", b"energy "):
        assert words in done.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--machine", "p3"), b"p3: No such file or directory"),
        (("--layer", "fourth"), b"the file has no layer 'fourth'"),
        (("--fix", "units:Q=3"), b"the layer has no dimension 'Q'"),
        (("--seconds", "3"), b"'--seconds' has no effect with '--target spatial'"),
        (("--limit", "pes=3"), b"'--limit' has no effect without '--target clockwork'"),
    ],
)
def test_mistakes_are_one_line(run: Run, arguments: tuple[str, ...], said: bytes) -> None:
    Path("two.m").write_text(NETWORK)
    done = run("tune", "two.m", "--target", "spatial", "--tune-cache", "", *arguments)
    assert done.returncode in (1, 2)
    assert said in done.stderr
    assert not done.stdout


NEST = Path(__file__).with_name("tune_mappings.c").read_text()


def test_a_nest_of_c_is_mapped_and_executed(run: Run) -> None:
    Path("scale.c").write_text(NEST)
    arguments = ("--target", "spatial", "--effort", "12", "--tune-cache", "", "-o", "scale.m")
    done = run("tune", "scale.c", *arguments)
    assert done.returncode == 0, done.stderr
    simulated = run("simulate", "scale.m", "--machine", "p1")
    assert b"values: all those of the plain loop nest" in simulated.stdout
    mapped = run("transform", "scale.c", "--target", "spatial", "--mapping", "scale.m")
    assert mapped.returncode == 0, mapped.stderr
    assert b"one processing element" in mapped.stdout


@pytest.mark.parametrize("option", ["--effort=-3", "--effort=0", "--jobs=0", "--seconds=nan"])
def test_a_search_needs_something_to_work_with(run: Run, option: str) -> None:
    Path("two.m").write_text(NETWORK)
    done = run("tune", "two.m", "--target", "spatial", "--machine", "p1", option)
    assert done.returncode == 2
    assert f"argument {option[: option.index('=')]}: '".encode() in done.stderr


def test_the_best_mapping_as_c(run: Run) -> None:
    """The source with its nest mapped, whose directives are those that are printed."""
    arguments = ("tune", "scale.c", "--target", "spatial", "--effort", "8", "--tune-cache", "")
    Path("scale.c").write_text(NEST)
    done = run(*arguments, "-o", "mapped.c")
    assert done.returncode == 0, done.stderr
    assert "s2s: mapped" in Path("mapped.c").read_text()
    read = run("explain", "mapped.c", "--target", "spatial")
    lines = [line.strip() for line in done.stdout.decode().splitlines()]
    maps = [line for line in lines if line.startswith("SpatialMap")]
    assert maps
    for line in maps:
        size = line[len("SpatialMap(") : line.index(",")]
        assert f"SpatialMap({size},".encode() in read.stdout
