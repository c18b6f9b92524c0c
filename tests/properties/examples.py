"""One example of the schedule property: a program, its regions under random legal schedules.

An example is a function of its seed alone. ``S2S_SEED`` is the first part of all seeds and
``S2S_EXAMPLES`` the number of examples of a whole run; a failure prints the seed of its example,
which ``S2S_ONLY`` runs alone.
"""

from __future__ import annotations

import os
import random
import re
from collections import Counter
from dataclasses import dataclass, field

import islpy as isl

from s2s.analyses import legality
from s2s.emitters.c.errors import Unprintable
from s2s.scop.nodes import Scop
from s2s.source import Edit, apply_edits
from s2s.source.diagnostics import InternalError
from s2s.transforms.errors import NotApplicable
from tests.lifting import parse_text
from tests.properties import coverage, schedules
from tests.properties.generate import draw_program
from tests.properties.harness import Case
from tests.properties.printer import function_text
from tests.properties.program import Program
from tests.properties.regions import Region, executed, regions, rewritten
from tests.thorough import count

SEED = os.environ.get("S2S_SEED", "1")
EXAMPLES = count("S2S_EXAMPLES", 20, 200)
ONLY = os.environ.get("S2S_ONLY", "")

_SCHEDULE_TRIES = 5
# A local that takes the value of another one at the end of an iteration.
_ROTATION = re.compile(rb"(s2s_\w+)_\d+ = \1_\d+;")
_OPERATIONS = 4_000_000


@dataclass
class Example:
    """What became of a seed. ``case`` is None when no region was rewritten."""

    seed: str
    program: Program
    case: Case | None = None
    problems: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)


def example(number: int, seed: str) -> Example:
    return transformed(draw_program(number, seed), seed)


def transformed(program: Program, seed: str) -> Example:
    """Rewrite every region of a program that a random schedule is found for."""
    result = Example(seed, program)
    text = function_text(program)
    rng = random.Random(f"{seed}:schedule")
    unit = parse_text(text)
    edits: list[Edit] = []
    with _Budget():
        try:
            for region in regions(unit, disjoint=rng.random() < 0.8):
                result.counts["regions"] += 1
                result.problems += coverage.problems(region, program, text)
                edit = _edit(region, rng, result)
                if edit is not None:
                    edits.append(edit)
        except isl.Error as problem:
            result.counts[f"isl: {problem}".partition(" in /")[0]] += 1
        except Exception as problem:  # a crash is one more thing that is wrong with a seed
            result.problems.append(f"{type(problem).__name__}: {problem}")
    if edits:
        result.case = Case(program, apply_edits(text.encode(), edits).decode())
        result.counts["parallel source"] += program.parallel
    return result


def _edit(region: Region, rng: random.Random, result: Example) -> Edit | None:
    _check_identity(region, result)
    for _ in range(_SCHEDULE_TRIES):
        try:
            return _rewrite(region, rng, result)
        except (NotApplicable, Unprintable) as reason:
            result.counts[f"declined: {reason}"[:60]] += 1
        except isl.Error as problem:
            result.counts[f"isl: {problem}".partition(" in /")[0]] += 1
        except (InternalError, ValueError, AssertionError) as problem:
            result.problems.append(f"{type(problem).__name__}: {problem}")
            return None
    return None


def _rewrite(region: Region, rng: random.Random, result: Example) -> Edit:
    drawn = schedules.draw(region.scop, region.kept, rng)
    violation = legality.check(drawn.scop, region.kept)
    if violation is not None:
        result.counts[f"illegal ({drawn.kind})"] += 1
        raise NotApplicable(region.scop.span, "not legal")
    done = rewritten(region, drawn.scop)
    result.counts[f"rewritten ({drawn.kind})"] += 1
    _count_marks(drawn.scop, result)
    result.counts["parallel loops of one team"] += b"#pragma omp for" in done.edit.text
    result.counts["elements carried in locals"] += bool(_ROTATION.search(done.edit.text))
    if any(_runs(drawn.scop, run) for run in result.program.runs):
        result.counts["new code runs"] += 1
    return done.edit


def _check_identity(region: Region, result: Example) -> None:
    """The source's own order is legal whatever the dependences are."""
    violation = legality.check(schedules.identity(region.scop), region.kept)
    if violation is not None:
        result.problems.append(f"the source's own order is refused: {violation.reason}")


def _count_marks(scop: Scop, result: Example) -> None:
    assert scop.target is not None
    for dimension in scop.target.dimensions:
        result.counts[f"marked {dimension.parallelism.value}"] += 1
    result.counts["tiled"] += any(d.role.value == "tile" for d in scop.target.dimensions)


def _runs(scop: Scop, run: dict[str, int]) -> bool:
    here = coverage.at(scop, run)
    return here is not None and not here.is_disjoint(executed(scop))


class _Budget:
    """Limits isl's work on one example; an example beyond it is not drawn further."""

    def __enter__(self) -> None:
        context = isl.DEFAULT_CONTEXT
        context.reset_operations()
        context.set_max_operations(_OPERATIONS)

    def __exit__(self, *_: object) -> None:
        isl.DEFAULT_CONTEXT.set_max_operations(0)
