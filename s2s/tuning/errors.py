"""Why a region cannot be measured."""

from __future__ import annotations


class NotMeasurable(Exception):
    """The region, or its candidates, cannot be timed; the text says why."""


class OutOfTime(NotMeasurable):
    """The user's budget is spent."""
