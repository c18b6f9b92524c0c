"""How much is tried of what is alike: some by ``make test``, all by ``make test-thorough``."""

from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import islice
from typing import TypeVar

T = TypeVar("T")

THOROUGH = os.environ.get("S2S_THOROUGH", "0") != "0"


def some(values: Iterable[T], each: int = 2) -> list[T]:
    """The first of each so many values, or all."""
    return list(islice(values, 0, None, 1 if THOROUGH else each))


def count(name: str, few: int, many: int) -> int:
    """How many random inputs are drawn: what the variable ``name`` of the environment says."""
    return int(os.environ.get(name, many if THOROUGH else few))
