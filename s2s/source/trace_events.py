"""Runs over time for Chrome's and Perfetto's viewers.

Times in such a file are microseconds whatever it says, so one stands for a cycle. Slices of one
thread have to nest: each track is a thread, and what overlaps goes to further ones. Viewers sort
threads by number or by their sort index, so both are the order of the tracks.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from s2s.source.pictures import Slice, Timeline

MOST = 400_000
"""Slices, at most: about 60 MB, more than which the viewers take badly."""


def trace_text(timelines: Sequence[Timeline]) -> bytes:
    """The trace: a process for each timeline."""
    events: list[dict[str, Any]] = []
    more: dict[str, Any] = {"unit": "1 us is 1 cycle"}
    left = MOST
    for process, timeline in enumerate(timelines):
        slices = timeline.slices[:left]
        left -= len(slices)
        if len(slices) < len(timeline.slices):
            more["cut_after"] = slices[-1].start if slices else 0
        elif timeline.note:
            more[f"note {process}"] = timeline.note
        events += _process(process, timeline, slices)
    return (json.dumps({"traceEvents": events, "otherData": more}) + "\n").encode()


def _process(number: int, timeline: Timeline, slices: Sequence[Slice]) -> Iterator[dict[str, Any]]:
    yield _name("process_name", number, 0, f"{timeline.title} (1 us is 1 cycle)")
    by_track: dict[int, list[Slice]] = {}
    for one in slices:
        by_track.setdefault(one.track, []).append(one)
    thread = 0
    for track, name in enumerate(timeline.tracks):
        lanes = _lanes(by_track.get(track, []))
        for lane, inside in enumerate(lanes or [[]]):
            shown = name if not lane else f"{name} ({lane + 1})"
            yield _name("thread_name", number, thread, shown)
            yield {
                "ph": "M", "pid": number, "tid": thread, "name": "thread_sort_index",
                "args": {"sort_index": thread},
            }  # fmt: skip
            for one in inside:
                yield {
                    "ph": "X", "pid": number, "tid": thread, "name": one.name, "cat": name,
                    "ts": one.start, "dur": one.length,
                    **({"args": {"line": one.line}} if one.line else {}),
                }  # fmt: skip
            thread += 1


def _lanes(slices: Sequence[Slice]) -> list[list[Slice]]:
    """Slices of one track in as few rows as have none that overlap."""
    lanes: list[list[Slice]] = []
    ends: list[float] = []
    for one in sorted(slices, key=lambda s: s.start):
        lane = next((k for k, end in enumerate(ends) if end <= one.start), len(lanes))
        if lane == len(lanes):
            lanes.append([])
            ends.append(0.0)
        lanes[lane].append(one)
        ends[lane] = one.start + one.length
    return lanes


def _name(kind: str, process: int, thread: int, name: str) -> dict[str, Any]:
    return {"ph": "M", "pid": process, "tid": thread, "name": kind, "args": {"name": name}}
