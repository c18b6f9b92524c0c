"""Un-skewing: what is taken, the schedule that comes out, and that the new code does the same."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import islpy as isl
import pytest

from s2s.analyses import legality
from s2s.scop.nodes import Scop
from s2s.scop.schedule import Parallelism, Role
from s2s.transforms.errors import NotApplicable
from s2s.transforms.unskew import Unskew
from tests.lifting import analysed, scop_of
from tests.programs import read_body
from tests.soundness.harness import check, program

_PROGRAMS = Path(__file__).parent / "unskew"

# Upper left triangle, then the rest; counted up and down; the subscript in a scalar.
_UPPER = read_body(_PROGRAMS / "upper.c")
_LOWER = read_body(_PROGRAMS / "lower.c")
_INDEPENDENT = read_body(_PROGRAMS / "independent.c")
# Needs its rows backwards: an element depends on the one below it.
_UPWARDS = read_body(_PROGRAMS / "upwards.c")
# Needs its columns skewed: an element depends on the one above and to the right.
_KNIGHT = read_body(_PROGRAMS / "knight.c")
_PLANE = read_body(_PROGRAMS / "plane.c")

_CALL = '{ double *w = numbers(64000, 3); sweep(n, m, T, w, v_); show("w", w, 8 * n * n); }'

_SERIAL = _LOWER.replace("#pragma omp parallel for private(r, at)\n", "")

_ROW_MAJOR = read_body(_PROGRAMS / "row_major.c")
_COLLIDING = read_body(_PROGRAMS / "colliding.c")
# Elements above and below are needed, so that neither order of rows is right.
_BOTH_WAYS = read_body(_PROGRAMS / "both_ways.c")


def _whole(loops: str) -> str:
    return "void f(int n, int m, double *restrict u_, double *restrict v_)\n{\n" + loops + "\n}\n"


def _run(loops: str, **options: object) -> Scop:
    found = analysed(scop_of(_whole(loops)))
    done = Unskew(**options).run(found.scop, found.pruned).scop  # type: ignore[arg-type]
    assert legality.check(done, found.pruned) is None
    return done


@pytest.mark.parametrize(
    ("loops", "reason"),
    [
        (_ROW_MAJOR, "no write walks across rows and columns at once"),
        (_COLLIDING, "the statement does not write one element of a matrix"),
        (_BOTH_WAYS, "dependences do not allow the order of the array"),
    ],
)
def test_what_is_left_alone(loops: str, reason: str) -> None:
    found = analysed(scop_of(_whole(loops)))
    with pytest.raises(NotApplicable, match=reason):
        Unskew().run(found.scop, found.pruned)


@pytest.mark.parametrize(
    ("loops", "walk"),
    [
        ("int at, r;" + _UPPER.replace("int at, r;", ""), "S1[d, r] -> [r + 1, d - r + 1]"),
        ("int at, r;" + _LOWER, "[n] -> { S1[d, r] -> [n - 1 - r, n - 1 - d + r] }"),
        (_UPWARDS, "[n] -> { S1[d, r] -> [r + 2 - n, d + 1 - r] }"),
    ],
)
def test_time_is_what_the_statement_writes(loops: str, walk: str) -> None:
    done = _run(loops, sizes=(4, 8))
    assert done.target is not None
    assert [d.parallelism for d in done.target.dimensions[:2]] == [Parallelism.DOACROSS] * 2
    (times,) = done.target.maps.values()
    points = times.project_out(isl.dim_type.out, 0, 2)
    expected = isl.Map(walk if walk.startswith("[") else f"{{ {walk} }}")
    assert points.is_equal(expected.intersect_domain(done.statements[0].domain))


def test_independent_rows_run_in_parallel_without_tiles() -> None:
    done = _run(_INDEPENDENT)
    assert done.target is not None
    assert done.target.count(Role.TILE) == 0
    assert [d.parallelism for d in done.target.dimensions] == [Parallelism.DOALL, Parallelism.SIMD]


@pytest.mark.parametrize(
    "around", ["", "#pragma omp parallel private(at, r)\n#pragma omp single\n"]
)
def test_a_serial_loop_stays_serial(around: str) -> None:
    done = _run("int at, r;\n" + around + _SERIAL)
    assert done.target is not None
    assert all(d.parallelism is Parallelism.NONE for d in done.target.dimensions)


def test_a_wavefront_runs_the_tiles_of_a_diagonal_in_parallel() -> None:
    done = _run(_UPPER, emit="wavefront", sizes=(4, 8))
    assert done.target is not None
    kinds = [d.parallelism for d in done.target.dimensions[:2]]
    assert kinds == [Parallelism.NONE, Parallelism.DOALL]


@pytest.mark.parametrize("emit", ["doacross", "wavefront", "tasks"])
@pytest.mark.parametrize(
    "loops",
    [_UPPER, _UPPER + _LOWER, _INDEPENDENT, _UPWARDS, _KNIGHT, _PLANE, "int at, r;" + _SERIAL],
    ids=["upper", "both", "independent", "upwards", "knight", "plane", "serial"],
)
def test_the_new_code_does_the_same(
    tmp_path: Path,
    loops: str,
    emit: Literal["doacross", "wavefront", "tasks"],
) -> None:
    """Tiles are smaller than the arrays, so that there are several in each direction."""
    spec = f"unskew:sizes=3x5:plane-sizes=3x2:emit={emit}"
    found = check(tmp_path, program(loops, declare="", call=_CALL), passes=(spec,))
    assert found.transformed, found.messages
    assert not found.different
