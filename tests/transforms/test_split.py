"""Index-set splitting: which conditions are boundaries, what the pieces are, and what they do."""

from __future__ import annotations

import random
from pathlib import Path

import islpy as isl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2s.scop.nodes import Scop, Statement
from s2s.scop.schedule import Parallelism
from s2s.source import SourceBuffer
from s2s.transforms.errors import NotApplicable
from s2s.transforms.split import Split, is_boundary, split
from tests.lifting import analysed, scop_of
from tests.programs import read_body
from tests.soundness.harness import ROWS, check, program
from tests.thorough import some

_PROGRAMS = Path(__file__).parent / "split"

_EDGES = read_body(_PROGRAMS / "edges.c")
_CHAIN = read_body(_PROGRAMS / "chain.c")
_HALVES = _EDGES.replace("j == 0", "i < j")
_PLAIN = "    for (int i = 0; i < n; i++)\n        for (int j = 0; j < m; j++) u[i][j] = v[i][j];\n"
_RECURRENCE = _EDGES.replace("v[i][j - 1]", "u[i][j - 1]")
_DATA = _EDGES.replace("j == 0", "v[i][j] > 0.5")
_REDUCTION = """
    double s = 0.0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) s += j == 0 ? 0.0 : v[i][j - 1];
    u[0][0] = s;
"""
_SHALLOW = "    for (int j = 0; j < m; j++) u[0][j] = j == 0 ? 0.0 : v[0][j - 1];\n"


def _whole(loops: str) -> str:
    head = "void f(int n, int m, double (*restrict u)[m], double (*restrict v)[m])"
    return f"{head}\n{{\n{loops}}}\n"


def _pieces(loops: str) -> tuple[Scop, dict[str, Statement]]:
    scop = scop_of(_whole(loops))
    apart, mapping = split(scop)
    assert mapping.is_bijective()
    assert mapping.domain().is_equal(scop.domain())
    assert mapping.range().is_equal(apart.domain())
    return scop, {s.name: s for s in apart.statements}


def _text(loops: str, piece: Statement) -> str:
    buffer = SourceBuffer("program.c", _whole(loops).encode())
    return " ".join(buffer.edited(piece.span, piece.edits).split())


@pytest.mark.parametrize(
    ("loops", "reason"),
    [
        (_PLAIN, "no boundary conditions"),
        (_HALVES.replace("i == n - 1", "i < j"), "no boundary conditions"),
        (_DATA, "no boundary conditions"),
        (_RECURRENCE, "does not vectorize"),
        (_SHALLOW, "too shallow"),
        (_REDUCTION, "an update or call keeps its place"),
    ],
)
def test_what_is_left_alone(loops: str, reason: str) -> None:
    found = analysed(scop_of(_whole(loops)))
    with pytest.raises(NotApplicable, match=reason):
        Split().run(found.scop, found.pruned)


def test_the_bulk_is_straight_code_without_its_boundaries() -> None:
    scop, pieces = _pieces(_EDGES)
    bulk = pieces["S1"]
    inside = isl.Set("[n, m] -> { S1[i, j] : 0 <= i < n - 1 and 0 < j < m }")
    assert bulk.domain.is_equal(inside)
    assert bulk.straight
    assert not scop.statements[0].straight
    text = "double west; { west = v[i][j - 1]; } u[i][j] = west + v[i + 1][j];"
    assert _text(_EDGES, bulk) == text


def test_sums_keep_the_parentheses_that_were_around_a_condition() -> None:
    loops = _EDGES.replace("west + (i == n - 1 ? 0.0", "west * (i == n - 1 ? v[i][j] + west")
    _, pieces = _pieces(loops)
    edge, bulk = (_text(loops, pieces[name]) for name in sorted(pieces, reverse=True)[-2:])
    assert edge.endswith("u[i][j] = west * (v[i][j] + west);")
    assert bulk.endswith("u[i][j] = west * v[i + 1][j];")


def test_the_bulk_touches_only_what_its_text_touches() -> None:
    _, pieces = _pieces(_CHAIN.replace("j == 0) { d = v[i - 1]", "j == 0) { d = v[i - 2]"))
    bulk = pieces["S1"]
    reads = [a.relation for a in bulk.accesses if not a.write]
    assert len(reads) == 3
    assert all(r.domain().is_equal(bulk.domain) for r in reads)


def test_each_branch_of_a_chain_is_a_piece() -> None:
    _, pieces = _pieces(_CHAIN)
    texts = {name: _text(_CHAIN, piece) for name, piece in pieces.items()}
    assert sorted(texts.values()) == sorted(
        f"{{ {branch} u[i][j] = v[i][j] + d; }}"
        for branch in (
            "{ d = 1.0; }", "{ d = v[i][j - 1]; }", "{ d = v[i - 1][j]; }",
            "{ d = v[i - 1][j] + v[i][j - 1]; }",
        )
    )  # fmt: skip
    assert all(piece.straight for piece in pieces.values())


def test_the_loop_stays_parallel_and_its_inner_loop_becomes_a_vector_loop() -> None:
    found = analysed(scop_of(_whole(_CHAIN)))
    done = Split().run(found.scop, found.pruned)
    assert done.scop.target is not None
    kinds = [d.parallelism for d in done.scop.target.dimensions]
    assert kinds == [Parallelism.DOALL, Parallelism.SIMD]


@pytest.mark.parametrize(
    ("part", "thin"),
    [
        ("i = 0", True),
        ("j = m - 1", True),
        ("i = j", True),
        ("i = 0 or j = 0 or j = m - 1", True),
        ("i < 3", True),
        ("i >= n - 2", True),
        ("i < j", False),
        ("i < p", False),
        ("i >= 1", False),
        ("i = 0 or j > 5", False),
        ("j mod 2 = 0", False),
    ],
)
def test_what_a_boundary_is(part: str, thin: bool) -> None:
    whole = isl.Set("[n, m, p] -> { [i, j] : 0 <= i < n and 0 <= j < m }")
    chosen = whole.intersect(isl.Set(f"[n, m, p] -> {{ [i, j] : {part} }}"))
    assert is_boundary(chosen, whole) is thin


_conditions = st.sampled_from(
    ["i == 0", "j == 0", "i == n - 1", "j >= m - 2", "i == j", "i < 2 && j > 0", "i + j == n",
     "!(i > 0)", "i == 0 || j == m - 1", "i < j", "2 * i == j"]
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.lists(_conditions, min_size=1, max_size=4), st.lists(_conditions, max_size=2))
def test_pieces_are_all_instances_and_know_their_conditions(
    chain: list[str], ternaries: list[str]
) -> None:
    scop = scop_of(_whole(_nest(chain, ternaries)))
    try:
        apart, mapping = split(scop)
    except NotApplicable:
        return
    assert mapping.is_bijective()
    assert mapping.domain().is_equal(scop.domain())
    assert mapping.range().is_equal(apart.domain())
    for piece in apart.statements:
        removed = [c for c in piece.choices if any(e.start == c.span.start for e in piece.edits)]
        for choice in removed:
            condition = choice.condition.intersect(piece.domain)
            assert condition.is_empty() or condition.is_equal(piece.domain)


def _nest(chain: list[str], ternaries: list[str]) -> str:
    branches = "".join(
        f"if ({c}) d = {k}.5; else " for k, c in enumerate(chain)
    )  # fmt: skip
    terms = "".join(f" + ({c} ? {k}.25 : v[i][j])" for k, c in enumerate(ternaries))
    return f"""
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {{
            double d;
            {branches}{{ d = v[i][j] + 1.0; }}
            u[i][j] = d{terms};
        }}
"""


@pytest.mark.parametrize("seed", some([1, 2]))
def test_the_new_code_does_the_same(tmp_path: Path, seed: int) -> None:
    """Random chains, in serial and in parallel nests, of one program."""
    chance = random.Random(seed)
    known = ["i == 0", "j == 0", "i == n - 1", "j >= m - 2", "i == j", "j == m - 1", "i < 2"]
    nests = []
    for position in range(10):
        chain = chance.sample(known, chance.randint(1, 3))
        text = _nest(chain, chance.sample(known, chance.randint(0, 2)))
        text = text.replace("u[i][j] = d", "u[i][j] = 0.5 * u[i][j] + d")
        nests.append("\n#pragma omp parallel for" + text if position % 2 else text)
    found = check(tmp_path, program("".join(nests), declare=ROWS))
    assert found.transformed
    assert found.messages.count("split at the boundaries") == len(nests), found.messages
    assert not found.different
