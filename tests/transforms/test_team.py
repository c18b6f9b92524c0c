"""One team of threads for a sequential loop: where threads wait, and what is refused."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import islpy as isl
import pytest

from s2s.analyses import legality
from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from s2s.emitters.c.team import BARRIER, TeamWriter
from s2s.scop.nodes import Scop, Statement
from s2s.scop.schedule import Dimension, Parallelism, Role, Schedule, Team
from s2s.transforms.phases import Phases
from s2s.transforms.team import team
from tests.lifting import Analysed, analysed, scop_of
from tests.soundness.harness import program

# Two tasks that nothing orders, then one that needs both; and what the spawning thread does.
_TASKS = Path(__file__).with_name("team_tasks.c").read_text()
_DECLARE = "double *a = u_, *b = v_, *c = u_ + 64, *d = v_ + 64; (void)m;"


def _analysed(loops: str) -> Analysed:
    arrays = "double a[99], b[99], c[99], d[99];\n"
    return analysed(scop_of(f"{arrays}void sweep(int n, int T)\n{{\n{loops}\n}}\n"))


def _phases() -> tuple[Analysed, Scop]:
    found = _analysed(_TASKS.replace("CLAUSES", ""))
    return found, Phases().run(found.scop, found.pruned).scop


def _new_code(folder: Path, loops: str) -> str:
    source = folder / "a.c"
    source.write_text(program(loops, declare=_DECLARE))
    text = transform_file(str(source), ["-fopenmp"], Options(strict=True, force=True)).text
    return text.decode().partition("/* s2s:")[2].partition("} else {")[0]


def test_threads_wait_only_for_what_they_need(tmp_path: Path) -> None:
    loops = _TASKS.replace("CLAUSES", " num_threads(3)")
    code = _new_code(tmp_path, loops)
    directives = re.findall(r"#pragma omp (.*)", code)
    assert directives == [
        "parallel num_threads(3)",
        "barrier",
        "single nowait",
        "barrier",
        "for schedule(dynamic) nowait",
        "for schedule(dynamic) nowait",
        "barrier",
        "for schedule(dynamic) nowait",
    ], code


def test_independence_is_proved_again() -> None:
    """A team that would wait for nothing is refused, one that waits everywhere is not."""
    found, scop = _phases()
    assert scop.target is not None
    names = [s.name for s in scop.statements]
    every = frozenset(frozenset((a, b)) for a in names for b in names)
    racy = replace(scop, target=replace(scop.target, team=Team("t", every)))
    violation = legality.check(racy, found.pruned)
    assert violation is not None
    assert "would not wait" in violation.reason
    careful = replace(scop, target=replace(scop.target, team=Team("t")))
    assert legality.check(careful, found.pruned) is None
    chosen = team(scop, found.pruned)
    assert legality.check(chosen, found.pruned) is None
    assert chosen.target is not None
    assert chosen.target.team is not None
    assert frozenset() < chosen.target.team.independent < every


def test_clauses_that_the_loop_may_change_are_asked_in_it(tmp_path: Path) -> None:
    """``num_threads`` reads an element that the loop writes: each parallel loop asks anew."""
    clause = " num_threads((int)c[0] % 2 + 1)"
    code = _new_code(tmp_path, _TASKS.replace("CLAUSES", clause))
    assert f"parallel for schedule(dynamic){clause}" in code, code
    assert "single" not in code


_HEAD = "int omp_get_num_threads(void);\ndouble a[99], b[99], c[99], d[99];\n"
# Calls between parallel loops, outside of any parallel region of the source.
_OUTSIDE = Path(__file__).with_name("team_outside.c").read_text()


@pytest.mark.parametrize(
    ("value", "has_team"), [("0.5 * c[t]", True), ("omp_get_num_threads()", False)]
)
def test_calls_stay_outside_of_a_region(value: str, has_team: bool) -> None:
    loops = _OUTSIDE.replace("VALUE", value)
    found = analysed(scop_of(f"{_HEAD}void sweep(int n, int T)\n{{\n{loops}\n}}\n"))
    made = team(_in_order(found.scop), found.pruned)
    assert legality.check(made, found.pruned) is None
    assert made.target is not None
    assert (made.target.team is not None) is has_team


@pytest.mark.parametrize(("construct", "has_team"), [("single", True), ("master", False)])
def test_calls_that_the_first_thread_makes_stay_there(construct: str, has_team: bool) -> None:
    """Tasks below ``master`` may be anyone's, what the spawning thread does itself may not."""
    loops = _TASKS.replace("CLAUSES", "").replace("omp single", f"omp {construct}")
    loops = loops.replace("0.5 * c[t] + 1.0", "omp_get_num_threads()")
    found = analysed(scop_of(f"{_HEAD}void sweep(int n, int T)\n{{\n{loops}\n}}\n"))
    made = team(Phases().run(found.scop, found.pruned).scop, found.pruned)
    assert made.target is not None
    assert (made.target.team is not None) is has_team


def _in_order(scop: Scop) -> Scop:
    """The source's order, the innermost loop parallel for the deepest statement."""
    deep = max(scop.statements, key=lambda s: s.depth)
    length = deep.schedule.dim(isl.dim_type.out)
    dimensions = [Dimension(f"c{place}", Role.ORDER) for place in range(length)]
    inner = next(p for p in reversed(range(length)) if _varies(deep, p))
    dimensions[inner] = replace(
        dimensions[inner], parallelism=Parallelism.DOALL, statements=frozenset({deep.name})
    )
    maps = {s.name: s.schedule.intersect_domain(s.domain) for s in scop.statements}
    return replace(scop, target=Schedule(maps, tuple(dimensions)))


def _varies(statement: Statement, place: int) -> bool:
    times = statement.schedule.range()
    return bool(times.plain_get_val_if_fixed(isl.dim_type.set, place).is_nan())


def test_behind_a_condition_either_branch_may_have_waited() -> None:
    apart = frozenset({frozenset({"a", "b"}), frozenset({"a", "c"})})
    writer = TeamWriter(Team("t", apart))
    assert writer.waits({"a"}) == [BARRIER]  # others may be in the iteration before
    assert writer.waits({"b"}) == []
    before = writer.state
    assert writer.waits({"c"}) == [BARRIER]  # b and c depend on each other
    behind = writer.state
    writer.back_to(before)
    writer.join(behind)
    assert writer.waits({"c"}) == [BARRIER]  # without the branch nobody has waited for b
    writer.enter()
    assert writer.waits({"a"}) == [BARRIER]
