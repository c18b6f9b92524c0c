"""``--offload`` and calls of functions: overloaded ones are told apart."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.driver.libraries.needs import needs_blas
from tests.driver.libraries.test_random_programs import offload, output

_PROGRAMS = Path(__file__).parent / "offload"


@needs_blas
@pytest.mark.parametrize("place", ["in the file", "in a header", "elsewhere"])
def test_overloaded_functions_are_not_taken_for_each_other(tmp_path: Path, place: str) -> None:
    source, other = tmp_path / "overloaded.cpp", tmp_path / "other.cpp"
    program = (_PROGRAMS / "overloaded.cpp").read_text()
    meant = re.search(r".*act\(int v\).*\n", program)
    assert meant is not None
    text, more = program, [str(other)]
    other.write_text("")
    if place != "in the file":
        text = text.replace(meant[0], '#include "act.h"\n').replace("static double w", "double w")
        inline = "extern double y[];\nstatic " + meant[0].removeprefix("static ")
        declared = "double act(int v);\n"
        (tmp_path / "act.h").write_text(inline if place == "in a header" else declared)
        text = text.replace("x[40], y[40]", "x[40]").replace(
            "static int b", "double y[40];\nstatic int b"
        )
        if place == "elsewhere":
            other.write_text("extern double y[];\n" + meant[0].removeprefix("static "))
    source.write_text(text)
    outcome = offload(source, "blas")
    host, made = tmp_path / "host", tmp_path / "out"
    subprocess.run(["g++", "-O1", source, *more, "-o", host], check=True)
    made.mkdir()
    for name, data in ((outcome.name, outcome.text), *outcome.companions):
        (made / name).write_bytes(data)
    subprocess.run(["make", "-s", "-C", made, "CFLAGS=-O1 -w", f"LDLIBS={other} -lm"], check=True)
    assert output(made / "overloaded") == output(host)
