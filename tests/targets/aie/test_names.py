"""Arrays that are called what a kernel's loops and registers are called otherwise."""

from pathlib import Path

import pytest

from s2s.driver.options import Options
from s2s.driver.transform import transform_file

LAYER = """void layer(const signed char *IN, const signed char *W, int *OUT)
{
    for (int o = 0; o < 4; o++)
        for (int r = 0; r < 16; r++)
            for (int c = 0; c < 16; c++) {
                int sum = 0;
                for (int i = 0; i < 2; i++)
                    for (int u = 0; u < 3; u++)
                        for (int v = 0; v < 3; v++)
                            sum += IN[(i * 18 + r + u) * 18 + c + v] *
                                   W[((o * 2 + i) * 3 + u) * 3 + v];
                OUT[(o * 16 + r) * 16 + c] = sum;
            }
}
"""


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
