"""Tiles of a stencil that wait for each other in each of the three forms."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import islpy as isl
import pytest

from s2s.analyses import legality
from s2s.analyses.synchronization import Form
from s2s.scop.nodes import Scop
from s2s.scop.schedule import Parallelism
from s2s.transforms.errors import NotApplicable
from s2s.transforms.parallelize import wait_for_tiles
from s2s.transforms.popp import Popp
from tests.lifting import Analysed, analysed, scop_of
from tests.programs import read_body
from tests.soundness.harness import STENCIL, TASKS, check, program

_HERE = Path(__file__).parent

FORMS: tuple[Form, ...] = ("doacross", "wavefront", "tasks")
_DIRECTIVES = {
    "doacross": r"ordered depend\(sink:",
    "wavefront": r"omp for\n",
    "tasks": r"task[\s\\]+depend\(in:",
}
# Updates in place: nothing has to be skewed along the rows.
_IN_PLACE = read_body(_HERE / "tile_forms/in_place.c")
_CLAUSES = STENCIL.replace("parallel for", "parallel for num_threads(3) if(n > 2)")


def _small(form: Form) -> tuple[str]:
    return (f"popp:sizes=3x2:plane-sizes=2x2x2:chunk=2:emit={form}",)


def _analysed(loops: str) -> Analysed:
    text = f"double u[99][99], v[99][99];\nvoid sweep(int n, int m, int T)\n{{\n{loops}\n}}\n"
    return analysed(scop_of(text))


def _run(loops: str, **options: object) -> Scop:
    found = _analysed(loops)
    done = Popp(**options).run(found.scop, found.pruned).scop  # type: ignore[arg-type]
    assert legality.check(done, found.pruned) is None
    return done


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "loops", [STENCIL, TASKS, _IN_PLACE, _CLAUSES], ids=["loops", "tasks", "in place", "clauses"]
)
def test_the_new_code_does_the_same(tmp_path: Path, loops: str, form: Form) -> None:
    """With 1, 2 and 3 threads; tiles are smaller than the arrays, chunks than the time."""
    found = check(tmp_path, program(loops), passes=_small(form))
    assert found.transformed, found.messages
    assert not found.different
    changed = (tmp_path / "new_a.c").read_text()
    for clause in (" num_threads(3)", " if(n > 2)"):
        changed = changed.replace(clause, "")
    assert re.search(_DIRECTIVES[form], changed)


def test_more_tiles_than_tags(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neighbours share a tag: the order stays."""
    monkeypatch.setattr("s2s.emitters.c.waits.TAGS", 3)
    found = check(tmp_path, program(STENCIL), passes=_small("tasks"))
    assert found.transformed, found.messages
    assert "tags[2][4]" in (tmp_path / "new_a.c").read_text()
    assert not found.different


def test_a_pipeline_is_the_default() -> None:
    done = _run(STENCIL)
    assert done.target == _run(STENCIL, emit="doacross").target
    assert done.history == ("fused, skewed, tiled 16x8 and pipelined 2 loops",)


def test_the_estimate_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("s2s.analyses.synchronization.cheapest", lambda _: "tasks")
    done = _run(STENCIL)
    assert done.target is not None
    kinds = [d.parallelism for d in done.target.dimensions[:3]]
    assert kinds == [Parallelism.NONE, Parallelism.TASKS, Parallelism.TASKS]


@pytest.mark.parametrize("form", FORMS)
def test_tiles_that_are_not_permutable_are_refused(form: Form) -> None:
    """The second tile loop reversed: a dependence goes against it."""
    done = _run(STENCIL, emit="doacross")
    assert done.target is not None
    count = len(done.target.dimensions)
    inputs = [f"d{i}" for i in range(count)]

    turned = [*inputs[:2], "-d2", *inputs[3:]]
    reverse = isl.Map(f"{{ [{', '.join(inputs)}] -> [{', '.join(turned)}] }}")
    maps = {name: item.apply_range(reverse) for name, item in done.target.maps.items()}
    plain = [replace(d, parallelism=Parallelism.NONE) for d in done.target.dimensions]
    target = replace(done.target, maps=maps, dimensions=tuple(plain))
    changed = wait_for_tiles(replace(done, target=target), form, first=1)
    assert legality.check(changed, _analysed(STENCIL).pruned) is not None


@pytest.mark.parametrize("form", FORMS)
def test_two_tile_loops_are_needed(form: Form) -> None:
    done = _run(STENCIL)
    with pytest.raises(NotApplicable, match="tile"):
        wait_for_tiles(done, form, first=2)
