"""Random functions of many kinds of loops over many types: what the passes meet in the wild."""

from __future__ import annotations

import random

_TYPES = ("double", "float", "int", "unsigned", "long", "unsigned char", "short", "signed char")
_HEAD = "typedef struct { float x; int k; double y[2]; } pair;\n"


def _element(draw: random.Random, shift: int = 0) -> str:
    name = draw.choice("abc")
    at = draw.choice(["i", "i", "i", "i + 1", "i - 1", "i + 2"]) if not shift else f"i + {shift}"
    return f"{name}[{at}]"


def _value(draw: random.Random, depth: int = 2) -> str:
    kind = draw.randrange(9) if depth else draw.randrange(4)
    if kind < 3:
        return _element(draw)
    if kind == 3:
        return draw.choice(["x", "3", "2", "(T)1.5", "k", "p[i].k", "p[i].x", "p[i].y[1]"])
    left, right = _value(draw, depth - 1), _value(draw, depth - 1)
    if kind < 7:
        return f"({left} {draw.choice('+-*')} {right})"
    if kind == 7:
        return f"({left} {draw.choice(['<', '>', '=='])} {right} ? {_element(draw)} : {right})"
    return f"(T){left}"


def _statement(draw: random.Random) -> str:
    value = _value(draw)
    return draw.choice(
        [
            f"a[i] = {value};",
            f"b[i] = {value}; c[i] = b[i] + {_element(draw)};",
            f"x += {value};",
            f"if ({_element(draw)} > x) x = {_element(draw)};",
            f"if ({_element(draw)} > {_value(draw, 1)}) c[i] = {value};",
            f"k += {_element(draw)} > 2;",
            f"{{ T t = {value}; a[i] = t; b[i] = t * 2 + {_element(draw)}; }}",
            f"c[i] = x; x = {_element(draw)};",
            f"p[i].k = i; p[i].x = p[i].x + {_element(draw)};",
            f"a[i] = c[i + {draw.randint(1, 3)}] + x; c[i] = {value};",
        ]
    )


def _loop(draw: random.Random) -> str:
    body = " ".join(_statement(draw) for _ in range(draw.randint(1, 3)))
    last = draw.choice(["n", "n - 2", "n / 2", "n - 1"])
    head = draw.choice(
        [
            f"for (int i = 1; i < {last}; i++)",
            f"for (long i = 2; i < {last}; i += 1)",
            f"for (int i = {last} - 1; i > 0; i--)",
            f"for (int i = 1; i < {last}; i += 2)",
            "for (unsigned i = 1; i + 3 < (unsigned)n; i++)",
        ]
    )
    return draw.choice(
        [
            f"{head} {{ {body} }}",
            f"{head} {{ {body} }}",
            f"for (int s = 0; s < m; s++) {head} {{ {body} }}",
            "T *q = a; int left = n; while (left-- > 0) { *q = *q * 2 + x; q++; }",
            "const T *q = b; while (*q) q++; k = q - b;",
            f"{head} {{ if ({_element(draw)} == {_value(draw, 1)}) {{ k = i; break; }} }}",
            "for (int j = 1; j < m; j++) for (int i = 1; i < n; i++) "
            f"w[i][j] = w[i][j{draw.choice(['', ' - 1'])}] + w[i - 1][j] * a[i];",
            "for (int j = 1; j < m; j++) for (int i = 1; i < n; i++) { T t = a[i] + w[i][j]; "
            "w[i][j] = t + x; }",
            f"#pragma omp parallel for reduction(+:k)\n    {head} {{ k += {_element(draw)} > 1; }}",
            "for (int s = 0; s < m; s++) {\n#pragma omp parallel for\n"
            "    for (int i = 1; i < n - 1; i++) b[i] = a[i - 1] + a[i + 1];\n"
            "#pragma omp parallel for\n    for (int i = 1; i < n - 1; i++) a[i] = b[i]; }",
        ]
    )


def program(seed: int, count: int) -> str:
    """A file of some functions."""
    draw = random.Random(seed)
    parts = [_HEAD]
    for number in range(count):
        kind = draw.choice(_TYPES)
        own = draw.choice(["", "restrict "])
        loops = "\n    ".join(f"{{\n{_loop(draw)}\n}}" for _ in range(draw.randint(1, 2)))
        parts.append(
            f"#define T {kind}\ndouble f{number}(int n, int m, T *{own}a, T *{own}b, T *{own}c,\n"
            f"    pair *{own}p, T w[][64], T x)\n{{\n    int k = 3;\n    {loops}\n"
            "    return x * 2 + k;\n}\n#undef T\n"
        )
    return "".join(parts)
