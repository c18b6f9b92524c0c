"""Tiles in functions of their own: executed before they leave, and gone with what calls them."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from s2s.rewriters import outline_tiles
from s2s.rewriters.above_functions import place_above
from s2s.rewriters.outline_tiles import used_tiles
from s2s.source import Edit

_PRODUCT = (Path(__file__).parent / "outline_tiles" / "product.c").read_text()


def _outlined(before: str, path: Path) -> str:
    path.write_text(before + _PRODUCT)
    options = Options(("panels:vector=16",), force=True)
    return transform_file(str(path), ["-O2"], options).text.decode()


@pytest.mark.parametrize("before", ["", "int first;\n", "void g(void)\n{\n}\n"])
@pytest.mark.parametrize("wrong", [True, False])
def test_a_wrong_function_does_not_leave(
    wrong: bool, before: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def element(held: outline_tiles._Held, row: int, vector: int) -> str:
        text = plain(held, row, vector)
        return text.replace(f"[{row} *", f"[{row + 1} *") if wrong else text

    plain = outline_tiles._Held._element
    monkeypatch.setattr(outline_tiles._Held, "_element", element)
    text = _outlined(before, tmp_path / "product.c")
    assert (text == before + _PRODUCT) == wrong
    assert text.count("s2s_tile_0(") == (0 if wrong else 2)


def test_functions_go_with_their_calls() -> None:
    function = Edit(9, 9, b"\nstatic __attribute__((noinline)) void s2s_tile_1(double *a)\n{\n}\n")
    other = Edit(3, 3, b"\nint x;\n")
    call = Edit(20, 30, b"s2s_tile_1(&a[0]);")
    assert used_tiles([function, other, call]) == [function, other, call]
    longer = Edit(20, 30, b"s2s_tile_11(&a[0]);")
    assert used_tiles([function, other, longer]) == [other, longer]
    assert used_tiles([function, other]) == [other]


@pytest.mark.parametrize(
    ("above", "place"),
    [
        ("int x;\n", 7),
        ("int x;\n\n/* f */\n// of a\n", 8),
        ("#define f(x) \\\n  x +\n", 21),
        ("", 0),
        ("/* the file */\n", 0),
        ("MACRO(x)\n", None),
        ("static\n", None),
        ("int x; /* y */\n", None),
    ],
)
def test_places_before_functions(above: str, place: int | None) -> None:
    data = f"{above}void f(void) {{ }}\n".encode()
    assert place_above(data, len(above)) == place
