"""Lists built at random, some of them wrongly: whatever is taken for a graph has to be one."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.rewriters.graphs.running import check, kernel

_HERE = Path(__file__).parent

_KERNELS = 24
# All memory is zero and large enough for lists that are built wrongly.
_MEMORY = (_HERE / "built/memory.c").read_text()
# A change, or nothing where the text is not there.
_DEFECTS = [
    ("src[e]", "dst[e]"), ("dst[e]", "src[e]"), ("e = 0;", "e = 1;"), ("e < m;", "e < m - 1;"),
    ("v = 0;", "v = 1;"), ("wt[e]", "(wt[e] ^ 1)"), ("other[v]", "one[v]"), ("p[v]", "q[v]"),
    ("++", " += 2"), ("if (src[e] != dst[e])", "if (src[e] < dst[e])"),
    ("if (src[e] != dst[e])", ""), ("+= one[v];", "+= one[v]; sum++;"), ("cost[", "price["),
    ("\n", "\nif (m > 3) dst[1] = src[2];\n"), ("\n", "\nif (m > 2) to[1] = 0;\n"),
    ("\n", "\nif (n > 2) other[1] = 0;\n"), ("\n", "\nfor (long v = 0; v < n; v++) p[v] = 0;\n"),
    ("\n", "\nif (n & 1) { long *t = to; to = by; by = t; }\n"),
    ("\n", "\nif (n & 1) { long *t = one; one = other; other = t; }\n"),
]  # fmt: skip


def _counted(random: Random, key: str, array: str, guard: str) -> str:
    at = random.choice([f"{array}[{key} + 1]++;", f"{array}[{key} + 1] += 1;"])
    return f"for (long e = 0; e < m; e++) {guard}{at}\n"


def _offsets(random: Random, key: str, array: str, cursor: str, guard: str) -> str:
    """Counts, their sums and cursors."""
    sums = random.choice([
        f"for (long v = 0; v < n; v++) {array}[v + 1] += {array}[v];\n",
        f"for (long v = 1; v <= n; v++) {array}[v] = {array}[v - 1] + {array}[v];\n",
    ])  # fmt: skip
    copies = random.choice([
        f"for (long v = 0; v < n; v++) {cursor}[v] = {array}[v];\n",
        f"memcpy({cursor}, {array}, n * sizeof(long));\n",
    ])  # fmt: skip
    if random.random() < 0.6:
        return _counted(random, key, array, guard) + sums + copies
    count = f"for (long e = 0; e < m; e++) {guard}{cursor}[{key}]++;\n"
    run = f"sum = 0;\nfor (long v = 0; v < n; v++) {{ {array}[v] = sum; sum += {cursor}[v]; }}\n"
    return count + run + f"{array}[n] = sum;\n" + copies


def _filled(random: Random, key: str, names: tuple[str, str, str, str], guard: str) -> str:
    cursor, listed, weights, value = names
    place = random.choice([
        f"{{ {listed}[{cursor}[{key}]] = {value}; {weights}[{cursor}[{key}]++] = wt[e]; }}",
        f"{{ long k = {cursor}[{key}]++; {weights}[k] = wt[e]; {listed}[k] = {value}; }}",
        f"{{ const long x = {key}; {weights}[{cursor}[x]] = wt[e];"
        f" {listed}[{cursor}[x]] = {value}; {cursor}[x] += 1; }}",
    ])  # fmt: skip
    return f"for (long e = 0; e < m; e++) {guard}{place}\n"


def _program(random: Random) -> str:
    guard = random.choice(["", "", "if (src[e] != dst[e]) "])
    ends = random.choice([("src[e]", "dst[e]"), ("dst[e]", "src[e]")])
    lists = [
        _offsets(random, ends[0], "one", "p", guard)
        + _filled(random, ends[0], ("p", "to", "cost", ends[1]), guard),
        _offsets(random, ends[1], "other", "q", guard)
        + _filled(random, ends[1], ("q", "by", "price", ends[0]), guard),
    ]
    random.shuffle(lists)
    build = "".join(lists)
    for _ in range(random.choice([0, 0, 1, 1, 2])):
        old, new = random.choice(_DEFECTS)
        places = [i for i in range(len(build)) if build.startswith(old, i)]
        if places:
            at = random.choice(places)
            build = build[:at] + new + build[at + len(old) :]
    names = random.choice([("one", "to", "cost"), ("other", "by", "price")])
    value = random.choice([f"a[{names[1]}[k]]", f"a[{names[1]}[k]] + {names[2]}[k]"])
    update = random.choice([f"b[v] += {value};", f"if ({value} < b[v]) b[v] = {value};"])
    return f"""{_MEMORY}{build}
#pragma omp parallel for
for (long v = 0; v < n; v++)
    for (long k = {names[0]}[v]; k < {names[0]}[v + 1]; k++)
        if ({names[1]}[k] >= 0 && {names[1]}[k] < n) {update}
free(src); free(dst); free(wt); free(one); free(other); free(to); free(by); free(cost);
free(price); free(p); free(q);
"""


@pytest.mark.parametrize("seed", [1])
def test_what_is_taken_for_a_graph_is_one(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    kernels = "".join(kernel(f"program{i}", _program(random), "") for i in range(_KERNELS))
    text = f"#include <stdlib.h>\n#include <string.h>\n{kernels}"
    ran = check(text, tmp_path, "graph:flip=push")
    flipped = sum(ran.done(name, "edges flipped") for name in ran.said)
    assert _KERNELS // 4 < flipped < _KERNELS
