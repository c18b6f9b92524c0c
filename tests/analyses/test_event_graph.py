"""Happens-before of random programs is what an explicit graph of their events says."""

from __future__ import annotations

import islpy as isl
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from s2s.analyses import happens_before
from tests.analyses.event_graph import (
    Execution,
    Instance,
    Loop,
    Node,
    Printer,
    Region,
    Sections,
    Sharing,
    Wait,
    Work,
)
from tests.lifting import lifted, parse_text

_MOST_LINES = 45
_works = st.builds(Work)
_depends = st.lists(
    st.tuples(st.sampled_from(("in", "out")), st.sampled_from(("0", "1", "i"))), max_size=2
).map(tuple)


def _blocks(nodes: st.SearchStrategy[Node], most: int = 3) -> st.SearchStrategy[tuple[Node, ...]]:
    return st.lists(nodes, min_size=1, max_size=most).map(tuple)


def _constructs(nodes: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    """What one thread may meet around other code."""
    body = _blocks(nodes)
    return st.one_of(
        st.builds(Region, st.just("task"), body, st.sampled_from(((), (), ("if(0)",))), _depends),
        st.builds(Region, st.just("task"), body, st.just(()), _depends),
        st.builds(Region, st.just("taskgroup"), body),
        st.builds(Region, st.just("taskloop"), body, st.sampled_from(((), ("nogroup",)))),
        st.builds(Loop, body),
    )


_code = st.recursive(st.one_of(_works, _works, st.builds(Wait, st.just("taskwait"))),
                     _constructs, max_leaves=5)  # fmt: skip
_schedules = st.sampled_from(
    ((), ("nowait",), ("nowait", "schedule(dynamic)"), ("schedule(dynamic)",))
)
_nowait = st.sampled_from(((), ("nowait",)))


@st.composite
def _ordered_loops(draw: st.DrawFn) -> Node:
    before, inside, behind = (draw(_blocks(_code, 2)) for _ in range(3))
    clauses = ("ordered", *draw(_schedules))
    return Sharing((*before, Region("ordered", inside), *behind), 0, clauses)


_shared = st.one_of(
    st.builds(Region, st.just("single"), _blocks(_code), _nowait),
    st.builds(Region, st.just("single"), _blocks(_code), _nowait),
    st.builds(Region, st.just("master"), _blocks(_code)),
    st.builds(Sharing, _blocks(_code, 2), st.integers(0, 1), _schedules),
    st.builds(Sections, st.lists(_blocks(_code, 2), min_size=2, max_size=2).map(tuple), _nowait),
    _ordered_loops(),
    st.builds(Wait, st.sampled_from(("barrier", "taskwait"))),
)
_team = st.one_of(
    _shared,
    _shared,
    st.builds(Region, st.just("taskgroup"), _blocks(_shared, 2)),
    st.builds(Loop, _blocks(_shared, 2)),
)
_parallel = st.builds(Region, st.just("parallel"), _blocks(_team, 4))
_static = st.builds(Sharing, _blocks(_code, 2), st.integers(0, 1), st.just(("nowait",)))
_equal_shares = st.builds(Region, st.just("parallel"), st.tuples(_static, _static))
_programs = st.one_of(
    _parallel, _parallel, _parallel, _equal_shares, st.builds(Loop, _blocks(_parallel, 2))
)


def _computed(text: str) -> tuple[set[tuple[Instance, Instance]], bool]:
    ((_, scop),) = lifted(parse_text(text))
    found = happens_before.compute(scop)
    return set(_pairs(found.relation)), found.exact


def _pairs(relation: isl.UnionMap) -> list[tuple[Instance, Instance]]:
    pairs: list[tuple[Instance, Instance]] = []

    def note(point: isl.Point) -> None:
        (pair,) = _maps(isl.UnionSet.from_point(point).unwrap())
        left, right = (_sample(s) for s in (pair.domain(), pair.range()))
        pairs.append((left, right))

    relation.wrap().foreach_point(note)
    return pairs


def _maps(relation: isl.UnionMap) -> list[isl.Map]:
    found: list[isl.Map] = []
    relation.foreach_map(found.append)
    return found


def _sample(item: isl.Set) -> Instance:
    count = item.dim(isl.dim_type.set)
    values = [item.plain_get_val_if_fixed(isl.dim_type.set, i).to_python() for i in range(count)]
    return int((item.get_tuple_name() or "S0")[1:]), tuple(values)


@settings(
    max_examples=70, deadline=None, derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)  # fmt: skip
@given(_programs)
def test_random_programs(program: Node) -> None:
    program = _fresh(program)
    text = Printer().program((program,))
    assume("x[1]" in text and len(text.split("\n")) < _MOST_LINES)
    expected = Execution().run((program,))
    found, exact = _computed(text)
    assert not expected - found, text
    assert not exact or found == expected, text


def _fresh(node: Node) -> Node:
    """The same program with statements that are objects of their own."""
    if isinstance(node, Work):
        return Work()
    if isinstance(node, Wait):
        return node
    if isinstance(node, Loop):
        return Loop(tuple(map(_fresh, node.body)))
    if isinstance(node, Region):
        return Region(node.kind, tuple(map(_fresh, node.body)), node.clauses, node.depends)
    if isinstance(node, Sharing):
        return Sharing(tuple(map(_fresh, node.body)), node.first, node.clauses)
    return Sections(tuple(tuple(map(_fresh, b)) for b in node.blocks), node.clauses)
