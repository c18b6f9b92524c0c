"""Designs whose cycles are stripped away: the same words, never later, and no deadlock."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings

from s2s.scop.accelerator import Accelerator
from s2s.scop.netlist import Stream
from s2s.transforms.clockwork.errors import MappingError
from s2s.transforms.clockwork.fit_design import MappingOptions
from s2s.transforms.clockwork.handshakes import strip_cycles
from s2s.transforms.clockwork.mapping import map_design
from s2s.transforms.clockwork.schedule import schedule
from tests.transforms.clockwork.handshakes import Played
from tests.transforms.clockwork.netlists import Run
from tests.transforms.clockwork.pipelines import pipelines
from tests.transforms.clockwork.programs import cascade, chain, product
from tests.transforms.clockwork.test_sequential import rows
from tests.transforms.clockwork.test_sharing import shared_cascade


def played(accelerator: Accelerator) -> Played:
    """A design that waits for words, with each word compared with that of program order."""
    found = schedule(accelerator)
    netlist = map_design(found.accelerator, found.schedule, MappingOptions("ready-valid"))
    handshakes = strip_cycles(netlist, 2048)
    assert handshakes is not None
    own = Played(handshakes)
    assert not own.stuck
    outputs = [
        own.when[name][-1] for name, node in handshakes.nodes.items() if node.kind == "output"
    ]
    assert max(outputs) < netlist.cycles
    run = Run(found.accelerator, found.schedule, netlist)
    made = {
        (operation, k): (node, turn)
        for node, each in own.turns.items()
        for operation, some in _by_operation(each).items()
        for k, turn in enumerate(some)
    }
    counts: Counter[str] = Counter()
    for step, words in zip(run.program, run.expected, strict=True):
        node, turn = made[step.operation, counts[step.operation]]
        counts[step.operation] += 1
        names = [(e, w) for e, w in zip(step.loads, words, strict=True)]
        names = [(e, w) for e, w in names if e[0] in found.accelerator.tensors]
        for place, (element, word) in enumerate(names):
            taken = own.origin(own.taken(node, turn)[f"in{place}"])
            if element[0] in found.accelerator.inputs:
                stream = netlist.instances[taken[0]]
                assert isinstance(stream, Stream) and stream.buffer == element[0]
            else:
                assert word is not None and taken == made[word]
    return own


def _by_operation(turns: Mapping[int, tuple[str, object]]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for turn, (operation, _) in sorted(turns.items()):
        if operation:
            found.setdefault(operation, []).append(turn)
    return found


@pytest.mark.parametrize(
    "program",
    [
        chain("lanes", ["a", "b"], [(7, 4), (5, 3)], [1, 3], 2),
        product(2, 2, 2),
        rows(3, 4, 2, 2),
        shared_cascade("pixel", 6, 7),
        shared_cascade("line", 6, 7),
    ],
)
def test_designs_wait_for_words(program: Accelerator) -> None:
    played(program)


def test_the_words_of_cascade_are_those_of_its_rows() -> None:
    own = played(cascade(8, 10))
    sizes = [q.capacity for q in own.found.queues if q.kind == "memory"]
    # Rows of 10 and of 8; a place is free in the cycle after its last turn.
    assert sum(sizes) <= 2 * (10 + 1) + 2 * (8 + 1)


@given(pipelines())
@settings(max_examples=3, deadline=None)
def test_random_pipelines_wait_for_words(accelerator: Accelerator) -> None:
    try:
        played(accelerator)
    except MappingError:
        assume(False)


def test_a_queue_that_is_too_short_stands_still() -> None:
    own = played(cascade(8, 10))
    short = [replace(q, capacity=min(q.capacity, 4)) for q in own.found.queues]
    assert Played(replace(own.found, queues=tuple(short))).stuck
