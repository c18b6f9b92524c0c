"""What threads may do in another order than one thread does: wrong directives are caught."""

from __future__ import annotations

import itertools
import random
import re
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest

from s2s.driver.options import Options, Outcome
from s2s.driver.transform import transform_file
from s2s.emitters.c.guard import Emission
from s2s.emitters.c.region import Rewritten
from s2s.net.shared import last_first
from s2s.scop.nodes import Scop
from s2s.source import Span
from tests.net.printed import printed

_ROWS = Path(__file__).with_name("shared.c").read_text()
# What is wrong: the form of tiles, a pattern of the emitted text and what stands there instead.
_WRONG = {
    "no wait for the tile before": ("doacross", r" depend\(sink: s2s_t_tile, s2s_i_tile - 1\)", ""),
    "no wait for the strip before": (
        "doacross",
        r" depend\(sink: s2s_t_tile - 1, s2s_i_tile\)",
        "",
    ),
    "a wait for another tile": (
        "doacross",
        r"sink: s2s_t_tile, s2s_i_tile - 1",
        "sink: s2s_t_tile, s2s_i_tile - 2",
    ),
    "a wait for another strip": ("doacross", r"sink: s2s_t_tile - 1", "sink: s2s_t_tile - 2"),
    "no waits": ("doacross", r" ordered\(2\)", ""),
    "a parallel loop": (
        "wavefront",
        r"\n( *for \(long s2s_t_wave)",
        r"\n#pragma omp parallel for\n\1",
    ),
}


def _changed(done: Rewritten, pattern: str, new: str) -> Rewritten:
    """The text with other directives in one place; the leaves stay where they are in it."""
    text = done.edit.text
    found = re.search(pattern.encode(), text)
    assert found is not None, text.decode()
    changed = text[: found.start()] + found.expand(new.encode()) + text[found.end() :]
    longer = len(changed) - len(text)
    leaves = tuple(
        (Span(s.start + longer, s.end + longer) if s.start >= found.end() else s, name)
        for s, name in done.leaves
    )
    return replace(done, edit=replace(done.edit, text=changed), leaves=leaves)


def _transformed(path: Path, form: str) -> Outcome:
    path.write_text(_ROWS)
    options = Options(force=True, passes=(f"popp:emit={form}:sizes=3x4",))
    return transform_file(str(path), ["-O2", "-fopenmp"], options)


@pytest.mark.parametrize("form", ["doacross", "wavefront", "tasks"])
def test_right_directives_pass(form: str, tmp_path: Path) -> None:
    assert _transformed(tmp_path / "a.c", form).changed


@pytest.mark.parametrize("what", _WRONG)
def test_wrong_directives_are_caught(what: str, tmp_path: Path) -> None:
    form, pattern, new = _WRONG[what]

    def wrong(scop: Scop, emission: Emission) -> Rewritten:
        return _changed(printed(scop, emission, form), pattern, new)

    with patch("s2s.driver.rewrite.emit", wrong):
        outcome = _transformed(tmp_path / "a.c", form)
    assert not outcome.changed
    (said,) = [d.text for d in outcome.diagnostics if d.id == "internal"]
    assert "has to run before" in said


@pytest.mark.parametrize("seed", range(20))
def test_iterations_come_behind_those_that_they_wait_for(seed: int) -> None:
    rng = random.Random(f"tiles:{seed}")
    size = rng.randint(1, 4), rng.randint(1, 5)
    tiles: dict[tuple[int, ...], None] = dict.fromkeys(itertools.product(*map(range, size)))
    sinks = rng.sample([(-1, 0), (0, -1), (-1, 1), (-1, -1), (0, -2)], rng.randint(0, 3))
    order = last_first(tiles, sinks)
    assert sorted(order) == sorted(tiles)
    place = {tile: i for i, tile in enumerate(order)}
    for (a, b), (x, y) in itertools.product(place, sinks):
        assert place.get((a + x, b + y), -1) < place[a, b]
    if not sinks:
        assert order == sorted(tiles, reverse=True)
