"""Refusals name the line that they are about."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s.cli import main as cli
from s2s.scop.errors import Inexpressible
from s2s.scop.expressions import INT32, Const, Variable
from s2s.scop.nest import Block, For, Node, Store
from s2s.source import Span
from s2s.transforms.nest.unroll import unroll_loops

_SOURCE = Path(__file__).with_name("whereabouts.cpp").read_text()
# There is no C type for the two bits in which halves of booleans are.
_BAD = "cast<int32_t>(halving_add(input({}), input(0, 0)))"


@pytest.mark.parametrize("places", ["x, y", "0, 1"])
@pytest.mark.parametrize(("which", "line"), [("FIRST", 11), ("SECOND", 12)])
def test_values_without_c_have_a_line(
    which: str, line: int, places: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text = _SOURCE.replace(which, _BAD.format(places)).replace("FIRST", "7").replace("SECOND", "7")
    said = _refused(text, [], tmp_path, capfd)
    assert f"g.cpp:{line}:9: error: no C for this pipeline" in said


def test_sizes_of_another_rank_have_a_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text = _SOURCE.replace("FIRST", "7").replace("SECOND", "7")
    said = _refused(text, ["--size", "output=4x5x6"], tmp_path, capfd)
    assert "error: output has 2 dimensions, 3 sizes are given" in said
    assert "g.cpp:1:1" not in said


def test_loops_without_c_have_the_line_of_their_definition() -> None:
    def loop(name: str, func: str, body: Node) -> For:
        extent = Variable(INT32, "n")
        return For(name, Const(INT32, 0), extent, "unrolled", body, func, 0, name)

    def store(tensor: str, at: Span) -> Store:
        return Store(tensor, (), (Const(INT32, 1),), tensor, at=at)

    inner, outer = Span(10, 12), Span(20, 22)
    body = loop("x", "output", Block((store("f", inner), store("output", outer))))
    with pytest.raises(Inexpressible, match="unrolled loop x") as refused:
        unroll_loops(body)
    assert refused.value.at == outer


def _refused(text: str, flags: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> str:
    path = tmp_path / "g.cpp"
    path.write_text(text)
    assert cli.main(["transform", *flags, str(path), "-o", str(tmp_path / "g.c")]) == 1
    return capfd.readouterr().err
