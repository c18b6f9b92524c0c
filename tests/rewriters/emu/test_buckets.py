"""What serial loops put into vertices: when each nodelet does it, and when the loop itself."""

from pathlib import Path
from subprocess import run

import pytest

from tests.rewriters.emu.emitted import emitted, plain, text

FOLDER = Path(__file__).parent / "buckets"
LOOPS = {"linked": 1}
"""Loops that go into buckets beside the one that must not."""


@pytest.mark.parametrize("source", sorted((FOLDER / "taken").iterdir()), ids=lambda p: p.stem)
def test_each_nodelet_puts(source: Path) -> None:
    assert b"_put_1_all(s2s_buckets_1" in text(source)
    wanted = run([plain(source)], capture_output=True, text=True).stdout
    assert wanted and emitted(source).run(timeout=60).stdout == wanted


@pytest.mark.parametrize("source", sorted((FOLDER / "left").iterdir()), ids=lambda p: p.stem)
def test_the_loop_itself_puts(source: Path) -> None:
    """Its results are compared before the text leaves."""
    assert text(source).count(b"_all(void **s2s_buckets") == LOOPS.get(source.stem, 0)


def test_the_first_thread_stays() -> None:
    source = FOLDER / "taken" / "elements.c"
    without, with_ = (emitted(source, (), more).run() for more in ((), ("buckets",)))
    assert with_.stdout == without.stdout
    assert with_.migrations < without.migrations
