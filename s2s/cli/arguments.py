"""Types of the command line's arguments."""

from __future__ import annotations

import argparse


def positive(text: str) -> int:
    """A whole number from 1."""
    if not text.isascii() or not text.isdigit() or not int(text):
        raise argparse.ArgumentTypeError(f"'{text}' is not a positive whole number")
    return int(text)
