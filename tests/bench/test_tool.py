"""How the harness runs s2s itself."""

from pathlib import Path

import pytest

from s2s.bench.programs.trial import run_tool
from s2s.tuning.measure import MeasurementError

_HERE = Path(__file__).parent

MATMUL = (_HERE / "product.c").read_text()


def source(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_files_of_a_program_go_together(tmp_path: Path) -> None:
    files = [source(tmp_path, "a.c", MATMUL), source(tmp_path, "b.c", "int b;\n")]
    done = run_tool(files, tmp_path / "new", ["-O2"], [])
    assert done.sources == (tmp_path / "new" / "a.c", tmp_path / "new" / "b.c")
    assert done.sources[0].read_text() != MATMUL
    assert done.sources[1].read_text() == "int b;\n"
    assert done.letters == "P"
    assert "held along 'k'" in done.note
    assert 0.0 < done.seconds < 60.0


def test_no_changed_byte_is_no_text(tmp_path: Path) -> None:
    done = run_tool([source(tmp_path, "a.c", "int a;\n")], tmp_path / "new", [], [])
    assert (done.sources, done.letters, done.note) == (None, "", "")


def test_options_and_flags_reach_s2s(tmp_path: Path) -> None:
    text = f"#ifdef WANTED\n{MATMUL}\n#endif\n"
    file = source(tmp_path, "a.c", text)
    assert run_tool([file], tmp_path / "1", [], []).sources is None
    assert run_tool([file], tmp_path / "2", ["-DWANTED"], ["--passes", "popp"]).sources is None
    assert run_tool([file], tmp_path / "3", ["-DWANTED"], []).sources is not None


def test_a_source_that_is_not_c_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(MeasurementError, match=r"not transformed: .*expected"):
        run_tool([source(tmp_path, "a.c", "int a\nint b;\n")], tmp_path / "new", [], [])
