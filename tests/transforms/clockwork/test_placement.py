"""Designs placed and routed: random ones, those of applications, and what has to be refused."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2s.analyses.placement import check_nets, check_places, longest_path
from s2s.scop.expressions import Type
from s2s.scop.fabric import Array, Branch, Element, Fabric, Link, Net, Number, Part, Tile, Track
from s2s.transforms.clockwork.anneal import unregistered
from s2s.transforms.clockwork.array import load_array
from s2s.transforms.clockwork.errors import DoesNotFit, MappingError, NotRoutable
from s2s.transforms.clockwork.pipelining import make_plan
from s2s.transforms.clockwork.place import place
from s2s.transforms.clockwork.route import Limit, route

U16 = Type("uint", 16)
ARRAY = load_array()


def _small(**numbers: int) -> Array:
    values = {**ARRAY.numbers}
    for name, value in numbers.items():
        values[name] = Number(value, "assumed", "a test")
    return Array("small", values)


SMALL = _small(rows=6, columns=8, io_tiles=8)


def _part(name: str, kind: str) -> Part:
    element = Element("add", U16, ()) if kind == "pe" else None
    return Part(name, kind, name, element)


@st.composite
def fabrics(draw: st.DrawFn) -> Fabric:
    """Parts of all kinds, joined at random: fan-out, feedback, several ports, detours."""
    counts = {"pe": draw(st.integers(1, 24)), "memory": draw(st.integers(0, 8))}
    counts["io"] = draw(st.integers(1, 8))
    parts = [_part(f"{kind}{k}", kind) for kind, n in counts.items() for k in range(n)]
    names = [part.name for part in parts]
    links = []
    for part in parts:
        ports = draw(st.integers(0, 1 if part.kind == "io" else 3))
        for port in range(ports):
            source = draw(st.sampled_from(names))
            layer = "bit" if part.kind == "pe" and port == 2 else "word"
            cycles = draw(st.integers(0, 9) if draw(st.booleans()) else st.integers(0, 2))
            links.append(
                Link((source, f"out_{layer}"), (part.name, f"{layer}{port}"), layer, cycles)
            )
    return Fabric("random", {part.name: part for part in parts}, tuple(links))


@given(fabrics(), st.integers(0, 3))
@settings(max_examples=25, deadline=None)
def test_random_designs_are_routed_as_they_are(fabric: Fabric, seed: int) -> None:
    places = place(fabric, SMALL, seed=seed)
    assert check_places(fabric, SMALL, places) is None
    nets = route(fabric, SMALL, places)
    assert check_nets(fabric, SMALL, places, nets) is None
    _follow(fabric, places, nets)
    assert places == place(fabric, SMALL, seed=seed)
    assert nets == route(fabric, SMALL, places)


def _follow(fabric: Fabric, places: dict[str, Tile], nets: tuple[Net, ...]) -> None:
    """Walk from sources along tracks, forwards, and count registers: another way than the check."""
    used: Counter[Track] = Counter()
    found = {}
    for net in nets:
        after: dict[Track | None, list[Track]] = {}
        for track, branch in net.branches.items():
            used[track] += 1
            after.setdefault(branch.driver, []).append(track)
        stack = [(track, int(net.branches[track].registered)) for track in after.get(None, ())]
        reached = {}
        while stack:
            track, registers = stack.pop()
            reached[track] = registers
            start = places[net.source[0]] if net.branches[track].driver is None else None
            assert start in (None, track.tile)
            stack += [(t, registers + net.branches[t].registered) for t in after.get(track, ())]
        assert set(reached) == set(net.branches)
        for port, (track, registered) in net.targets.items():
            assert track.end == places[port[0]]
            found[net.source, port] = reached[track] + registered
    assert max(used.values(), default=1) == 1
    assert found == {(link.source, link.target): link.cycles for link in fabric.links}


@given(fabrics(), st.data())
@settings(max_examples=20, deadline=None)
def test_changed_routes_are_noticed(fabric: Fabric, data: st.DataObject) -> None:
    places = place(fabric, SMALL)
    nets = list(route(fabric, SMALL, places))
    if not nets:
        return
    number = data.draw(st.integers(0, len(nets) - 1))
    net = nets[number]
    track = data.draw(st.sampled_from(sorted(net.branches, key=str)))
    branch = net.branches[track]
    change = data.draw(st.sampled_from(["register", "drop", "move", "twice", "target", "missing"]))
    branches, targets = dict(net.branches), dict(net.targets)
    if change == "register":
        branches[track] = Branch(branch.driver, not branch.registered)
    elif change == "drop":
        del branches[track]
    elif change == "move":
        other = replace(track, number=(track.number + 1) % SMALL.tracks(track.layer))
        if other in branches:
            return
        branches[other] = branches.pop(track)
    elif change == "target":
        port, (last, registered) = next(iter(targets.items()))
        targets[port] = last, not registered
    if change == "twice":
        nets.append(replace(net, source=("other", "out")))
    elif change == "missing":
        del nets[number]
    else:
        nets[number] = replace(net, branches=branches, targets=targets)
    assert check_nets(fabric, SMALL, places, tuple(nets)) is not None


def test_wrong_places_are_noticed() -> None:
    parts = {name: _part(name, "pe") for name in ("a", "b")}
    fabric = Fabric("two", parts, ())
    assert check_places(fabric, SMALL, {"a": (0, 0), "b": (1, 0)}) is None
    assert "two parts" in (check_places(fabric, SMALL, {"a": (0, 0), "b": (0, 0)}) or "")
    assert "no pe tile" in (check_places(fabric, SMALL, {"a": (0, 0), "b": (3, 0)}) or "")
    assert "no pe tile" in (check_places(fabric, SMALL, {"a": (0, 0), "b": (0, 6)}) or "")
    assert "no place" in (check_places(fabric, SMALL, {"a": (0, 0)}) or "")


def test_what_is_too_large_is_named() -> None:
    parts = {
        f"{kind}{k}": _part(f"{kind}{k}", kind) for kind in ("pe", "memory") for k in range(50)
    }
    with pytest.raises(DoesNotFit) as error:
        place(Fabric("large", parts, ()), SMALL)
    assert str(error.value) == (
        "'large' does not fit on the array: it needs 50 PEs, 14 more than the 36 there;"
        " it needs 50 memory tiles, 38 more than the 12 there"
    )


def test_too_few_tracks_are_named() -> None:
    array = _small(rows=2, columns=8, io_tiles=8, word_tracks=1)
    parts = {f"pe{k}": _part(f"pe{k}", "pe") for k in range(12)}
    links = tuple(
        Link((f"pe{k}", "out"), (f"pe{other}", f"data{k}"), "word", 0)
        for k in range(12)
        for other in range(12)
        if k != other
    )
    fabric = Fabric("dense", parts, links)
    with pytest.raises(NotRoutable, match="word tracks are needed twice"):
        route(fabric, array, place(fabric, array))


def _chain(length: int) -> Fabric:
    """A stream through elements to a stream."""
    kinds = ["io", *["pe"] * length, "io"]
    parts = [Part(f"p{k}", kind, "k" if kind == "pe" else f"p{k}",
                  Element("add", U16, ()) if kind == "pe" else None)
             for k, kind in enumerate(kinds)]  # fmt: skip
    links = [
        Link((f"p{k}", "out"), (f"p{k + 1}", "data0"), "word", 0, "k" if k == length else "")
        for k in range(length + 1)
    ]
    return Fabric("chain", {part.name: part for part in parts}, tuple(links))


@given(st.integers(1, 20), st.integers(900, 3000))
@settings(max_examples=8, deadline=None)
def test_registers_keep_paths_below_the_clock(length: int, clock: int) -> None:
    array = _small(clock_ps=clock)
    fabric = _chain(length)
    places = place(fabric, array)
    plan = make_plan(fabric, array, places, frozenset(), {})
    stages = plan.stages
    assert [stages[f"p{k}"] for k in range(1, length + 1)] == sorted(stages.values())
    last = replace(fabric.links[-1], cycles=plan.lacking["k"])
    longer = replace(fabric, links=(*fabric.links[:-1], last), stages=stages)
    plan = make_plan(longer, array, places, frozenset(), {})
    assert not plan.lacking and set(plan.limits) == {link.target for link in fabric.links}
    nets = route(longer, array, places, plan.limits)
    assert check_nets(longer, array, places, nets) is None
    assert longest_path(longer, array, nets).picoseconds <= clock
    unlimited = longest_path(fabric, array, route(fabric, array, places)).picoseconds
    assert unlimited >= length * array["pe_ps"]


def test_ways_between_memories_have_no_registers() -> None:
    parts = {name: _part(name, "pe" if name == "p" else "memory") for name in "abcp"}
    ends = [("a", "b", 0), ("b", "c", 1), ("c", "c", 0), ("a", "p", 0), ("p", "c", 0)]
    links = [Link((a, "out0"), (b, f"in{a}"), "word", n) for a, b, n in ends]
    assert unregistered(Fabric("chain", parts, tuple(links))) == [["a", "b"]]


def test_a_clock_without_room_is_refused() -> None:
    fabric = _chain(2)
    with pytest.raises(MappingError, match="a clock of 800 ps has no room for a pe tile"):
        make_plan(fabric, _small(clock_ps=800), place(fabric, ARRAY), frozenset(), {})


def test_limits_are_kept_by_ways() -> None:
    fabric = replace(_chain(1), links=(Link(("p0", "out"), ("p2", "in"), "word", 3),))
    places: dict[str, Tile] = {"p0": (0, -1), "p1": (5, 5), "p2": (12, -1)}
    (net,) = route(fabric, ARRAY, places, {("p2", "in"): Limit(3, 5)})
    since, order = 0, []
    track = net.targets["p2", "in"][0]
    while track is not None:
        order.append(net.branches[track].registered)
        track = net.branches[track].driver  # type: ignore[assignment]
    runs = []
    for registered in order[::-1]:
        if registered:
            runs.append(since)
            since = 0
        since += 1
    assert runs[0] <= 3 and max([*runs[1:], since]) <= 5 and sum(order) == 3
