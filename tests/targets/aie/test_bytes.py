"""Bytes that the shuffle network cannot select are packed as 16 bits, and values stay."""

from pathlib import Path

from s2s.driver.options import Options
from s2s.driver.transform import transform_file

HERE = Path(__file__).parent / "bytes"


def test_strided_bytes_get_16_bits() -> None:
    options = Options(target="aie", header="kernel.h")
    outcome = transform_file(str(HERE / "strided.c"), (), options)
    assert not [said.text for said in outcome.diagnostics if said.id == "check"]
    text = outcome.text.decode()
    assert "const int16_t *restrict in" in text
    assert "int8_t *restrict out" in text
