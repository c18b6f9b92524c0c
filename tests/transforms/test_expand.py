"""Scalars become arrays over strips where the loop order needs it, and are proved to fit there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from s2s.analyses import legality
from s2s.scop.nodes import Scop
from s2s.scop.schedule import Parallelism
from s2s.scop.texts import PREFIX, Storage
from s2s.transforms.errors import NotApplicable
from s2s.transforms.expand import expand_in_strips
from s2s.transforms.jam import Jam
from s2s.transforms.parallelize import simd
from s2s.transforms.permute import Permute
from tests.lifting import Analysed, analysed
from tests.transforms.test_contract import apart

FORWARD = Path(__file__).with_name("expand.c").read_text()


def of(text: str) -> Analysed:
    """The file's second function, its scalars apart."""
    return analysed(apart(text.replace("double squash(double x) { return x / (1 + x); }", "")
                          .replace("squash", "1.0 / ")))  # fmt: skip


def permuted(found: Analysed) -> Scop:
    return Permute().run(found.scop, found.pruned).scop


def test_a_sum_over_rows_becomes_an_array_over_a_strip() -> None:
    found = of(FORWARD)
    done = permuted(found)
    assert done.storage == (Storage("sum_values", "double", 64),)
    assert not done.carried
    assert legality.check(done, found.pruned) is None
    assert done.target is not None
    strip = done.target.dimensions[0]
    assert (strip.elastic, strip.parallelism) == (True, Parallelism.DOALL)
    assert {e.text.decode() for s in done.statements for e in s.edits} == {
        f"{PREFIX}sum_values[j - {PREFIX}j_strip]"
    }


def test_without_a_parallel_loop_strips_have_a_fixed_size() -> None:
    text = "\n".join(line for line in FORWARD.split("\n") if "pragma" not in line)
    text = text.replace(
        "double **w, double *in, double *out",
        "double w[n + 1][m + 1], double *restrict in, double *restrict out",
    )
    found = of(text)
    done = permuted(found)
    assert done.target is not None
    assert not done.target.dimensions[0].elastic
    assert {e.text.decode() for s in done.statements for e in s.edits} == {
        f"{PREFIX}sum_values[j - 64 * {PREFIX}j_strip]"
    }


def test_a_scalar_of_a_loop_inside_of_the_parallel_one_has_no_strips() -> None:
    text = FORWARD.replace("        sum = 0.0;", "    for (int i = 0; i < m; i++) {\n  sum = 0.0;")
    text = text.replace("out[j] = squash(sum);", "out[j + i * m] = squash(sum); }")
    found = of(text)
    with pytest.raises(NotApplicable, match="no strips"):
        permuted(found)


def test_readers_of_one_value_may_change_places() -> None:
    """A loop all of whose iterations read the scalar is one of vectors; lifetimes keep apart."""
    text = (Path(__file__).parent / "one_factor.c").read_text()
    found = analysed(apart(text))
    done = Jam().run(found.scop, found.pruned).scop
    assert not done.carried
    assert done.target is not None and done.reuse is not None
    vectors = [d for d in done.target.dimensions if d.parallelism is Parallelism.SIMD]
    assert vectors
    assert legality.check(done, found.pruned) is None
    tiles = [p for p, d in enumerate(done.target.dimensions) if d.name == "k_tile"]
    for place in tiles:
        assert legality.check(simd(done, place), found.pruned) is not None


def test_lifetimes_that_share_a_place_keep_their_order() -> None:
    """The order of two lifetimes in one place is part of the proof, whatever HB says."""
    found = of(FORWARD)
    done = permuted(found)
    assert done.reuse is not None
    backwards = replace(done, reuse=done.reuse.union(done.reuse.reverse()))
    violation = legality.check(backwards, found.pruned)
    assert violation is not None
    assert violation.reason == "a dependence goes backwards in time"


def test_a_scalar_is_not_expanded_without_strips() -> None:
    found = of(FORWARD)
    planned = Permute().run(found.scop, found.pruned).scop
    assert planned.target is not None
    flat = replace(found.scop, target=replace(planned.target, dimensions=()))
    with pytest.raises(NotApplicable, match="no strips"):
        expand_in_strips(flat, 0)


def test_strips_of_any_width_have_to_be_parallel() -> None:
    found = of(FORWARD)
    done = permuted(found)
    assert done.target is not None
    first = replace(done.target.dimensions[0], parallelism=Parallelism.NONE)
    serial = done.target.with_dimension(0, first)
    violation = legality.check(replace(done, target=serial), found.pruned)
    assert violation is not None
    assert "strips of any width" in violation.reason
