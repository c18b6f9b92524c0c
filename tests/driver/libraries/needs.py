"""Marks of tests that need a library of the machine."""

from __future__ import annotations

import subprocess
import tempfile
from functools import cache
from pathlib import Path

import pytest


@cache
def has(header: str, library: str) -> bool:
    """Whether a program can be built with a library."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "has.c")
        source.write_text(f"#include <{header}>\nint main(void) {{ return 0; }}\n")
        command = ["gcc", str(source), "-o", str(Path(folder, "has")), library]
        return subprocess.run(command, capture_output=True).returncode == 0


needs_blas = pytest.mark.skipif(not has("cblas.h", "-lopenblas"), reason="OpenBLAS is not there")
needs_onednn = pytest.mark.skipif(not has("dnnl.h", "-ldnnl"), reason="oneDNN is not there")
