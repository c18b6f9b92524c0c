"""Rows of narrow integers side by side: which nests are taken, and that images stay the same."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from s2s.transforms.errors import NotApplicable
from s2s.transforms.jam_rows import JamRows
from tests.lifting import analysed, scop_of
from tests.properties.harness import build, run

_HEAD = "void {name}(int h, int w, {t} (*restrict in)[w], {t} (*restrict to)[w], short *restrict k)"
_NEST = "for (int y = 1; y < h - 1; y++) for (int x = 1; x < w - 1; x++)"
_SUM = "to[y][x] = (in[y - 1][x] + in[y][x] + in[y + 1][x]) / 3;"


def _run(body: str, *, loops: str = _NEST, t: str = "unsigned char") -> tuple[str, ...]:
    found = analysed(scop_of(f"{_HEAD.format(name='f', t=t)} {{ {loops} {body} }}"))
    return JamRows().run(found.scop, found.pruned).scop.history


@pytest.mark.parametrize("t", ["unsigned char", "signed char", "short"])
def test_rows_of_narrow_integers_are_computed_at_once(t: str) -> None:
    assert _run(_SUM, t=t) == ("4 rows of 'y' at once",)


@pytest.mark.parametrize(
    ("body", "loops", "t", "reason"),
    [
        (_SUM, _NEST, "int", "a load is cheaper"),
        (_SUM, _NEST, "float", "a load is cheaper"),
        ("to[y][x] = in[y][x] + in[y][x + 1];", _NEST, "char", "no element is read for several"),
        (_SUM, _NEST.replace("y++", "y += 2"), "char", "no nest of two or three loops by one"),
        (_SUM.replace("to[y]", "in[y]"), _NEST, "char", "depend on each other"),
        (_SUM.replace("[x]", "[y]").replace("[y -", "[x -"), _NEST, "char", "depend|walk along"),
        (f"if (h > 3) {_SUM}", _NEST, "char", "a condition"),
    ],
)
def test_other_nests_stay(body: str, loops: str, t: str, reason: str) -> None:
    with pytest.raises(NotApplicable, match=reason):
        _run(body, loops=loops, t=t)


def test_arrays_that_may_overlap_stay(tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    head = _HEAD.format(name="f", t="unsigned char")
    sized = "void f(int h, int w, unsigned char in[restrict h][w], unsigned char to[restrict h][w])"
    for text, changed in ((head, True), (sized, True), (head.replace("restrict ", ""), False)):
        source.write_text(f"{text}\n{{ {_NEST} {_SUM} }}\n")
        assert transform_file(str(source), (), Options(strict=True)).changed == changed


class _Filter:
    """A filter in one of the manners in which people write them."""

    def __init__(self, number: int, rng: random.Random) -> None:
        self.name = f"f{number}"
        self.type = rng.choice(("unsigned char", "short", "unsigned short", "signed char"))
        up, left = rng.randint(1, 2), rng.randint(0, 2)
        rows = range(-rng.randint(0, up), up + 1)
        places = [(r, rng.randint(-left, left)) for r in rows for _ in range(rng.randint(1, 3))]
        edge = max(up, left)
        nest = (
            f"for (int y = {edge}; y < h - {edge}; y++)"
            f" for (int x = {edge}; x <= w - {edge} - 1; x++) "
        )
        value = " + ".join(f"{rng.randint(1, 5)} * in[y + {r}][x + {c}]" for r, c in places)
        body = {
            "straight": f"to[y][x] = ({value}) / {rng.randint(1, 9)};",
            "loops": f"{{ int s = {rng.randint(0, 8)}; for (int r = -{edge}; r <= {edge}; r++)"
            f" for (int c = 0; c < 2; c++) s += k[r + {edge}] * in[y + r][x + c - {edge}];"
            " to[y][x] = s >> 2; }",
            "choice": f"{{ int s = {value}; to[y][x] = s > 99 ? 99 : s; }}",
            "update": f"{{ to[y][x] += {value}; to[y][x] ^= in[y][x]; }}",
        }[rng.choice(("straight", "loops", "choice", "update"))]
        self.text = f"{_HEAD.format(name=self.name, t=self.type)}\n{{\n    {nest}\n    {body}\n}}\n"

    def call(self) -> str:
        return f"""
    for (int h = -1; h < 14; h++) for (int w = 1; w < 70; w += 1 + w / 3) {{
        {self.type} in[20][w], a[20][w], b[20][w];
        for (int y = 0; y < 20; y++) for (int x = 0; x < w; x++) {{
            in[y][x] = y * 37 + x * 11 + x * y;
            a[y][x] = b[y][x] = y + x;
        }}
        {self.name}(h, w, in, a, k); new_{self.name}(h, w, in, b, k);
        if (memcmp(a, b, sizeof a)) printf("{self.name} %d %d\\n", h, w);
    }}"""


@pytest.mark.parametrize("rows", [3, 4])
def test_filters_give_the_same_images(rows: int, tmp_path: Path) -> None:
    rng = random.Random(f"rows {rows}")
    filters = [_Filter(number, rng) for number in range(6)]
    original = "\n".join(f.text for f in filters)
    path = tmp_path / "filters.c"
    path.write_text(original)
    options = Options((f"jam-rows:rows={rows}",), force=True, strict=True, parallel=rows == 3)
    outcome = transform_file(str(path), ["-O2", "-fopenmp"], options)
    assert outcome.text.count(b"at once") >= 3
    changed = outcome.text.decode()
    for one in filters:
        changed = changed.replace(f"void {one.name}(", f"void new_{one.name}(")
    calls = "".join(f.call() for f in filters)
    main = f"int main(void)\n{{\n    short k[] = {{1, -2, 3, 4, 5, 6}};{calls}\n    return 0;\n}}\n"
    text = f"#include <stdio.h>\n#include <string.h>\n{original}\n{changed}\n{main}"
    for threads in (1, 3):
        assert run(build(text, tmp_path / "both.c", "-O2"), threads) == []
