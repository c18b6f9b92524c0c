"""A session of an editor with the server, over the real protocol."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.cli.editor.client import Client, apply

pytest.importorskip("pygls", reason="pygls is not installed")

Run = Callable[..., CompletedProcess[bytes]]

STENCIL = """\
/* Wärme ☃ */
void heat_{k}(int n, int steps, double (*restrict a)[n], double (*restrict b)[n])
{{
    for (int t = 0; t < steps; t++) {{ /* 😀 */
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i][j] = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1] * {k}.0;
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i][j] = b[i][j];
    }}
}}
"""
CALL = """\
double total_{k}(int n, const double *a)
{{
    double sum = 0.0;
    while (n > 0) sum += a[--n] > {k}.0 ? scale_{k}(a[n]) : a[n];
    return sum;
}}
"""
FILLER = """\
int look_{k}(const char *text)
{{
    if (text[0] == '{{')
        return {k};
    return text[0] == '}}' ? -{k} : 0;
}}
"""


@pytest.fixture
def client() -> Iterator[Client]:
    client = Client("--no-check")
    yield client
    assert client.close() == 0


def test_remarks_fix_and_reasons(client: Client, run: Run) -> None:
    text = "".join(STENCIL.format(k=k) for k in (1, 2)) + FILLER.format(k=3)
    path = Path("heat.c").resolve()
    path.write_text(text)
    uri = path.as_uri()
    client.open(uri, text)
    said = client.settled()
    assert [(d["range"]["start"]["line"], d["code"]) for d in said] == [(3, "popp"), (17, "popp")]
    assert said[0]["message"].startswith("fused, skewed")
    assert (
        said[0]["range"]["end"]["character"]
        == len("    for (int t = 0; t < steps; t++) { /* 😀 */") + 1
    )

    wanted = run("transform", str(path), "--no-check").stdout.decode()
    (whole,) = client.actions(uri, 0, "source.fixAll")
    assert apply(text, whole["edit"]["changes"][uri]) == wanted

    (first,) = client.actions(uri, 5, "quickfix")
    half = apply(text, first["edit"]["changes"][uri])
    assert half.startswith(wanted[: wanted.index("void heat_2") - 20])
    assert half.endswith(text[text.index("void heat_2") :])
    assert client.actions(uri, 29, "quickfix") == []

    place = {"line": 6, "character": 20}
    hover = client.request("textDocument/hover", textDocument={"uri": uri}, position=place)
    assert "dependences that remain" in hover["contents"]["value"]
    assert "schedule:\n    S1: " in hover["contents"]["value"]


def test_only_what_a_change_touches_is_looked_at_again(client: Client) -> None:
    parts = [STENCIL.format(k=k) if k % 140 == 0 else FILLER.format(k=k) for k in range(410)]
    parts.insert(200, "double scale_9(double x) { return 2.0 * x; }\n" + CALL.format(k=9))
    text = "".join(parts)
    assert text.count("\n") > 2450
    uri = "file:///nowhere/large.c"
    client.open(uri, text)
    before = client.settled()
    assert client.logged[-1] == "large.c: 4 functions looked at"
    assert len(before) == 3

    client.change(uri, 0, 0, "\n\n")
    after = client.settled()
    assert client.logged[-1] == "large.c: 0 functions looked at"
    lines = [[d["range"]["start"]["line"] for d in said] for said in (before, after)]
    assert lines[1] == [line + 2 for line in lines[0]]

    start = time.monotonic()
    client.change(uri, lines[1][1] + 1, 0, "    /* touched */\n")
    assert len(client.settled()) == 3
    assert client.logged[-1] == "large.c: 1 functions looked at"
    assert time.monotonic() - start < 20  # below one second where nothing else runs


def test_errors_come_and_go(client: Client) -> None:
    """Lines end as in the protocol, not with a form feed, and columns are UTF-16 units."""
    uri, loop = "file:///nowhere/broken.c", "    /* 😀 */ for (int i = 0; i < 9; i++) a[i] = 0"
    client.open(uri, f"/* \f */\r\nvoid f(int *a)\r\n{{\r\n{loop}\r\n}}\r\n")
    (said,) = client.settled()
    assert said["severity"] == 1
    assert said["range"]["start"]["line"] in (3, 4)
    client.change(uri, 3, len(loop) + 1, f"{loop};")
    assert all(d["severity"] > 1 for d in client.settled())
