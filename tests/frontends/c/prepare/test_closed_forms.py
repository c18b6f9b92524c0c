"""Variables that nests advance, in closed form: what changes, what stays, and the same results."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from tests.frontends.c.prepare.harness import output, prepared_texts
from tests.lifting import parse_text
from tests.programs import read_body

_PROGRAMS = Path(__file__).parent / "closed_forms"

_PROGRAM = Path(__file__).with_name("closed_form.c").read_text()
_BODY = "a[j][i] += b[k]; k++;"


def _nest(text: str) -> str:
    return _PROGRAM.replace("NEST", text)


_OUTER = "for (int i = 0; i < n; i++)"
_INNER = f"for (int j = 0; j < N; j++) {{ {_BODY} }}"
TAKEN = {
    "inner and outer": f"""
    {_OUTER} {{ for (int j = 1; j < N; j++) {{ a[j][i] += b[k - 1] * j; ++k; }} ++k; }}""",
    "both variables": read_body(_PROGRAMS / "both_variables.c"),
    "down": read_body(_PROGRAMS / "down.c"),
    "outside variables": """
    int i, j;
    for (i = m; i <= n; i++) for (j = 0; j < 5; j++) { a[i][j] = k; k += 3; }""",
    "empty inside": f"""
    {_OUTER} {{
        for (int j = 5; j < 2; j++) k++;
        for (int j = 0; j < 2; j++) {{ a[i][j] = k; k += 2; }}
    }}""",
    "three deep": f"""
    {_OUTER} {{
        for (int j = 0; j < 3; j++) {{
            for (int l = 0; l < 4; l++) {{ a[i + l][j] += b[k]; k++; }}
            k += 2;
        }}
        a[i][i] = k;
    }}""",
    "no block": f"if (n > 1) {_OUTER} {_INNER}",
}
LEFT = {
    "triangle": f"{_OUTER} for (int j = i; j < N; j++) {{ {_BODY} }}",
    "length": f"{_OUTER} for (int j = 0; j < m; j++) {{ {_BODY} }}",
    "condition": f"{_OUTER} for (int j = 0; j < N; j++) {{ if (i) k++; a[j][i] = k; }}",
    "both ways": f"{_OUTER} {{ k--; {_INNER} }}",
    "in a bound": f"{_OUTER} for (int j = 60; j < k && j < 65; j++) {{ k++; }}",
    "set": f"{_OUTER} {{ k = 2; {_INNER} }}",
    "left early": f"{_OUTER} for (int j = 0; j < N; j++) {{ {_BODY} if (j > 5) break; }}",
    "escapes": f"int *p = &k; {_OUTER} for (int j = 0; j < N; j++) {{ {_BODY} *p = 3; }}",
}


@pytest.mark.parametrize("name", TAKEN)
def test_values_are_the_same(name: str, tmp_path: Path) -> None:
    text = _nest(TAKEN[name])
    (prepared,) = prepared_texts(parse_text(text))
    assert "k++" not in prepared or name == "empty inside"
    assert output(prepared, tmp_path, "prepared.c") == output(text, tmp_path, "source.c")


@pytest.mark.parametrize("name", LEFT)
def test_no_closed_form(name: str) -> None:
    assert prepared_texts(parse_text(_nest(LEFT[name]))) == []


def test_random_nests(tmp_path: Path) -> None:
    draw = random.Random(5)
    taken = 0
    for _ in range(25):
        text = _nest(_loop(draw, 0))
        found = prepared_texts(parse_text(text))
        taken += len(found)
        for prepared in found:
            assert output(prepared, tmp_path, "prepared.c") == output(text, tmp_path, "source.c")
    assert taken >= 12


def _loop(draw: random.Random, depth: int) -> str:
    name = "ijl"[depth]
    low, high = (draw.choice(["0", "1", "2"]), draw.choice(["4", "3"] if depth else ["n", "5"]))
    header = draw.choice([f"int {name} = {low}; {name} < {high}; {name}++",
                          f"int {name} = {high}; {name} >= {low}; {name}--"])  # fmt: skip
    around = "ijl"[: depth + 1]
    parts = []
    for _ in range(draw.randint(1, 3)):
        parts.append(draw.choice([
            f"k += {draw.randint(1, 3)};", "q++;",
            f"a[{draw.choice(around)}][{draw.choice(around)}] += b[k] + q;",
            f"a[q % 40][{name}] = k;",
        ]))  # fmt: skip
        if depth < 2 and draw.random() < 0.6:
            parts.append(_loop(draw, depth + 1))
    return f"for ({header}) {{ {' '.join(parts)} }}"


_COLUMNS = Path(__file__).with_name("closed_forms.c").read_text()


def test_a_nest_with_a_closed_form_is_interchanged(tmp_path: Path) -> None:
    source = tmp_path / "columns.c"
    source.write_text(_COLUMNS)
    done = transform_file(str(source), ("-O3",), Options(strict=True))
    assert "interchanged loops to (j, i)" in done.text.decode()
    assert "k += 65536;" in done.text.decode()
    assert "float *f(" in done.text.decode()
