"""Arrays that are called what a kernel's loops and registers are called otherwise."""

from pathlib import Path

import pytest

from s2s.driver.options import Options
from s2s.driver.transform import transform_file

_HERE = Path(__file__).parent

LAYER = (_HERE / "named_layer.c").read_text()


@pytest.mark.parametrize("names", [("x", "w", "y"), ("acc0", "k", "s"), ("y", "x1", "acc0")])
def test_arrays_keep_their_names(tmp_path: Path, names: tuple[str, str, str]) -> None:
    text = LAYER
    for mark, name in zip(("IN", "W", "OUT"), names, strict=True):
        text = text.replace(f"{mark}[", f"{name}[").replace(f"*{mark}", f"*{name}")
    source = tmp_path / "layer.c"
    source.write_text(text)
    outcome = transform_file(str(source), (), Options(target="aie", header="layer.h"))
    assert not [said.text for said in outcome.diagnostics if said.id == "check"]
    assert f"int32_t *restrict {names[2]})" in outcome.text.decode()
