"""What becomes a piece, what its arrays are to it, and what threads keep on the host."""

from pathlib import Path

import pytest

from s2s.driver.offload.captures import NoPiece
from s2s.driver.offload.facts import Facts, look_at
from s2s.driver.offload.pieces import blocks, piece_of
from s2s.driver.offload.threads import threaded_functions
from s2s.frontends.c.parse import parse_as_compiled
from s2s.frontends.c.unit import Unit
from s2s.source import SourceBuffer

_HERE = Path(__file__).parent

HEAD = (_HERE / "macros_and_arrays.c").read_text()


def unit_of(body: str, *flags: str) -> Unit:
    text = f"{HEAD}int main(int count, char **words)\n{{\n{body}\nreturn 0;\n}}\n"
    unit = parse_as_compiled(SourceBuffer("x.c", text.encode()), flags)
    assert not unit.errors
    return unit


def look(body: str, statement: int = -2) -> Facts | str:
    """Facts of a statement of ``main``, or why it is no piece."""
    unit = unit_of(body)
    name, whole, block = list(blocks(unit))[-1]
    number = statement % len(block.children)
    try:
        (found,) = look_at(unit, [piece_of(unit, (name, whole), block, number, {})])
    except NoPiece as why:
        return why.reason
    return found.reason if isinstance(found, NoPiece) else found


def directions(body: str) -> dict[str, str]:
    found = look(body)
    assert isinstance(found, Facts), found
    return {argument.name: argument.direction for argument in found.arguments}


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("for (int i = 0; i < 8; i++) y[i] = w[i];", {"y": "out", "w": "in"}),
        ("for (int i = 0; i < 7; i++) y[i] = w[i];", {"y": "inout", "w": "in"}),
        ("for (int i = 0; i < 8; i++) y[i] += w[i];", {"y": "inout", "w": "in"}),
        ("for (int i = 0; i < 8; i++) if (w[i]) y[i] = 1;", {"y": "inout", "w": "in"}),
        ("for (int i = 1; i < 8; i++) y[i] = y[i - 1];", {"y": "inout"}),
        ("for (int i = 0; i < 3; i++) y[i] = table[i];", {"y": "inout", "table": "constant"}),
        # What is read has been written before in the same piece.
        ("for (int i = 0; i < 8; i++) { w[i] = i; y[i] = w[i] + 1; }", {"w": "out", "y": "out"}),
        ("for (int r = 0; r < 3; r++) for (int i = 0; i < 8; i++) x[r][i] = r;", {"x": "out"}),
        ("for (int r = 0; r < 3; r++) for (int i = 0; i < 7; i++) x[r][i] = r;", {"x": "inout"}),
        # Subscripts that are not affine may lead anywhere.
        ("for (unsigned i = 0; i < 8; i++) y[i] = w[i];", {"y": "inout", "w": "in"}),
        ("for (int i = 0; i < 8; i++) y[w[i]] = table[w[i] & 1];",
         {"y": "inout", "w": "in", "table": "constant"}),
        ("int n = 8; for (int i = 0; i < n; i++) y[i] = 0;", {"y": "out"}),
        ("twice(y, w, 8);", {"y": "out", "w": "in"}),
        # Scalars and members are passed, and come back where they change.
        ("int s = 0; for (int i = 0; i < 8; i++) s += y[i];", {"s2s_s": "inout", "y": "in"}),
        ("for (int i = 0; i < 8; i++) y[i] = count;", {"y": "out", "s2s_count": "in"}),
        ("int s; for (int i = 0; i < 8; i++) s = y[i];", {"s2s_s": "inout", "y": "in"}),
        ("struct layer *p = &l; for (int i = 0; i < 8; i++) p->w[i] += p->n * l.f[i];",
         {"s2s_p_w": "inout", "s2s_p_n": "in", "s2s_l_f": "in"}),
    ],
)  # fmt: skip
def test_arrays_go_and_come_as_they_are_touched(body: str, wanted: dict[str, str]) -> None:
    assert directions(body) == wanted


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("for (int i = 0; i < 8; i++) unknown();", "calls 'unknown'"),
        ("for (int i = 0; i < count; i++) y[i] = 0;", "the value of 'count' is not known"),
        ("for (int i = 0; i < l.n; i++) y[i] = 0;", "the value of 'l.n' is not known"),
        ("for (int i = 0; i < 8; i++) *l.w++ = y[i];", "changes 'l.w', which is no array"),
        ("for (int i = 0; i < 8; i++) y[i] = l.bits;", "'l.bits' cannot be passed"),
        ("register int s = 0; for (int i = 0; i < 8; i++) s += y[i];", "'s' cannot be passed"),
        (
            "char s[8]; for (int i = 0; i < 8; i++) l.w[i] = s[i];",
            "bytes may be those of the structure",
        ),
        ("for (int i = 0; i < 8; i++) if (y[i]) return 1;", "leaves the loop"),
        ("global();", "calls what uses 'y'"),
        ("SET(y);", "is neither a loop nor a call"),
        ("EACH(i) y[i] = i;", "its text comes from a macro"),
        ("twice(y, y, 8);", "passes memory that may overlap"),
        ("twice(y, y + 1, 4);", "passes memory that may overlap"),
        ("int i; for (i = 0; i < 8; i++) y[i] = 0; unknown(); if (i) w[0] = i;", None),
    ],
)
def test_what_is_no_piece(body: str, why: str | None) -> None:
    # The last one: somebody reads the counter afterwards.
    found = look(body, 1) if why is None else look(body)
    assert found == (why or "the value of 'i' is not known")


def test_a_counter_that_nobody_reads_afterwards_is_its_own() -> None:
    found = look("int i; for (i = 0; i < 8; i++) y[i] = 0; for (i = 0; i < 8; i++) w[i] = 1;")
    assert isinstance(found, Facts)
    assert (found.piece.own, dict(found.piece.assumed)) == (("int i",), {})


def test_scalars_have_the_values_of_their_types() -> None:
    found = look("float a = 0.1f; unsigned n = 8; for (int i = 0; i < (int)n; i++) y[i] = (int)a;")
    assert isinstance(found, Facts)
    assert {name: str(one) for name, one in found.piece.assumed.items()} == {
        "n": "(unsigned int)8", "a": "(float)0.10000000149011612",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("body", "flags", "wanted"),
    [
        ("global();", ["-fopenmp"], set()),
        ("#pragma omp parallel\nglobal();", [], set()),
        ("#pragma omp parallel\nglobal();", ["-fopenmp"], {"main", "global"}),
        (
            "#pragma omp parallel for\nfor (int i = 0; i < 8; i++) global();",
            ["-fopenmp"],
            {"global"},
        ),
        ("int pthread_create(void); pthread_create();", [], {"main", "global", "twice"}),
    ],
)
def test_what_threads_run(body: str, flags: list[str], wanted: set[str]) -> None:
    assert threaded_functions(unit_of(body, *flags)) == wanted
