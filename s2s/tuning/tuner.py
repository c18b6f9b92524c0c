"""For the pipeline: which pass with which options is the fastest for a region, here."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

import islpy as isl

from s2s.driver.advice import Advice, EditOf, Region
from s2s.driver.child import clean_end
from s2s.driver.options import Options
from s2s.frontends.c.prepare.prepared_buffer import PreparedBuffer
from s2s.frontends.c.unit import Unit
from s2s.source import Edit, apply_edits
from s2s.source.diagnostics import Diagnostic, Severity
from s2s.source.records import dataclass
from s2s.tuning.cache import Cache
from s2s.tuning.choice import CHOICES, Record
from s2s.tuning.errors import NotMeasurable, OutOfTime
from s2s.tuning.key import key
from s2s.tuning.measuring import Measuring
from s2s.tuning.meter import ProgramMeter, RegionMeter
from s2s.tuning.search import ORIGINAL, search
from s2s.tuning.settings import Tuning
from s2s.tuning.status_line import StatusLine
from s2s.tuning.surroundings import outline

NOTHING_APPLIES = "no pass applies"


class Meter(Protocol):
    """Times texts; ``described`` says at which sizes."""

    @property
    def described(self) -> str: ...

    def measure(self, texts: Sequence[bytes], limit: float) -> list[float]:
        """Seconds of each text. Raises NotMeasurable."""
        ...


@dataclass
class Tuner:
    """Chooses for the regions of one file, from the cache or by measuring."""

    unit: Unit
    options: Options
    tuning: Tuning
    cache: Cache = field(init=False)
    named: set[str] = field(default_factory=set)
    _end: float = field(init=False)
    _parent: int = field(init=False)
    _line: StatusLine = field(init=False)

    def __post_init__(self) -> None:
        self.cache = Cache(self.tuning.cache)
        self._end = time.monotonic() + self.tuning.budget
        self._parent = os.getppid()
        self._line = StatusLine(self.tuning.progress is not None, self.tuning.progress)

    def advise(self, region: Region) -> Advice:
        """What measuring says of a region; the cost model's own choice where it says nothing."""
        warned = len(self.cache.warnings)
        record, remembered = self.choose(region)
        warnings = tuple(
            Diagnostic(Severity.WARNING, text, "tune") for text in self.cache.warnings[warned:]
        )
        place = self.unit.buffer.location(region.scop.span)
        if record.failure == NOTHING_APPLIES:
            return Advice(self.options.passes, "", warnings)
        if record.failure:
            text = f"not measured: {record.failure}"
            missed = Diagnostic(Severity.MISSED, text, "tune", place)
            return Advice(self.options.passes, "", (*warnings, missed))
        said = spoken(record, remembered)
        if record.spec == ORIGINAL:
            text = f"left as it is: the original is the fastest {said}"
            return Advice((), "", (*warnings, Diagnostic(Severity.MISSED, text, "tune", place)))
        return Advice((record.spec,), f"; {said}", warnings)

    def unknown_sizes(self) -> Iterator[Diagnostic]:
        """Warnings about sizes of what none of the regions so far has as a parameter."""
        there_are = ", ".join(sorted(self.named)) or "none"
        for name in self.tuning.sizes:
            if name not in self.named:
                text = f"--tune-size: no measured region has a parameter '{name}' ({there_are})"
                yield Diagnostic(Severity.WARNING, text, "tune")

    def for_the_rest(self) -> Measuring:
        """The same measuring with the time that is left."""
        return Measuring(replace(self.tuning, budget=max(0.0, self._end - time.monotonic())))

    def choose(self, region: Region) -> tuple[Record, bool]:
        """The record of a region, and whether it was remembered."""
        self.named.update(name for p in region.scop.parameters for name in (p.name, p.spelling))
        text = self.unit.buffer.text(region.attempt.span)
        name = key(text, region.scop, self.options, self.tuning)
        known = self.cache.get(CHOICES, name)
        if known is not None:
            return known, True
        try:
            record = self._measured(region)
        except OutOfTime as problem:
            return Record(ORIGINAL, failure=str(problem)), False
        except NotMeasurable as problem:
            record = self._record(region, failure=str(problem))
        except isl.Error:
            record = self._record(region, failure="the polyhedral computation takes too long")
        finally:
            self._line.close()
        self.cache.put(CHOICES, (name,), record)
        return record, False

    def _measured(self, region: Region) -> Record:
        by_program = bool(self.tuning.run)
        edits = _Edits(region.edit_of, force=not by_program)
        if all(edits[spec] is None for spec in self.options.passes):
            return self._record(region, NOTHING_APPLIES)
        with clean_end(), tempfile.TemporaryDirectory(prefix="s2s-tune-") as directory:
            if by_program:
                whole = ProgramMeter(self.unit.buffer.path, self.tuning, Path(directory))
                return self._search(region, edits, whole, self._file)
            around = outline(region.function, region.attempt, region.scop)
            alone = RegionMeter(around, region.scop, self.tuning, Path(directory))
            return self._search(region, edits, alone, self._region)

    def _search(
        self, region: Region, edits: _Edits, meter: Meter,
        text_of: Callable[[Region, Edit | None], bytes],
    ) -> Record:  # fmt: skip
        place = self.unit.buffer.location(region.attempt.span)

        known: dict[bytes, float] = {}

        def measure(specs: Sequence[str]) -> dict[str, float]:
            """Of candidates with the same text the first one counts."""
            texts: dict[bytes, str] = {}
            for spec in specs:
                edit = None if spec == ORIGINAL else self._edit(edits, spec)
                if spec == ORIGINAL or edit is not None:
                    texts.setdefault(text_of(region, edit), spec)
            if not texts.keys() <= known.keys():
                tried = ", ".join(filter(None, texts.values()))
                self._line.show(f"{place.path}:{place.line}: measuring {tried}")
                seconds = meter.measure(list(texts), self._end - time.monotonic())
                known.update(zip(texts, seconds, strict=True))
            return {spec: known[text] for text, spec in texts.items()}

        found = search(self.options.passes, measure)
        record = self._record(region)
        return replace(
            record, spec=found.spec, original_seconds=found.original_seconds,
            seconds=found.seconds, sizes=meter.described, tried=found.tried,
        )  # fmt: skip

    def _record(self, region: Region, failure: str = "") -> Record:
        place = self.unit.buffer.location(region.attempt.span)
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        return Record(ORIGINAL, place=f"{place.path}:{place.line}", when=now, failure=failure)

    def _edit(self, edits: _Edits, spec: str) -> Edit | None:
        """The edit of a candidate. Raises OutOfTime, also where nobody waits for it any more."""
        if time.monotonic() > self._end or os.getppid() != self._parent:
            raise OutOfTime("the time for measuring is over")
        return edits[spec]

    def _region(self, region: Region, edit: Edit | None) -> bytes:
        span = region.attempt.span
        return self.unit.buffer.data[span.start : span.end] if edit is None else edit.text

    def _file(self, region: Region, edit: Edit | None) -> bytes:
        buffer = self.unit.buffer
        if edit is not None:
            return apply_edits(buffer.data, [edit])
        return buffer.original.data if isinstance(buffer, PreparedBuffer) else buffer.data


@dataclass
class _Edits:
    """The edits of a region by candidate, each made once."""

    edit_of: EditOf
    force: bool
    _known: dict[str, Edit | None] = field(default_factory=dict)

    def __getitem__(self, spec: str) -> Edit | None:
        if spec not in self._known:
            self._known[spec] = self.edit_of(spec, self.force)
        return self._known[spec]


def spoken(record: Record, remembered: bool) -> str:
    """What a remark says of a measurement."""
    source = f"remembered from {record.when[:10]}" if remembered else "measured now"
    where = f"at {record.sizes}, " if record.sizes else ""
    if record.spec == ORIGINAL:
        return f"of {record.tried} ({where}{source})"
    times = f"{record.ratio:.2f} times as fast as the original, best of {record.tried}"
    return f"{times} ({record.spec}, {where}{source})"
