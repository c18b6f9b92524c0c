"""Few files that were transformed are kept: each holds the parser's tree and open headers."""

import gc
from pathlib import Path

from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from s2s.frontends.c.unit import Unit

_FILES = 30
# The loops that were looked at last are kept, and the lines of the file that was.
_KEPT = 18


def test_files_are_forgotten(tmp_path: Path) -> None:
    gc.collect()
    before = _units()
    for number in range(_FILES):
        path = tmp_path / f"f{number}.c"
        loops = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++)"
        update = f"a[j][i] = b[j][i] * {number} + a[j][i];"
        path.write_text(f"void f(int n, double a[n][n], double b[n][n]) {{ {loops} {update} }}\n")
        assert transform_file(str(path), ("-O3",), Options(force=True)).changed
    gc.collect()
    assert _units() - before <= _KEPT


def _units() -> int:
    return sum(isinstance(one, Unit) for one in gc.get_objects())
