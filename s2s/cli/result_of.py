"""From what the driver gives and says of a file to the data that Python's users get."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from s2s.cli.root_causes import grouped, root_cause
from s2s.driver.results import Region, Result, Status
from s2s.source import Edit
from s2s.source.diagnostics import Diagnostic, Location, Severity

if TYPE_CHECKING:
    from s2s.driver.options import Outcome


def result_of(outcome: Outcome, name: str, passes: Sequence[str] = ()) -> Result:
    """The outcome of the file ``name`` as data; ``passes`` are those that were to be tried."""
    edits = outcome.edits
    regions = tuple(_regions(outcome))
    on_text = {r.pass_name for r in regions if r.changed and r.saved is None}
    return Result(
        name,
        outcome.original,
        outcome.text,
        _one_edit(outcome) if edits is None else tuple(sorted(edits)),
        regions,
        outcome.diagnostics,
        outcome.explanation,
        outcome.companions,
        tuple(spec for spec in passes if spec.partition(":")[0] in on_text),
    )


def _one_edit(outcome: Outcome) -> tuple[Edit, ...]:
    """All that differs, as one edit."""
    old, new = outcome.original, outcome.text
    if old == new:
        return ()
    least = min(len(old), len(new))
    start = next((i for i in range(least) if old[i] != new[i]), least)
    most = least - start
    behind = next((i for i in range(most) if old[-1 - i] != new[-1 - i]), most)
    return (Edit(start, len(old) - behind, new[start : len(new) - behind]),)


def _regions(outcome: Outcome) -> Iterator[Region]:
    """The regions with what was said of them, and those of which only something was said."""
    left = list(outcome.regions)
    found: list[Region] = []
    for place, said in grouped(outcome.diagnostics):
        if place is None:
            continue
        inside = [r for r in left if _is_inside(r.at, place)]
        left = [r for r in left if r not in inside]
        for region in inside or [Region("", "", place)]:
            own = [d for d in said if len(inside) < 2 or _concerns(d, region, inside)]
            found.append(_with_reasons(region, own))
    found += [replace(r, status="changed" if r.changed else "content") for r in left]
    return iter(sorted(found, key=lambda region: (region.at.line, region.at.column)))


def _is_inside(place: Location, around: Location) -> bool:
    """Whether a region is another one, perhaps with its semicolon, or inside of it."""
    begins = (around.line, around.column) <= (place.line, place.column)
    return begins and place.end_line <= around.end_line


def _concerns(said: Diagnostic, region: Region, others: Sequence[Region]) -> bool:
    """Whether something that is said of several regions is about this one."""
    if said.location is None or said.location.line in _lines(region):
        return True
    return not any(said.location.line in _lines(other) for other in others)


def _lines(region: Region) -> range:
    return range(region.at.line, region.at.end_line + 1)


def _with_reasons(region: Region, said: Sequence[Diagnostic]) -> Region:
    """A region with its status, its pass and what stands in the way."""
    remarks = [d for d in said if d.severity is Severity.REMARK]
    others = [d for d in said if d.severity is not Severity.REMARK]
    cause = root_cause(others)
    notes = tuple(note for d in others for note in (replace(d, notes=()), *d.notes))
    if remarks:
        name = region.pass_name or remarks[0].id
        steps = region.steps or tuple(d.text for d in remarks)
        return replace(region, status="changed", pass_name=name, steps=steps, notes=notes)
    if cause is None:
        return replace(region, status="content", notes=notes)
    failed = any(d.id == "internal" for d in others)
    status: Status = "failed" if failed else "unchanged"
    made = replace(region, pass_name="", steps=(), after=None, guard="", text="")
    return replace(made, status=status, cause=cause, notes=notes)
