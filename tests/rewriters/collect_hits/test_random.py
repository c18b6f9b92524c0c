"""Random loops with a condition before their work, before and after the pass.

Some are of the kind that the pass is for. Others have, at random, what forbids it: work that moves
what is measured, values that go on from one iteration to the next, loops that are left, pointers
that lead to one array. Which is which is not known here: all have to print what they printed.
"""

from __future__ import annotations

import os
import random
import re
import subprocess
from pathlib import Path

from s2s.driver.options import Options
from s2s.driver.transform import transform_file

_HERE = Path(__file__).parent

_SETUPS = [
    "double d = b->a[i] - b->a[j], r = d * d + 0.25 * d;",
    "const double d = b->p[i].x - b->p[j].x, e = b->p[i].y - b->p[j].y; double r = d * d + e * e;",
    "float q[3], t = 0; for (int m = 0; m < 3; m++) { q[m] = b->v[i][m] - b->v[j][m]; "
    "t += q[m] * q[m]; } double d = q[0], r = t;",
    "d = fabs(a[i] - a[j]); r = d * d * 0.5 + d; if (d > 0.5) r -= 0.25 * d;",
    "double d = a[2 * j] - a[i], r = d * d + (d > 0.25 ? d : -d);",
    "r = 0; for (m = 0; m < 2; m++) r += (a[i + m] - a[j + m]) * (a[i + m] - a[j + m]); d = r;",
    "double d = a[j] * 2.0 - 1.0, r = d * d + 0.125; int z = b->k[j];",
]
_RISKY_SETUPS = [
    "double d = last - a[j], r = d * d + d * 0.5; last = a[j];",
    "double d = a[i] - a[b->k[j]], r = d * d + d * 0.5;",
    "double d = a[i] - a[j], r = d * d + 0.5 * d; seen++;",
    "double d = a[i] - a[j], r = d * d + 0.5 * d; c[j] = r;",
    "double *u = a + j, d = a[i] - *u, r = d * d + 0.5 * d;",
]
_CONDITIONS = [
    "r < cut", "r <= cut && r > 0.0", "cut > r && j != i", "r < cut && b->k[j] != 1",
    "r < cut && d > -0.5 && b->a[j] < 0.75", "!(r >= cut)", "r * 0.5 + 0.125 < cut",
]  # fmt: skip
_WORKS = [
    "double s = sqrt(r + 0.5), g = exp(-s) / (1.0 + r); sum += g * d; b->b[i] += g;",
    "double s, g; both(r, &s, &g); sum += s / (1.0 + g) + sqrt(s); b->p[i].f += g; "
    "b->p[i].g -= s * d;",
    "double g = 1.0 / (1.5 + r), s = g * g * g; c[i] += s * (s - 0.5); sum += 0.5 * s / (2.0 + g); "
    "hits++; if (hits % 3 == 0) continue; sum += g;",
    "r = 1.0 / (1.0 + r); for (int m = 0; m < 3; m++) b->w[3 * i + m] += (float)(r * d) / "
    "(1.0f + m); sum += r * sqrt(r);",
    "sum += log(2.0 + r) * cos(d) / (1.0 + r * r);",
    "double s = sqrt(r + 2.0); for (int u = 0; u < hits % 3; u++) c[i] += s / (1.0 + u); "
    "sum += exp(-s); hits += 1;",
]
_STAGED_WORKS = [
    "double s = sqrt(r + 0.5), g = log(2.0 + r) / s; sum += g > 0.5 ? g : d; b->b[i] += s;",
    "last = exp(-r) / (1.0 + r); m = (int)(last > d ? last * 4.0 : 2.0); "
    "if (last > 0.75) { sum += last; hits += m; } else sum -= 0.5 * d;",
    "const double s = sqrt(r + 2.0); float h = (float)(s / (1.0 + d * d)), o; o = h * 0.5f; "
    "h = h > 1.0f ? o : h; double w = pow(h + 0.5, 1.25); if (w < s && d > 0.0) continue; "
    "sum += w; c[i] += h - o;",
    "r = sqrt(r + 1.0); last = log(r) / (d * d + 1.0); if (last < 0.125) sum += r; else hits++;",
    "double s = sqrt(r + 0.5) * b->a[j], g; g = s / (1.0 + r); g += s > 0.5 ? g : 0.25; "
    "b->w[3 * j] += (float)g; sum += g > s ? s : g;",
    "double s, v; s = exp(-r) / (r + 1.5); v = s > 0.375 ? s : 0.375; s = sqrt(v) / (1.0 + s); "
    "if (s > v) hits += j & 1; last = v; b->p[j].g += s;",
]
_RISKY_WORKS = [
    "sum += sqrt(r) / (2.0 + r) * exp(-r); a[i] += 0.125 * d;",
    "sum += sqrt(r) / (2.0 + r) * exp(-r); if (sum > 40.0) break;",
    "sum += sqrt(r) / (2.0 + r) * exp(-r); cut = cut * 0.75 + 0.125 * r;",
    "c[(int)(r * 16.0) & 127] += sqrt(r) / (2.0 + r) * exp(-r);",
    "sum += sqrt(r) / (2.0 + r) * exp(-r); b->p[j].x += 0.0625;",
    "sum += sqrt(r) / (2.0 + r) * exp(-r); n2 -= 1;",
    "sum += sqrt(r) / (2.0 + r) * exp(-r); b->a = b->b;",
    "sum += sqrt(r) / (2.0 + r) * exp(-r); b->k[j] = 1;",
    "sum += sqrt(r) / (2.0 + r) * exp(-r); if (hits++ == 40) goto done;",
    "last = r * 0.5; sum += sqrt(r) / (2.0 + r) * exp(-last);",
    "double s = sqrt(r + last) / (1.0 + r); if (s > 0.5) last = s * 0.5; sum += s;",
    "double s = sqrt(r + c[j & 7]) / (1.0 + r); if (s > 0.75) sum += s; c[j & 3] = s;",
    "double s = log(r + 2.0) / (1.0 + r * b->b[i]); if (s > 0.5) b->b[i] += s; sum += s;",
    "double s = exp(-r) / (1.0 + r), v = s > 0.5 ? s : r; { double s = v * v; sum += s; } "
    "if (v > 0.25) { double r = s; sum -= r * d; }",
    "double *p = &last, s = sqrt(r + *p) / (1.0 + r); if (s > 0.5) sum += s; *p = s;",
]


def _loop(draw: random.Random) -> str:
    setup = draw.choice(_RISKY_SETUPS if draw.random() < 0.2 else _SETUPS)
    works = _STAGED_WORKS if draw.random() < 0.5 else _WORKS
    work = draw.choice(_RISKY_WORKS if draw.random() < 0.3 else works)
    condition = draw.choice(_CONDITIONS)
    if draw.random() < 0.3 and "goto" not in work:
        body = f"{setup} if (!({condition})) continue; {work}"
        if draw.random() < 0.5:
            body = f"{setup} if (r >= cut || d != d) continue; {work}"
    else:
        body = f"{setup} if ({condition}) {{ {work} }}"
    head = draw.choice([
        "for (int j = 0; j < n2; j++)", "for (j = i / 2; j < n2; ++j)",
        "for (j = 1; j <= n2 - 2; j += 1)", "for (long j = 0; j < b->n; j++)",
    ])  # fmt: skip
    return f"{head} {{ {body} }}"


def _function(draw: random.Random, number: int) -> str:
    inner = _loop(draw)
    kind = draw.choice(["one", "pair", "more", "parallel"])
    outer = draw.choice(["for (int i = 0; i < n1; i++)", "for (i = 2; i < n1; i++)"])
    names = "double sum = 0, last = 0.5, d, r; int i = 3, j = 0, m = 0, hits = 0; long seen = 0;"
    args = "Box *b, int n1, int n2, double *a, double *c, double cut"
    if kind == "one":
        loops = inner
    elif kind == "pair":
        loops = f"for (int t = 0; t < 2; t++) {outer} {inner}"
    else:
        loops = f"{outer} {{ double cut = 0.25 + i * 0.0625; {inner} c[i] += sum; }}"
    after = 'printf("%d %d %ld %a\\n", hits, j, seen, last);'
    if kind == "parallel" and _is_owned(inner):
        private = names.replace("double sum = 0, ", "double ").replace("i = 3, ", "")
        shared = "#pragma omp parallel for reduction(+ : part) if (!alone)\n"
        loops = f"{shared}for (int i = 0; i < n1; i++) {{ " \
                f"{private} double sum = 0; {inner} part += sum > 0.5; c[i] += sum; }}"  # fmt: skip
        names, after = "int part = 0; double sum = 0;", 'printf("%d\\n", part);'
    end = "done:" if "goto" in loops else ""
    return f"static double f{number}({args})\n{{\n{names}\n{loops}\n{end}{after} return sum;\n}}"


def _is_owned(inner: str) -> bool:
    """Whether iterations of the loop around write to elements of their own alone."""
    shared = (
        "c[(int",
        "c[j]",
        "p[j].x",
        "b->k[j] =",
        "a[i] +=",
        "b->a =",
        "n2 -=",
        "goto",
        "cut =",
    )
    return not any(word in inner for word in shared)


def _program(seed: int, count: int) -> str:
    draw = random.Random(seed)
    functions = "\n".join(_function(draw, number) for number in range(count))
    calls = ""
    for i in range(count):
        calls += f'printf("{i} %a\\n", f{i}(&b, 100, 100, a, c, 0.25)); fill();\n'
        calls += f'printf("{i} %a\\n", f{i}(&b, 9, 120, table, c, 9.0)); fill();\n'
        calls += f'printf("{i} %a\\n", f{i}(&b, 3, 2, a, table + 3, 0.5)); fill();\n'
        # What is written is what is measured.
        calls += f'alone = 1; b.a = c; printf("{i} %a\\n", f{i}(&b, 40, 90, c, c, 0.125)); '
        calls += "fill(); b.a = a; alone = 0;\n"
    text = (_HERE / "bodies.c").read_text()
    return text.replace("/* functions */", functions).replace("/* calls */", calls)


def _outputs(folder: Path, name: str, text: bytes) -> list[str]:
    source, binary = folder / f"{name}.c", folder / f"{name}.x"
    source.write_bytes(text)
    command = ["gcc", "-O2", "-w", "-fopenmp", "-ffp-contract=off", str(source), "-o", str(binary)]
    done = subprocess.run([*command, "-lm"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = []
    for threads in (1, 2, 3):
        environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
        ran = subprocess.run([str(binary)], capture_output=True, text=True, env=environment)
        assert ran.returncode == 0, ran.stderr[:2000]
        found.append(ran.stdout)
    return found


def test_random_loops(tmp_path: Path) -> None:
    seed = int(os.environ.get("S2S_SEED", "1"))
    source = tmp_path / "before.c"
    source.write_text(_program(seed, 40))
    options = Options(strict=True, check=False, passes=("collect-hits",))
    done = transform_file(str(source), ("-fopenmp",), options)
    assert done.text.count(b"as a list */") >= 8
    assert len(re.findall(rb"\w+_of\[256\];", done.text)) >= 2
    assert _outputs(tmp_path, "same", done.original) == _outputs(tmp_path, "after", done.text)
