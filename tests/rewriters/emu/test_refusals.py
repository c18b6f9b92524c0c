"""What cannot be emitted for Emu is refused where it stands."""

from pathlib import Path

import pytest

from s2s.source.diagnostics import UserError
from tests.rewriters.emu.emitted import text

_PROGRAMS = Path(__file__).parent / "refusals"


def test_cxx_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "program.cc"
    path.write_text("int main() { return 0; }\n")
    with pytest.raises(UserError) as caught:
        text(path)
    assert "C++" in caught.value.diagnostics[0].text


def test_places_in_headers_are_those_of_the_header(tmp_path: Path) -> None:
    (tmp_path / "loop.h").write_text("\n#pragma omp task\n")
    path = tmp_path / "program.c"
    path.write_text((_PROGRAMS / "broken.h").read_text())
    with pytest.raises(UserError) as caught:
        text(path)
    said = caught.value.diagnostics[0]
    assert said.location is not None
    assert (said.location.path, said.location.line) == (str(tmp_path / "loop.h"), 2)
