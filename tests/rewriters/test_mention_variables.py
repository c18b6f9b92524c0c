"""Variables that rewritten loops leave unused are named, so that compilers do not warn of them."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from s2s.driver.options import Options
from s2s.driver.transform import transform_file

SOURCE = Path(__file__).with_name("counters.c")


def test_counters_of_a_function(tmp_path: Path) -> None:
    options = Options(passes=("jam",), force=True)
    text = transform_file(str(SOURCE), ("-fopenmp",), options).text
    multiply, threads, listed = re.split(rb"\n\w+ multiply_\w+", text)
    assert re.findall(rb"\(void\)(\w+);", multiply) == [b"i", b"j", b"k"]
    assert re.findall(rb"\(void\)(\w+);", threads) == [b"factor", b"j", b"k"]
    assert re.findall(rb"\(void\)(\w+);", listed) == [b"i", b"j", b"k"]
    new = tmp_path / "new.c"
    new.write_bytes(text)
    command = ["gcc", "-fopenmp", "-Wall", "-Wextra", "-Werror", "-c", str(new)]
    done = subprocess.run([*command, "-o", str(tmp_path / "new.o")], capture_output=True, text=True)
    assert not done.stderr
