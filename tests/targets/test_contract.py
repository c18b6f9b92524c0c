"""What every target does, whoever wrote it: both doors, its flags, output whole or not at all."""

from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any, NoReturn

import pytest

from s2s.driver import transform as driver
from s2s.net import Mismatch
from s2s.simulators.machine import find_machine
from s2s.targets.registry import OURS, find, names
from s2s.targets.target import Contractions, Nests, Programs, Target

_PROGRAMS = Path(__file__).parent / "contract"

Run = Callable[..., CompletedProcess[str]]

FILTER = (_PROGRAMS / "filter.c").read_text()
PIPELINE = (_PROGRAMS / "pipeline.cpp").read_text()
TARGETS = (*OURS, "toy")
PRINTING = (Nests, Contractions, Programs)
DOORS = {"c": ("x.c", FILTER, ()), "halide": ("x.cpp", PIPELINE, ("--size", "out=48x24"))}


@pytest.fixture(autouse=True)
def files(toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text, _ in DOORS.values():
        Path(name).write_text(text)
    Path("out").mkdir()


def arguments(target: str, door: str) -> tuple[str, ...]:
    name, _, sizes = DOORS[door]
    return ("transform", name, "-o", "out/", "--target", target, *sizes)


def sizes_mean_nothing(target: str, door: str) -> bool:
    found = find(target)
    return door == "halide" and not (found.has_passes or found.has_sizes)


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("target", TARGETS)
def test_takes_both_doors_or_says_why_not(run: Run, target: str, door: str) -> None:
    words = arguments(target, door)
    result = run(*(words[:-2] if sizes_mean_nothing(target, door) else words))
    written = list(Path("out").iterdir())
    if result.returncode:
        assert result.returncode == 1
        assert f"error: '--target {target}' has no use for this file: " in result.stderr
        assert not written
    else:
        assert written
        assert all(path.stat().st_size for path in written)
        assert "internal error" not in result.stderr


@pytest.mark.parametrize("target", TARGETS)
def test_is_listed_with_its_machines(run: Run, target: str) -> None:
    found = find(target)
    assert f"{target}\t{found.help}\n" in run("targets").stdout
    assert target in names()
    assert found.help
    assert "\n" not in found.help
    for machine in found.machines:
        assert find_machine(machine).name == machine


FLAGS = {  # for each flag of a target a word that it takes and one that it does not
    "emu": {"--emu-steps": ("fuse,home", "fuse,nosuch"), "--emu-headers": ("old", "nosuch")},
    "aie": {"--cores": ("4x4", "none")},
    "toy": {"--toy-indent": ("2", "two")},
    "spatial": {"--mapping": ("mine.m", "mine.c"), "--spatial-elements": ("16", "many")},
    "davinci": {
        "--variant": ("im2col", "nosuch"),
        "--accumulate": ("fp32", "fp64"),
        "--davinci-machine": ("ascend910-paper", "nosuch"),
    },
    "clockwork": {
        "--clockwork-memory": ("dual-port", "nosuch"),
        "--clockwork-sharing": ("muxes", "nosuch"),
        "--clockwork-clock": ("900", "fast"),
        "--clockwork-unroll": ("8", "many"),
    },
}


@pytest.mark.parametrize("target", TARGETS)
def test_flags_are_shown_and_checked(run: Run, target: str) -> None:
    options, flags = find(target).options, FLAGS.get(target, {})
    valued = [] if options is None else [f for f in fields(options) if f.type != "bool"]
    assert len(flags) == len(valued)
    shown = run("transform", "--help").stdout
    for flag, (right, wrong) in flags.items():
        assert flag in shown
        refused = run("transform", "x.c", "-o", "out/", "--target", target, flag, wrong)
        assert refused.returncode == 2
        assert flag in refused.stderr
        elsewhere = run("transform", "x.c", "-o", "out/", flag, right)
        assert elsewhere.returncode == 2
        assert len(refused.stderr.splitlines()) == len(elsewhere.stderr.splitlines()) == 1
    assert not list(Path("out").iterdir())


def with_wrong_output(target: Target) -> Target:
    """A target whose check finds a difference."""

    def fail(execute: bool) -> NoReturn:
        raise Mismatch("an element differs")

    def wrong(way: Any) -> Any:
        if not isinstance(way, PRINTING):
            return way
        emit = way.emit
        return replace(way, emit=lambda *given: replace(emit(*given), check=fail))

    return replace(target, c=wrong(target.c), halide=wrong(target.halide))


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("target", TARGETS)
def test_output_is_whole_or_nothing(
    run: Run, target: str, door: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    way = getattr(find(target), door)
    if not isinstance(way, PRINTING):
        pytest.skip("edits are left out one by one, and nothing comes of what is refused")
    probe = [word if word != "out/" else "probe/" for word in arguments(target, door)]
    if run(*probe).returncode == 1:
        pytest.skip("it has no use for a filter")
    broken = with_wrong_output(find(target))
    monkeypatch.setattr(driver, "find", lambda name: broken if name == target else find(name))
    result = run(*arguments(target, door))
    assert result.returncode == 70
    assert "internal error" in result.stderr
    assert not list(Path("out").iterdir())


def test_an_unknown_target_is_a_usage_error(run: Run) -> None:
    result = run("transform", "x.c", "--target", "abacus")
    assert result.returncode == 2
    assert "toy" in result.stderr
