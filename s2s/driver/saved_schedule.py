"""The low form of a given schedule: a map for each statement, or a schedule tree; read and written.

What a pass did beside ordering (statements of its own, storage, elements in locals) has no low
form: of such a region the pass is kept, with its options.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import islpy as isl

from s2s.driver.given_schedule import Entry, is_named
from s2s.scop.nodes import Scop
from s2s.scop.schedule import Dimension, Parallelism, Role, Schedule
from s2s.source.diagnostics import Location
from s2s.source.located_json import Value
from s2s.source.spelling import did_you_mean
from s2s.transforms.loop_tree import obstacle
from s2s.transforms.transformed import Transformed

if TYPE_CHECKING:
    from s2s.analyses.region import Analysis
    from s2s.driver.pass_manager import Taken
    from s2s.driver.results import Region

Names = Mapping[str, tuple[str, Location]]
"""Ids and places of statements by their names."""

_STATEMENT = ("name", "id", "at", "domain", "schedule")
_DIMENSION = (
    "name", "role", "runs", "size", "start", "band", "statements", "dynamic", "elastic", "unroll",
)  # fmt: skip
_GAIN = ("parameters", "per_thread", "work", "shares", "spares", "least_bytes")
# Fields of a SCoP that a new order changes; where others have changed there is no low form.
_OF_ORDER = frozenset({"target", "history", "checked", "may_alias"})


# -- reading -------------------------------------------------------------------------------------


def schedule_from(entry: Entry, scop: Scop, names: Names) -> tuple[Schedule, tuple[str, ...]]:
    """The order of a region and its words. Raises UserError."""
    way = entry.members[entry.way]
    own = _own_names(way, names) if entry.way == "statements" else {n: n for n in names}
    maps = _maps(way, names, own) if entry.way == "statements" else _of_tree(way, scop)
    for name in names:
        if name not in maps:
            raise way.wrong(f"statement '{names[name][0]}' has no schedule")
    lengths = {item.dim(isl.dim_type.out) for item in maps.values()}
    if len(lengths) != 1:
        raise way.wrong("the time vectors of statements have different lengths")
    count = lengths.pop()
    dimensions = _dimensions(entry, count, own)
    maps = {n: item.intersect_domain(scop.statement(n).domain) for n, item in maps.items()}
    history = tuple(_word(v) for v in entry.members["history"].items()) if (
        "history" in entry.members) else ("ordered as asked",)  # fmt: skip
    return Schedule(maps, dimensions), history or ("ordered as asked",)


def _own_names(way: Value, names: Names) -> dict[str, str]:
    """The region's names of statements by those of the file. Raises UserError."""
    found: dict[str, str] = {}
    for value in way.items():
        members = value.members(_STATEMENT)
        key = next((k for k in ("id", "at", "name") if k in members), None)
        if key is None:
            raise value.wrong("a statement is named by 'id', 'at' (file.c:12) or 'name'")
        given = members[key].text()
        matching = [n for n, (id_, at) in names.items() if given == n or is_named(given, id_, at)]
        if not matching:
            there = [n for id_, at in names.values() for n in (id_, f"{at.path}:{at.line}")]
            raise members[key].wrong(f"no statement is '{given}'{did_you_mean(given, there)}")
        if len(matching) > 1:
            ids = " or ".join(names[n][0] for n in matching)
            raise members[key].wrong(f"'{given}' may be {ids}")
        if matching[0] in found.values():
            raise value.wrong(f"statement '{names[matching[0]][0]}' is there twice")
        found[members["name"].text() if "name" in members else matching[0]] = matching[0]
    return found


def _maps(way: Value, names: Names, own: Mapping[str, str]) -> dict[str, isl.Map]:
    found = {}
    for value, name in zip(way.items(), own.values(), strict=True):
        members = value.members(_STATEMENT)
        if "schedule" not in members:
            raise value.wrong("a statement needs its 'schedule': \"{ S1[i, j] -> [j, i] }\"")
        item = _isl(isl.Map, members["schedule"])
        _check_function(item, members["schedule"])
        found[name] = item.set_tuple_name(isl.dim_type.in_, name)
    return found


def _check_function(item: isl.Map, value: Value) -> None:
    if not item.is_single_valued():
        raise value.wrong("an instance would run at two times")


def _of_tree(way: Value, scop: Scop) -> dict[str, isl.Map]:
    """The maps of a schedule tree, in isl's YAML."""
    order = _isl(isl.Schedule, way).get_map()
    found: dict[str, isl.Map] = {}
    order.foreach_map(lambda item: found.update({item.get_tuple_name(isl.dim_type.in_): item}))
    known = [s.name for s in scop.statements]
    for name, item in found.items():
        if name not in known:
            raise way.wrong(f"no statement is '{name}'{did_you_mean(name, known)}")
        _check_function(item, way)
    return found


def _isl(kind: Any, value: Value) -> Any:
    """An isl object of a text. Raises UserError with what isl says."""
    text = value.text()
    try:
        return kind(text)
    except isl.Error as error:
        said = re.sub(r"\s+", " ", str(error)).split(" in ")[0][:120]
        raise value.wrong(f"not understood by isl: {said}") from None


def _dimensions(entry: Entry, count: int, own: Mapping[str, str]) -> tuple[Dimension, ...]:
    given = entry.members.get("dimensions")
    if given is None:
        return tuple(Dimension(f"o{place}", Role.ORDER) for place in range(count))
    if len(given.items()) != count:
        raise given.wrong(f"{len(given.items())} dimensions for time vectors of {count} entries")
    found = [_dimension(value, own) for value in given.items()]
    names = [one.name for one in found]
    for place, value in enumerate(given.items()):
        if names[place] in names[:place]:
            raise value.wrong(f"'{names[place]}' is there twice")
        tile = found[place].role is Role.TILE
        if tile and any(one.role is not Role.TILE for one in found[:place]):
            raise value.wrong("dimensions of tiles come first")
    return tuple(found)


def _dimension(value: Value, own: Mapping[str, str]) -> Dimension:
    members = value.members(_DIMENSION)
    made: dict[str, Any] = {"role": Role.BAND}
    if "name" not in members or not re.fullmatch(r"[A-Za-z_]\w*", members["name"].text(), re.A):
        raise value.wrong("a dimension has a 'name', as variables in C have")
    for key, member in members.items():
        if key == "role":
            made[key] = _one_of(Role, member)
        elif key == "runs":
            made["parallelism"] = _one_of(Parallelism, member)
        elif key == "statements":
            made[key] = frozenset(_known(v, own) for v in member.items())
        elif key in ("size", "band"):
            made[key] = member.number()
        elif key in ("name", "start"):
            made[key] = member.text()
        elif not isinstance(member.value, bool):
            raise member.wrong("true or false is expected")
        else:
            made[key] = member.value
    return Dimension(**made)


def _known(value: Value, own: Mapping[str, str]) -> str:
    if value.text() not in own:
        raise value.wrong(f"no statement is '{value.value}'{did_you_mean(value.value, own)}")
    return own[value.value]


def _one_of(kind: Any, value: Value) -> Any:
    words = {one.value: one for one in kind}
    if value.text() not in words:
        raise value.wrong(f"'{value.value}' is none of {', '.join(words)}")
    return words[value.value]


def _word(value: Value) -> str:
    """Words for the comment in the new code."""
    text = value.text()
    if not text.isprintable() or "*/" in text or "\\" in text:
        raise value.wrong("this cannot stand in a comment")
    return text


def gain_of(entry: Entry, scop: Scop) -> Transformed:
    """When the new code is to run: always, but for what the entry says. Raises UserError."""
    always = Transformed(scop, isl.Set.universe(scop.context.get_space()))
    if "gain" not in entry.members:
        return always
    members = entry.members["gain"].members(_GAIN)
    found = always
    if "parameters" in members:
        value = members["parameters"]
        wanted = _isl(isl.Set, value)
        if not wanted.is_params():
            raise value.wrong("a set of parameters is expected: '[n] -> { : n >= 8 }'")
        found = replace(found, profitable=wanted.align_params(scop.context.get_space()))
    if "per_thread" in members:
        pairs = []
        for pair in members["per_thread"].items():
            extent, least = pair.items()
            pairs.append((_isl(isl.PwAff, extent), least.number()))
        found = replace(found, per_thread=tuple(pairs))
    if "work" in members:
        extents, least = members["work"].items()
        factors = tuple(_isl(isl.PwAff, extent) for extent in extents.items())
        found = replace(found, work=(factors, least.number()))
    if "shares" in members:
        found = replace(found, shares=members["shares"].number() != 0)
    if "spares" in members:
        found = replace(found, spares=members["spares"].number() != 0)
    if "least_bytes" in members:
        found = replace(found, least_bytes=members["least_bytes"].number())
    return found


# -- writing -------------------------------------------------------------------------------------


def saved(
    region: Region, analysis: Analysis, found: Taken, *, first: bool, separate: bool,
    among: tuple[str, ...],
) -> dict[str, Any]:  # fmt: skip
    """What makes a region so again. ``first``: it is in the form that all regions have."""
    entry: dict[str, Any] = {
        "region": region.id,
        "function": region.function,
        "at": f"{region.at.path}:{region.at.line}",
        "by": found.name,
    }
    if separate:
        entry["separate"] = True
    if found.apart:
        entry["disjoint"] = True
    if not (first and _is_order(analysis.scop, found)):
        return {**entry, "pass": found.spec, **({"among": list(among)} if among else {})}
    done = found.done
    target = done.scop.target
    assert target is not None
    entry["history"] = list(done.scop.history)
    entry["statements"] = [
        {"name": s.name, "id": s.id, "at": s.place, "domain": s.domain_text,
         "schedule": str(target.maps[s.name])}
        for s in region.statements
    ]  # fmt: skip
    entry["dimensions"] = [_shown(one) for one in target.dimensions]
    gain = dict(_shown_gain(done))
    return {**entry, **({"gain": gain} if gain else {})}


def _is_order(before: Scop, found: Taken) -> bool:
    """Whether a pass did nothing but choose an order."""
    done = found.done
    target = done.scop.target
    if obstacle(before) is not None:
        return False
    if target is None or target.held or target.rotated or target.team or found.name == "":
        return False
    if done.instances is not None or done.proof is not None or done.often or done.otherwise:
        return False
    names = [one.name for one in fields(before) if one.name not in _OF_ORDER]
    return all(
        getattr(before, name) is getattr(done.scop, name)
        or getattr(before, name) == getattr(done.scop, name)
        for name in names
    )


def _shown(one: Dimension) -> dict[str, Any]:
    """A dimension without what is as it is by default."""
    words = {"parallelism": "runs"}
    plain = Dimension(one.name, Role.BAND)
    found: dict[str, Any] = {"name": one.name, "role": one.role.value}
    for item in fields(one):
        value = getattr(one, item.name)
        if item.name in found or value == getattr(plain, item.name):
            continue
        if isinstance(value, Parallelism):
            value = value.value
        elif isinstance(value, frozenset):
            value = sorted(value)
        found[words.get(item.name, item.name)] = value
    return found


def _shown_gain(done: Transformed) -> Iterator[tuple[str, Any]]:
    if not done.profitable.is_equal(isl.Set.universe(done.profitable.get_space())):
        yield "parameters", str(done.profitable)
    if done.per_thread:
        yield "per_thread", [[str(extent), least] for extent, least in done.per_thread]
    if done.work is not None:
        extents, least = done.work
        yield "work", [[str(extent) for extent in extents], least]
    if done.shares:
        yield "shares", 1
    if done.spares:
        yield "spares", 1
    if done.least_bytes:
        yield "least_bytes", done.least_bytes
