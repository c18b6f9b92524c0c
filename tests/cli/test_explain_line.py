"""``s2s explain FILE:LINE`` works on the regions around the line only, and says the same of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from s2s.cli.commands import _explained
from s2s.cli.explanation import file_and_line
from s2s.cli.render import Sources
from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from s2s.source.diagnostics import UsageError

SOURCE = Path(__file__).with_name("explain_line.c").read_text()


def test_a_line_has_what_the_whole_file_has_of_it(tmp_path: Path) -> None:
    path = str(tmp_path / "two.c")
    Path(path).write_text(SOURCE)
    options = Options(explain=True)
    flags = ("-O3", "-fopenmp")
    whole = transform_file(path, flags, options)
    for line in (4, 11, 14):
        one = transform_file(path, flags, replace(options, line=line))
        said = _explained(one, path, line, Sources())
        assert said == _explained(whole, path, line, Sources())
        assert b"in function" in said
        assert len(one.explanation) < len(whole.explanation)
    one = transform_file(path, flags, replace(options, line=14))
    assert one.explanation.count("in function") == 2  # region and cycles of that loop alone
    nowhere = transform_file(path, flags, replace(options, line=7))
    assert _explained(nowhere, path, 7, Sources()) == f"{path}:7: no region here\n".encode()


def test_what_is_no_line_of_a_file_is_a_wrong_usage(tmp_path: Path) -> None:
    path = tmp_path / "two.c"
    path.write_text(SOURCE)
    count = SOURCE.count("\n")
    assert file_and_line(f"{path}:{count}") == (str(path), count)
    assert file_and_line("missing.c:3") == ("missing.c", 3)  # which is said to be missing
    for line in ("x", "", "-1", "0", f"{count + 1}", "\u00b2"):
        with pytest.raises(UsageError, match=f"no line.* {path}|{path} has {count} lines"):
            file_and_line(f"{path}:{line}")
    beside = tmp_path / "two.c:x"
    beside.write_text("")
    assert file_and_line(str(beside)) == (str(beside), None)
