"""Variables and pointers that walk along rows: what stays, and the same results elsewhere."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.frontends.c.prepare.harness import output, prepared_texts
from tests.lifting import parse_text

_PROGRAM = Path(__file__).with_name("walkers_loop.c").read_text()

LEFT = {
    "named after": "int k = i * m; for (int j = 0; j < m; j++) out[k++] = in[j]; seen += k;",
    "condition": "int k = i; for (int j = 0; j < m; j++) { if (in[j] > 9) k++; out[k] = j; }",
    "choice": "int k = i; for (int j = 0; j < m; j++) out[j] = in[j] > 9 ? in[k++] : 2;",
    "maybe not": "int k = i; for (int j = 0; j < m; j++) seen += in[j] > 9 && in[k++] > 5;",
    "left early": "int k = i; for (int j = 0; j < m; j++) { if (in[j] > 9) break; out[k++] = 1; }",
    "both ways": "int k = i; for (int j = 0; j < m; j++) { k++; out[k] = j; k -= 3; }",
    "inside": "int k = i; for (int j = 0; j < m; j++) for (int l = 0; l < j; l++) out[k++] = j;",
    "set": "int k = i; for (int j = 0; j < m; j++) { out[k++] = j; k = 2 * j; }",
    "escapes": "int k = i, *p = &k; for (int j = 0; j < m; j++) { out[k++] = j; *p += seen; }",
    "address": "float *q = out + i; for (int j = 0; j < m; j++) { seen += q < in; *q++ = j; }",
    "counter set": "int k = i; for (int j = 0; j < m; j++) { out[k++] = j; j += i & 1; }",
    "first changes": "int k = 0, l = i; for (int j = l; j < m; j++) { out[k++] = j; l = 0; }",
    "by the counter": "int k = i; for (int j = 0; j < m; j++, k += j) out[k] = j;",
    "again": "int k = i; to: for (int j = 0; j < m; j++) out[k++] = j; if (seen++ < 9) goto to;",
    "bytes": "short k = i; for (int j = 0; j < m; j++) out[k++] = j;",
}


@pytest.mark.parametrize("name", LEFT)
def test_what_stays(name: str) -> None:
    assert prepared_texts(parse_text(_PROGRAM.replace("BODY", LEFT[name]))) == []


def test_random_walks(tmp_path: Path) -> None:
    draw = random.Random(8)
    taken = 0
    for _ in range(9):
        text = _PROGRAM.replace("BODY", _body(draw))
        found = prepared_texts(parse_text(text))
        taken += len(found)
        for prepared in found:
            assert output(prepared, tmp_path, "prepared.c") == output(text, tmp_path, "source.c")
    assert taken >= 7


_WHOLE = Path(__file__).with_name("walkers_body.c").read_text()


def test_random_walks_through_nests(tmp_path: Path) -> None:
    draw = random.Random(3)
    taken = 0
    for _ in range(8):
        text = _WHOLE.replace("BODY", _nest(draw))
        found = prepared_texts(parse_text(text))
        taken += len(found)
        for prepared in found:
            assert output(prepared, tmp_path, "prepared.c") == output(text, tmp_path, "source.c")
    assert taken >= 7


def _nest(draw: random.Random) -> str:
    """One to three loops of which the innermost walks with parameters and what is declared."""
    loops = draw.sample([
        draw.choice(["for (i = 0; i < n; i++)", "for (i = n; i >= 1; --i)",
                     "for (i = 2; i <= n; i++)"]),
        draw.choice(["for (int j = 1; j < m; j++)", "for (int j = m; j > -2; j--)",
                     "for (int j = n; j <= n + 3; j++)"]),
        draw.choice(["for (l = 0; l < 3; l++)", "for (l = 1; l <= m; l += 1)"]),
    ], draw.randint(1, 3))  # fmt: skip
    parts = [draw.choice([
        "*out++ = *in++;", "out[k++] = in[3];", "out += 2; *out += k;", "s += *p++ * 2;",
        "k += 2; out[k] = p[-1];", "*--p = s;", "out[k2--] += 1;",
    ]) for _ in range(draw.randint(1, 3))]  # fmt: skip
    declared = f"int k = {draw.choice(['0', '5', 'm + 3'])}, k2 = 2000; float *p = in + 1500;"
    return f"{declared}\n{' '.join(loops)} {{ {' '.join(parts)} }}"


def _body(draw: random.Random) -> str:
    """A row of the outer loop: walkers declared in any order, one or two inner loops."""
    kind = draw.choice(["int", "long", "int"])
    index, low = (
        draw.choice(["int", "int", "long"]) if kind == "long" else "int",
        draw.randint(0, 2),
    )
    beside = draw.choice(["", "", "", "k++, ", "p++, k2 -= 3, "])
    header = draw.choice([
        f"{index} j = {low}; j < m + {low}; {beside}j++", f"{index} j = m; j >= {low}; j--",
        f"{index} j = i - 3; j < m; ++j", f"{index} j = m + i; j > i; j -= 1",
        f"{index} j = 0; j <= m; j++, k += 2, p++",
    ])  # fmt: skip
    parts = []
    for _ in range(draw.randint(1, 5)):
        parts.append(draw.choice([
            "out[k++] += in[k2 + 3];", "*q++ = *p * 2 + k;", "*q += p[1] - *(p + 2);",
            "p += 2;", "++k;", "k += 3;", "k2 -= 2;", "{t} = out[--k2];", "out[++k] = {t};",
            "seen += k * 3 - k2;", "if (*p > 5) seen += (int)p[k2 & 3];",
            "for (int l = 0; l < 3; l++) q[l] += p[l + k % 2];", "{t} = *p++;", "out[k] = *--p;",
        ]))  # fmt: skip
    inner = " ".join(["float t = in[j & 7];", *parts]).replace("{t}", "t")
    declared = draw.sample(
        [f"{kind} k = i * m + 2;", f"{kind} k2 = {draw.choice(['40', 'i + 60', '3 * m + 70'])};",
         "float *p = in + i * m;", "float *q = &out[2 * i * m + 1];"], 4,
    )  # fmt: skip
    return f"{' '.join(declared)}\nfor ({header}) {{ {inner} }}"
