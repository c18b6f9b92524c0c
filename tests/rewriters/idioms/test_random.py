"""Random searches, extrema with their places, packs and reductions, compared on many inputs."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.rewriters.idioms.differential import transformed

_RELATIONS = ("<", "<=", ">", ">=", "==", "!=")


def _header(draw: random.Random) -> str:
    return draw.choice(
        [
            "for (int i = 0; i < n; i++)",
            "for (int i = n - 1; i >= 0; i--)",
            "for (long i = 0; i < n; i += 1)",
            f"for (int i = {draw.randint(0, 3)}; i <= n - {draw.randint(1, 5)}; ++i)",
            f"for (int i = 0; i < n; i += {draw.randint(2, 4)})",
        ]
    )


def _value(draw: random.Random) -> str:
    return draw.choice(["u[i]", "v[i]", "u[i] * v[i]", "u[i] - v[i]", "-v[i]", "fabs(u[i])"])


def _condition(draw: random.Random) -> str:
    left = _value(draw)
    right = draw.choice(["x", "1", "3", "-1.5f", "0", _value(draw)])
    text = f"{left} {draw.choice(_RELATIONS)} {right}"
    return f"{text} && {_value(draw)} < 2" if draw.random() < 0.2 else text


def _body(draw: random.Random) -> str:
    value, condition = _value(draw), _condition(draw)
    order = draw.choice(["<", ">", "<=", ">="])
    return draw.choice(
        [
            f"if ({condition}) {{ k = i; break; }}",
            f"if ({condition}) k = i;",
            f"if ({condition}) {{ k = i; x = {value}; }}",
            f"if ({value} {order} x) {{ x = {value}; k = i; }}",
            f"if ({value} {order} x) x = {value};",
            f"x = {value} {order} x ? {value} : x;",
            f"if ({condition}) return i;",
            f"v[i] = v[i] + 1; if ({condition}) break; w[i] = i;",
            f"if ({condition}) {{ w[k++ % 7] = i; }}",
            f"if ({condition}) u[i] = {value};",
            f"if ({condition}) {{ u[i] = {value}; w[i] = i; }} else v[i] += 1;",
            f"u[i] = {value}; if ({condition}) {{ x = v[i]; k += i; }}",
            f"if ({condition}) w[5] += i;",
            f"if ({value} == x) {{ w[k & 7] = i; k = w[3]; }}",
            f"if (u[i] <= x && u[i + 1] > x) v[3] = {value};",
            "if (v[w[2]] == u[i]) w[2] = (w[2] + 1) & 7;",
        ]
    )


def _braced(body: str, draw: random.Random) -> str:
    """A body as a block, or now and then as it is where it is one statement."""
    one = body.startswith("if") or body.count(";") == 1
    return body if one and draw.random() < 0.5 else f"{{ {body} }}"


def _functions(seed: int, count: int) -> dict[str, str]:
    draw = random.Random(seed)
    return {
        f"loop {number}": "static double f(int n)\n{\n    T x = u[0]; int k = -1;\n    "
        f"{_header(draw)} {_braced(_body(draw), draw)}\n    return x * 3 + k;\n}}\n"
        for number in range(count)
    }


@pytest.mark.parametrize(("kind", "compiler"), [("float", "gcc"), ("double", "clang")])
def test_random_loops(tmp_path: Path, kind: str, compiler: str) -> None:
    functions = _functions(seed=len(kind), count=60)
    done = transformed(tmp_path, functions, kind=kind, modes=20, compiler=compiler)
    assert len(done.changed) >= 10
    assert not done.different()
