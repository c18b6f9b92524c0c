"""Designs run twice: by a cycle of their own, and by the engine of any design."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from s2s.simulators.amber import execute
from s2s.source.diagnostics import UserError


def _outcome(run: execute.Run, words: execute.Words, **options: Any) -> tuple[str, Any]:
    """What a run said: all that it counted with its words, or its error."""
    try:
        done = run(words, **options)
    except UserError as error:
        return "error", [str(one) for one in error.diagnostics]
    return "done", (done.counted, done.words.tolist())


@contextmanager
def both_engines() -> Iterator[None]:
    """Every design has a cycle of its own, and each run of it is compared with the engine's."""
    once = execute.Run.__call__

    def twice(run: execute.Run, words: execute.Words, **options: Any) -> execute.Execution:
        text = (run.folder / "design.cpp").read_text()
        assert run.netlist is None or re.search(r"CYCLE = \{begin, run\}", text)
        with patch.object(execute.Run, "__call__", once):
            assert _outcome(run, words, **options) == _outcome(run, words, own=False, **options)
        return once(run, words, **options)

    with patch.object(execute, "LONG", 0), patch.object(execute.Run, "__call__", twice):
        yield
