"""Types of the command line's arguments."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import pairwise


def positive(text: str) -> int:
    """A whole number from 1."""
    if not text.isascii() or not text.isdigit() or not int(text):
        raise argparse.ArgumentTypeError(f"'{text}' is not a positive whole number")
    return int(text)


def positive_seconds(text: str) -> float:
    """A time above 0 that ends."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of seconds above 0")
    return seconds


def values_of(option: str, words: Sequence[str]) -> list[str]:
    """What a command line gives an option, before it is parsed."""
    found = [value for word, value in pairwise(words) if word == option]
    start = f"{option}="
    return found + [word[len(start) :] for word in words if word.startswith(start)]
