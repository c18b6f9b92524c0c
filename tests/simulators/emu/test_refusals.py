"""What the simulator does not run it says, with the place."""

from pathlib import Path

import pytest

from s2s.cli import main as cli
from s2s.simulators.emu.dialect import parse
from s2s.simulators.emu.translation import translate
from s2s.source.diagnostics import UserError
from tests.simulators.emu.running import run_text

_PROGRAMS = Path(__file__).parent / "refusals"

# Each line that is marked is where the error is.
REFUSED = {
    "s2s-emu-main": "void start(void) {}",
    "s2s-emu-syntax": "int main(void) {\n  return 0 0; // here\n}",
    "s2s-emu-preprocessor": '#include "missing.h"\n',
    "s2s-emu-spawn": ((_PROGRAMS / "spawn.c").read_text()),
    "s2s-emu-link": (
        "#include <memoryweb.h>\nextern replicated long x; // here\nint main(void) { return x; }"
    ),
    "s2s-emu-unsupported jump": ((_PROGRAMS / "jump.c").read_text()),
    "s2s-emu-unsupported case": ((_PROGRAMS / "case.c").read_text()),
    "s2s-emu-cilk-for break": ((_PROGRAMS / "cilk_for_break.c").read_text()),
    "s2s-emu-cilk-for variable": ((_PROGRAMS / "cilk_for_variable.c").read_text()),
    "s2s-emu-cilk-for away": ((_PROGRAMS / "cilk_for_away.c").read_text()),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusal(name: str, tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(REFUSED[name])
    with pytest.raises(UserError) as raised:
        translate(parse(path, "gcc"))
    (diagnostic,) = raised.value.diagnostics
    assert diagnostic.id == name.split()[0]
    marked = [k for k, line in enumerate(REFUSED[name].splitlines(), 1) if "here" in line]
    if marked:
        assert diagnostic.location is not None
        assert diagnostic.location.path == str(path)
        # The parser may notice only at the next word.
        assert diagnostic.location.line in (
            marked[0],
            marked[0] + (name == "s2s-emu-cilk-for break"),
        )


def test_a_program_that_dies_says_of_what(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="SIGSEGV"):
        run_text(tmp_path, "int main(void) { long *p = 0; return p[1]; }")
    with pytest.raises(UserError, match="a nodelet's memory is full"):
        run_text(
            tmp_path,
            "#include <memoryweb.h>\nint main(void) { return mw_malloc1dlong(1l << 20) == 0; }",
            values={"bytes_per_nodelet": 1 << 20},
        )


def test_the_command_reports_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "program.c"
    path.write_text("int main(void) { return 0 }\n")
    assert cli.main(["simulate", str(path), "--machine", "emu-chick"]) == 1
    assert f"{path}:1:" in capsys.readouterr().err
    bad = ["simulate", str(path), "--machine", "emu-chick"]
    assert cli.main([*bad, "--stats", "nothing"]) == 2
    assert cli.main([*bad, "--set", "nodelets=0"]) == 1
    assert "'nodelets'" in capsys.readouterr().err
    assert cli.main([*bad, "--set", "color=1"]) == 1
    assert cli.main([*bad, "--graph", "rmat:size=3"]) == 1
    assert "rmat takes scale" in capsys.readouterr().err
