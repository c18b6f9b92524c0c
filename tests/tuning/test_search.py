"""What is measured and what wins, with a timer that answers from a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import ClassVar

import pytest

from s2s.driver import passes
from s2s.transforms.scop_pass import Pass
from s2s.tuning.errors import OutOfTime
from s2s.tuning.search import ORIGINAL, Found, search


@dataclass(frozen=True)
class Sample(Pass):
    """A pass with two options that are worth tuning."""

    name: ClassVar[str] = "sample"
    size: int = field(default=8, metadata={"help": "a size", "tune": (4, 16)})
    fast: bool = field(default=False, metadata={"help": "a mode", "tune": (True,)})
    other: int = 3


@pytest.fixture(autouse=True)
def sample(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "sample_pass", SimpleNamespace(Sample=Sample))
    monkeypatch.setitem(passes.DEFAULT, "sample", "sample_pass:Sample")


@dataclass
class Timer:
    """Seconds by candidate; those not in the table do not apply. ``asked`` is what was timed."""

    table: dict[str, float]
    rounds: int = 9
    asked: list[list[str]] = field(default_factory=list)

    def __call__(self, specs: Sequence[str]) -> dict[str, float]:
        if len(self.asked) >= self.rounds:
            raise OutOfTime("over")
        self.asked.append(list(specs))
        return {spec: self.table[spec] for spec in specs if spec in self.table}


def test_the_fastest_pass_wins() -> None:
    timer = Timer({ORIGINAL: 1.0, "popp": 0.9, "permute": 0.5})
    assert search(["popp", "permute"], timer) == Found("permute", 1.0, 0.5, 3)
    assert timer.asked[0] == [ORIGINAL, "popp", "permute"]


def test_the_original_wins_ties() -> None:
    assert search(["sample"], Timer({ORIGINAL: 1.0, "sample": 0.99})).spec == ORIGINAL
    assert search(["sample"], Timer({ORIGINAL: 1.0, "sample": 1.0})).spec == ORIGINAL
    assert search(["sample"], Timer({ORIGINAL: 1.0, "sample": 0.97})).spec == "sample"


def test_an_earlier_pass_and_a_default_win_ties() -> None:
    timer = Timer({ORIGINAL: 2.0, "permute": 1.0, "sample": 0.99, "permute:strip=32": 0.985})
    assert search(["permute", "sample"], timer).spec == "permute"


def test_options_are_tuned_one_after_the_other() -> None:
    timer = Timer({ORIGINAL: 4.0, "sample": 2.0, "sample:size=4": 3.0, "sample:size=16": 1.0,
                   "sample:size=16:fast=true": 0.5})  # fmt: skip
    assert search(["sample"], timer) == Found("sample:size=16:fast=true", 4.0, 0.5, 5)
    assert timer.asked[1:] == [
        [ORIGINAL, "sample", "sample:size=4", "sample:size=16"],
        [ORIGINAL, "sample:size=16", "sample:size=16:fast=true"],
    ]


def test_what_the_user_has_set_stays() -> None:
    timer = Timer({ORIGINAL: 4.0, "sample:size=2": 2.0})
    assert search(["sample:size=2"], timer).spec == "sample:size=2"
    assert timer.asked[1:] == [[ORIGINAL, "sample:size=2", "sample:size=2:fast=true"]]


def test_a_variant_can_make_a_slower_pass_the_winner() -> None:
    timer = Timer({ORIGINAL: 1.0, "sample": 1.2, "sample:size=4": 0.7})
    assert search(["sample"], timer) == Found("sample:size=4", 1.0, 0.7, 3)


def test_a_hopeless_pass_is_not_tuned() -> None:
    timer = Timer({ORIGINAL: 1.0, "sample": 3.0, "sample:size=4": 0.5})
    assert search(["sample"], timer) == Found(ORIGINAL, 1.0, 1.0, 2)
    assert len(timer.asked) == 1


def test_nothing_applies() -> None:
    assert search(["sample"], Timer({ORIGINAL: 1.0})) == Found(ORIGINAL, 1.0, 1.0, 1)


def test_without_time_what_was_measured_decides() -> None:
    timer = Timer({ORIGINAL: 4.0, "sample": 2.0, "sample:size=4": 1.0}, rounds=1)
    assert search(["sample"], timer) == Found("sample", 4.0, 2.0, 2)
    with pytest.raises(OutOfTime):
        search(["sample"], Timer({}, rounds=0))
