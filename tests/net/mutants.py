"""Text that leaves with one wrong step after the last proof."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from unittest.mock import patch

from s2s.driver.file_edits import FileEdits
from s2s.driver.options import Options, Outcome
from s2s.driver.text_passes import TextPasses
from s2s.driver.transform import transform_file
from s2s.net.check import Net
from s2s.net.verdicts import Failure
from s2s.source import Edit

Wrong = tuple[str, str]
Checked = tuple[Net, list[Edit]]
_EXECUTED = FileEdits._executed
_FAILURES = Net.failures


def checked(path: Path, options: Options, flags: Sequence[str]) -> tuple[Outcome, list[Checked]]:
    """A file's way through the house, and what the net was asked to look at."""
    asked: list[Checked] = []

    def failures(net: Net, edits: Sequence[Edit]) -> Iterator[Failure]:
        asked.append((net, list(edits)))
        return _FAILURES(net, edits)

    with patch.object(Net, "failures", failures):
        return transform_file(str(path), flags, options), asked


def caught(asked: Sequence[Checked], wrong: Wrong) -> list[Failure]:
    """What the net says of edits with a part of their text replaced."""
    for net, edits in asked:
        mutated = [_mutated(edit, wrong) for edit in edits]
        if mutated != edits:
            again = Net(net.unit, net.reassociate, True, graphs=net.graphs, gains=net.gains)
            return list(again.failures(mutated))
    raise AssertionError(f"{wrong[0]!r} does not occur")


def transformed(path: Path, wrong: Wrong, options: Options, flags: Sequence[str] = ()) -> Outcome:
    """A file's way through the house, with a part of the new text replaced at its very end."""

    def mutated(work: FileEdits, edits: list[Edit], texts: TextPasses) -> list[Edit]:
        return _EXECUTED(work, [_mutated(edit, wrong) for edit in edits], texts)

    with patch.object(FileEdits, "_executed", mutated):
        return transform_file(str(path), flags, options)


def _mutated(edit: Edit, wrong: Wrong) -> Edit:
    old, new = (part.encode() for part in wrong)
    return Edit(edit.start, edit.end, edit.text.replace(old, new))
