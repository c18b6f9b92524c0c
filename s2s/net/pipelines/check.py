"""The C that leaves, called on sizes around every width, against the definitions it came from.

Nothing here looks at the schedule but to find sizes; the values are those of the definitions,
element by element, and what runs is the very text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext

from s2s.emitters.c.nests import Emitted
from s2s.net.pipelines.building import FAST, IN_TURNS, NotRun, Text, building
from s2s.net.pipelines.orders import reorder_text
from s2s.net.pipelines.widths import has_fixed_outputs, vectors
from s2s.scop.nest import Nest
from s2s.scop.pipeline import Pipeline
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Checked:
    """How many calls were compared, and how many elements in them; ``unknown``: why there is
    nothing to compare, empty if there is. ``smaller``: it was a copy of the pipeline with smaller
    outputs.
    """

    calls: int = 0
    elements: int = 0
    unknown: str = ""
    smaller: bool = False


Remake = Callable[[Mapping[str, tuple[int, ...]]], tuple[Nest, Emitted]]
"""The same pipeline through the same house, for other sizes of its outputs."""


def check(pipeline: Pipeline, nest: Nest, emitted: Emitted, header: str, remake: Remake) -> Checked:
    """Raises Mismatch where the text does not do what the definitions say.

    Where it takes too much to execute (its sizes may be constants), a smaller copy is.
    """
    found = _checked(pipeline, nest, emitted, header)
    if found.calls or not has_fixed_outputs(pipeline, nest):
        return found
    for number in range(3):
        sizes = {n: list(vectors(pipeline, n))[number] for n in pipeline.outputs}
        try:
            other = remake(sizes)
        except Exception:
            continue
        smaller = _checked(pipeline, *other, header)
        if smaller.calls:
            return Checked(smaller.calls, smaller.elements, "", True)
    return found


def _checked(pipeline: Pipeline, nest: Nest, emitted: Emitted, header: str) -> Checked:
    text = Text(emitted.name, emitted.source, (header, emitted.header), nest.arguments)
    other = reorder_text(pipeline, text)
    again = nullcontext() if other is None else building(other, IN_TURNS)
    try:
        with building(text) as build, again as turns:
            from s2s.net.pipelines.judging import Judge

            judge = Judge(pipeline)
            cases = judge.chosen(nest)
            judge.call(build, text, cases)
            if other is not None and turns is not None:
                judge.call_again(turns, other, cases)
        if not judge.calls:
            with building(text, FAST) as build:
                judge.call(build, text, cases)
    except NotRun as error:
        return Checked(unknown=str(error))
    unknown = "" if judge.calls else "no call of it has a result in time"
    return Checked(judge.calls, judge.elements, unknown)
