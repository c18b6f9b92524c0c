"""Loops that threads share out by their numbers: which ranges are taken for that.

The races that this leaves, and others in code that nothing is rewritten from, are in ``races``.
"""

from __future__ import annotations

import pytest

from s2s.frontends.c.syntax import Node
from s2s.frontends.c.threads import Split, shared_header, split
from s2s.scop.polynomial import Polynomial
from tests.lifting import parse_text

_SPLIT = """
void f(int n, double *a, double *b)
{{
#pragma omp parallel
    {{
        int id = omp_get_thread_num();
        int size = omp_get_num_threads();
        {0}
            a[i] = i;
#pragma omp barrier
        {0}
            b[i] = a[n - 1 - i];
    }}
}}
"""

_SPLITS = {
    "cyclic": "for (int i = id; i < n; i += size)",
    "cyclic from one": "for (int i = 1 + id; i <= n; i = i + size)",
    "scaled": "for (int i = n * id / size; i < n * (id + 1) / size; i++)",
    "rounded up": """int @m = (n + size - 1) / size, @l = id * @m, @h = @l + @m;
        if (@h > n) @h = n;
        for (int i = @l; i < @h; i++)""",
    "the last one takes the rest": """int @m = n / size, @l = @m * id;
        int @h = id == size - 1 ? n : @l + @m;
        for (int i = @l; i < @h; i++)""",
}


def _two_loops(split: str) -> str:
    text = _SPLIT.format(split)
    first, second = text.split("#pragma omp barrier")
    return first.replace("@", "p_") + "#pragma omp barrier" + second.replace("@", "q_")


@pytest.mark.parametrize(
    "loop",
    [
        "for (int i = id; i < n; i += size + 1)",
        "for (int i = n * id / size; i <= n * (id + 1) / size; i++)",
        "for (int i = n / size * id; i < n / size * (id + 1); i++)",
        "for (int i = 0; i < n; i++)",
    ],
)
def test_other_bounds_are_no_split(loop: str) -> None:
    """Iterations that no thread or several threads have are not taken for shared out."""
    assert split_of(_two_loops(loop)) is None


def split_of(text: str) -> Split | None:
    """What the first loop of a parallel region runs over if threads share it out."""
    unit = parse_text("int omp_get_thread_num(void);\nint omp_get_num_threads(void);\n" + text)
    function = unit.convert(unit.functions()[-1])
    block = function.children[-1].children[0]
    loop = next(n for n in block.children if n.kind == "FOR_STMT")
    seen = block.children[: block.children.index(loop)]

    def polynomial(name: Node) -> Polynomial:
        return Polynomial.name(name.name)

    return split(shared_header(loop), seen, polynomial)


@pytest.mark.parametrize("name", _SPLITS)
def test_the_range_is_that_of_one_thread(name: str) -> None:
    found = split_of(_two_loops(_SPLITS[name]))
    n = Polynomial.name("n")
    one = Polynomial.integer(1 if name == "cyclic from one" else 0)
    assert found is not None
    assert (found.first, found.limit, found.step) == (one, n + one, 1)
