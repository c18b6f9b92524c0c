"""Lanes are not made where a condition around a loop keeps it too short for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s.driver.transform import transform_file

LOOP = Path(__file__).with_name("around_loop.c").read_text()


@pytest.mark.parametrize(
    ("around", "changed"),
    [
        ("if (count <= 16)", False),
        ("if (other > 3 && 17 > count)", False),
        ("if (count < 1000) while (other-- > 0)", False),
        ("if (count < 5000)", True),
        ("if (other <= 16)", True),
        ("if (count <= 16) sum = 1; else", True),
        ("if (count >= 16)", True),
        ("if (count <= 16 || other)", True),
    ],
)
def test_a_bounded_loop(around: str, changed: bool, tmp_path: Path) -> None:
    source = tmp_path / "total.c"
    source.write_text(LOOP.replace("AROUND", around))
    assert transform_file(str(source), ("-Ofast",)).changed is changed
