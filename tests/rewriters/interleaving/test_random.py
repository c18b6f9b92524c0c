"""Random loops that call recurrences, in OpenMP regions of many kinds, before and after the pass.

Some are of the kind that the pass is for. Others have, at random, what forbids it: seeds that go
on from call to call, arrays that are changed or reached in other ways, iterations that end early,
bounds that move. Which is which is not known here: all have to print what they printed.
"""

from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path

from s2s.driver.options import Options
from s2s.driver.transform import transform_file

_HERE = Path(__file__).parent

_HEAD = (_HERE / "generators.c").read_text()


def _array(draw: random.Random, shared: bool) -> str:
    return draw.choice(["tp", "own"] if shared else ["tp", "own", "g", "kept"])


def _body(draw: random.Random, array: str) -> str:
    """The statements of one iteration of k, with m elements filled in each."""
    name = draw.choice(["fill0", "fill0", "fill1", "fill3", "fill2"])
    place = f"{array} - 1" if name == "fill1" else array
    if draw.random() < 0.15:
        array = "own"
        place = f"&table[k][{1 if name != 'fill1' else 0}]"
    seeds = ["s = 0.25 + k * 0.015625;", "s = start; step(&start, 5.5);",
             "double s = k % 3 * 0.25;", "s = k; for (i = 0; i < k % 5; i++) step(&s, 3.25);",
             "e = k / 2; s = e * 0.03125; if (e % 2) s = 0.5;",
             "", "if (k % 2) s = 0.125;"]  # fmt: skip
    seed = draw.choices(seeds, [5, 3, 3, 3, 3, 1, 1])[0]
    rests = [
        f"for (i = 0; i < m; i++) sum += (int)({array}[i] * 1024);",
        f"for (i = 0; i < m; i++) {{ t = {array}[i]; if (t < 0.5) count[(int)(t * 8) & 3] += 1; }}",
        f"sum += (int)({array}[k % 7] * 512);",
        "sum += (int)(s * 256);",
        "s = 0.75; sum += (int)(s * k);",
        "e = k * 3; sum += e % 5;",
        f"t = {array}[3]; sum += t > 0.25;",
    ]
    risky = [
        "if (sum > 1000000) break;", "if (k == 5) continue;", f"{array}[2] = k;", "limit = 36;",
        f"sum += (int)(alias[2] * 64); {array}[0] += 0;", "printf(\"%d\\n\", k);", "start += 0.5;",
        f"double *p = {array}; sum += (int)(p[1] * 32);", "sum += (int)(table[k + 1][2] * 16);",
        "m = 20 + k % 3;", "k++;",
    ]  # fmt: skip
    statements = [f"{name}(m, &s, {draw.choice(['2.75', 'a', '3.0 + a'])}, {place});"]
    statements += draw.sample(rests, draw.randint(1, 3))
    if draw.random() < 0.3:
        statements.insert(draw.randint(0, len(statements)), draw.choice(risky))
    if draw.random() < 0.15:
        statements.insert(0, draw.choice(rests[2:]))
    return " ".join([seed, *statements])


def _function(draw: random.Random, number: int) -> str:
    shared = draw.random() < 0.6
    array = _array(draw, shared)
    body = _body(draw, array)
    if shared:  # deterministic whichever thread runs an iteration
        while any(w in body for w in ("start", "printf", "k++", "break", "limit", "m =", "table[k"
                                      " + 1]", "alias")) or _reads_first(body):  # fmt: skip
            body = _body(draw, array)
    bound = draw.choice(["k < 37", "k <= limit", "k < n", "k < m / 2"])
    head = f"for (k = {draw.randint(0, 3)}; {bound}; k++)"
    own = "double own[N + 8] = {0};" if "own" in body else ""
    names = "double s = 0.5, t, start = 0.25; int i, k, e;"
    after = f"sum += (int)({array}[1] * 8);" if draw.random() < 0.4 and not shared else ""
    lines = [f"static void f{number}(int n, int m, double a)", "{", "int sum = 0, count[4] = {0};"]
    if "kept" in body:
        lines.append("static double kept[N + 8];")
    if not shared:
        after += " sum += (int)(s * 4096);" if draw.random() < 0.3 else ""
        lines += [own, names, f"{head} {{ {body} }}", after]
    else:
        clause = draw.choice(["reduction(+ : sum)", "schedule(static) reduction(+ : sum)",
                              "reduction(+ : sum) nowait"])  # fmt: skip
        copy = " copyin(tp)" if draw.random() < 0.5 else ""
        lines += [f"int total[4] = {{0}};\n#pragma omp parallel{copy}", "{", names, own]
        lines += ["int count[4]; for (i = 0; i < 4; i++) count[i] = 0;"]
        if draw.random() < 0.3:
            lines.append("#pragma omp single nowait\nlimit = 37;\n#pragma omp barrier")
        if draw.random() < 0.2:
            lines.append("#pragma omp sections\n{\n#pragma omp section\ntotal[0] += 1;\n"
                         "#pragma omp section\ntotal[1] += 2;\n}")  # fmt: skip
        lines += [f"#pragma omp for {clause}", f"{head} {{ {body} }}"]
        lines.append("#pragma omp critical\nfor (i = 0; i < 4; i++) total[i] += count[i];")
        if draw.random() < 0.3:
            lines.append("#pragma omp master\nlimit = 37;")
        lines += ["}", "for (int j = 0; j < 4; j++) count[j] = total[j];"]
    lines.append(f'printf("{number} %d %d %d %d %d\\n", sum, count[0], count[1], count[2], '
                 "count[3]); limit = 37;")  # fmt: skip
    return "\n".join([*lines, "}"])


def _reads_first(body: str) -> bool:
    """Whether an iteration reads what another one has left, which threads must not."""
    call = body.index("fill")
    seeded = body.startswith(("s = 0.25", "double s", "s = k", "e = k"))
    return not seeded or any(w in body[:call] for w in ("own[", "tp[", "s * 256"))


def _program(seed: int, count: int) -> str:
    draw = random.Random(seed)
    functions = "\n".join(_function(draw, number) for number in range(count))
    calls = "".join(
        f"f{i}(36, 24, 2.25); f{i}(3, 16, 1.5); f{i}(30, N, 2.0);\n" for i in range(count)
    )
    ending = "double z = 0; for (int i = 0; i < 70; i++) for (int j = 0; j < N + 8; j++) " \
             "z = z * 0.5 + table[i][j] + g[j % N];\nprintf(\"%a\\n\", z); return 0;"  # fmt: skip
    return f"{_HEAD}\n{functions}\nint main(void)\n{{\n{calls}{ending}\n}}\n"


def _outputs(folder: Path, name: str, text: bytes) -> list[str]:
    source, binary = folder / f"{name}.c", folder / f"{name}.x"
    source.write_bytes(text)
    command = ["gcc", "-O1", "-w", "-fopenmp", "-ffp-contract=off", str(source), "-o", str(binary)]
    done = subprocess.run([*command, "-lm"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = []
    for threads in (1, 2, 3):
        environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
        ran = subprocess.run([str(binary)], capture_output=True, text=True, env=environment)
        assert ran.returncode == 0, ran.stderr[:2000]
        found.append(ran.stdout)
    return found


def test_random_regions(tmp_path: Path) -> None:
    seed = int(os.environ.get("S2S_SEED", "1"))
    source = tmp_path / "before.c"
    source.write_text(_program(seed, 24))
    done = transform_file(str(source), ("-fopenmp",), Options(strict=True, passes=("interleave",)))
    assert done.text.count(b"as lanes */") >= 3
    before = _outputs(tmp_path, "same", done.original)
    after = _outputs(tmp_path, "after", done.text)
    assert before == after
