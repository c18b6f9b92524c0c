"""Sums that are fed back: through registers, through memories, with first values beside them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from hypothesis import given, settings

from s2s.analyses.cycles import check, dependences
from s2s.scop.accelerator import Accelerator
from s2s.scop.netlist import Memory, Mux
from s2s.transforms.clockwork.accesses import Access
from s2s.transforms.clockwork.mapping import map_design
from s2s.transforms.clockwork.schedule import schedule
from s2s.transforms.clockwork.unified_buffers import fold, list_accesses
from tests.transforms.clockwork import brute
from tests.transforms.clockwork.netlists import Run
from tests.transforms.clockwork.reductions import reductions, window


def test_a_sum_in_a_register() -> None:
    found = schedule(window(4, 3))
    netlist = map_design(found.accelerator, found.schedule)
    assert list(Run(found.accelerator, found.schedule, netlist).wrong()) == []
    assert netlist.count(Memory) == 0
    # The first value comes in with the first of the nine, all others are fed back.
    (mux,) = [each for each in netlist.instances.values() if isinstance(each, Mux)]
    assert [len(controllers) for controllers in mux.select].count(0) == 1
    # A window each nine cycles; the first value takes no cycle of its own.
    starts = found.schedule.starts
    assert starts["op_hcompute_sum"].offset == starts["op_hcompute_sum_1"].offset
    assert starts["op_hcompute_sum"].strides == (9,)


@settings(max_examples=40, deadline=None)
@given(reductions())
def test_random_reductions(program: Accelerator) -> None:
    found = schedule(program)
    assert check(found.accelerator, found.schedule) is None
    assert next(brute.wrong_loads(found.accelerator, found.schedule), None) is None
    for name, start in found.schedule.starts.items():
        assert sum(term.cycles for term in found.schedule.terms[name]) == start.offset
    netlist = map_design(found.accelerator, found.schedule)
    run = Run(found.accelerator, found.schedule, netlist)
    assert list(run.wrong())[:3] == []
    assert list(run.sram_conflicts())[:3] == []


@settings(max_examples=25, deadline=None)
@given(reductions())
def test_dependences_are_all_meetings_in_the_order_of_the_program(program: Accelerator) -> None:
    """The order here is that of the statements' schedules, not of the loops that they share."""
    known = list(zip(program.operations, program.scop.statements, strict=True))
    found = {(d.kind, d.source, d.target, d.read): d.relation for d in dependences(program)}
    for first, early in known:
        for second, late in known:
            order = early.schedule.intersect_domain(early.domain).lex_lt_map(
                late.schedule.intersect_domain(late.domain)
            )
            meetings = [("RAW", early.write, read, k) for k, read in enumerate(late.reads)]
            meetings += [("WAR", read, late.write, k) for k, read in enumerate(early.reads)]
            for kind, one, other, place in (*meetings, ("WAW", early.write, late.write, -1)):
                if one.array != other.array:
                    continue
                pairs = one.relation.apply_range(other.relation.reverse()) & order
                own = found.get((kind, first.name, second.name, place))
                assert pairs.is_empty() if own is None else pairs.is_equal(own)


@settings(max_examples=25, deadline=None)
@given(reductions())
def test_words_that_nobody_reads_take_no_place_of_one_that_is_read(program: Accelerator) -> None:
    found = schedule(program)
    accesses = list_accesses(found.accelerator, found.schedule)
    stores = [a for a in accesses if a.number < 0]
    for write, read in product(stores, (a for a in accesses if a.number >= 0)):
        if write.tensor != read.tensor or sum(a.tensor == write.tensor for a in stores) > 1:
            continue
        modulus = fold([write, read], every=True)
        events = [(int(t), 1, int(c)) for c, t in _uses(write)]
        events += [(int(t), 0, int(c)) for c, t in _uses(read)]
        kept: dict[int, int] = {}
        written: set[int] = set()
        for _, stored, cell in sorted(events):
            if stored:
                kept[cell % modulus] = cell
                written.add(cell)
            elif cell in written:
                assert kept[cell % modulus] == cell


def _uses(access: Access) -> Iterator[tuple[int, int]]:
    touched = access.touched()
    return zip(touched.cells.tolist(), touched.cycles.tolist(), strict=True)
