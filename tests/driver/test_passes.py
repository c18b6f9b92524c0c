"""Passes and their options as the command line names them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import ClassVar, Literal

import islpy as isl
import pytest

from s2s.driver import passes
from s2s.scop.nodes import Scop
from s2s.source.diagnostics import UserError
from s2s.source.flags import may_reassociate
from s2s.transforms.errors import NotApplicable
from s2s.transforms.permute import Permute
from s2s.transforms.popp import Popp
from s2s.transforms.scop_pass import ScopPass
from s2s.transforms.transformed import Transformed


@dataclass(frozen=True)
class Sample(ScopPass):
    """A pass with an option of each type."""

    name: ClassVar[str] = "sample"
    mode: Literal["doacross", "wavefront"] = field(default="doacross", metadata={"help": "how"})
    label: str = ""
    count: int = field(default=4, metadata={"least": 2})
    reassociate: bool = False
    compiler: Literal["gcc", "clang"] = "gcc"

    def run(self, scop: Scop, dependences: isl.UnionMap) -> Transformed:
        """Never applies."""
        raise NotApplicable(scop.span, "a sample")


@pytest.fixture(autouse=True)
def sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sample_pass", SimpleNamespace(Sample=Sample))
    monkeypatch.setitem(passes.DEFAULT, "sample", "sample_pass:Sample")


def test_a_name_alone_has_the_defaults() -> None:
    assert passes.make("popp") == Popp()
    assert passes.make("permute") == Permute()


@pytest.mark.parametrize(
    ("spec", "wanted"),
    [
        ("popp:sizes=32x4", Popp(sizes=(32, 4))),
        ("popp:sizes=32x4:chunk=8", Popp(sizes=(32, 4), chunk=8)),
        ("popp:plane-sizes=1x2x3", Popp(plane_sizes=(1, 2, 3))),
        ("permute:gain=1.5:parallel", Permute(gain=1.5, parallel=True)),
        ("permute:parallel=false", Permute(parallel=False)),
        ("sample:mode=wavefront:label=a b", Sample(mode="wavefront", label="a b")),
    ],
)
def test_options(spec: str, wanted: object) -> None:
    assert type(passes.make(spec)).__name__ == type(wanted).__name__
    assert vars(passes.make(spec)) == vars(wanted)


def test_options_of_the_command_line_reach_the_passes_that_have_them() -> None:
    assert vars(passes.make("permute", parallel=True, reassociate=True)) == vars(
        Permute(parallel=True)
    )
    assert vars(passes.make("sample", reassociate=True))["reassociate"] is True
    assert vars(passes.make("sample:reassociate=false", reassociate=True))["reassociate"] is False
    assert passes.make("popp", parallel=True, reassociate=True, compiler="clang") == Popp(
        parallel=True
    )


@pytest.mark.parametrize(
    ("spec", "compiler", "family"),
    [
        ("sample", "gcc", "gcc"),
        ("sample", "/usr/bin/x86_64-linux-gnu-gcc-12", "gcc"),
        ("sample", "clang-19", "clang"),
        ("sample", "clang++", "clang"),
        ("sample", "icx", "clang"),
        ("sample:compiler=gcc", "clang", "gcc"),
    ],
)
def test_passes_get_the_family_of_the_compiler(spec: str, compiler: str, family: str) -> None:
    assert vars(passes.make(spec, compiler=compiler))["compiler"] == family


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("nothing", ["'nothing'", "popp, hoist"]),
        ("popp:strip=3", ["'popp'", "'strip'", "sizes, plane_sizes"]),
        ("popp:sizes=16", ["'popp'", "'sizes'", "2 positive numbers", "'16'"]),
        ("popp:sizes=16x-8", ["2 positive numbers"]),
        ("popp:sizes=ax8", ["2 positive numbers"]),
        ("popp:chunk=1.5", ["'chunk'", "whole number", "'1.5'"]),
        ("popp:chunk", ["'chunk'", "needs a value"]),
        ("permute:strip=0", ["from 1 on"]),
        ("permute:gain=nan", ["a number"]),
        ("permute:parallel=perhaps", ["true or false"]),
        ("sample:mode=other", ["one of doacross, wavefront", "'other'"]),
        ("sample:count=1", ["a whole number from 2 on"]),
    ],
)
def test_errors_name_pass_option_and_type(spec: str, words: Sequence[str]) -> None:
    with pytest.raises(UserError) as caught:
        passes.make(spec)
    assert [word for word in words if word not in str(caught.value)] == []


def test_every_pass_has_a_summary_and_help_for_its_options() -> None:
    for name in set(passes.names()) - {Sample.name}:
        assert passes.summary(name)
        for option in passes.options(name):
            assert option.help, f"{name}:{option.name}"
            for value in (option.default, *option.tune):
                made = passes.make(f"{name}:{option.name}={passes.spell_value(value)}")
                assert getattr(made, option.name) == value


@pytest.mark.parametrize(
    ("flags", "allowed"),
    [
        ("", False),
        ("-O3", False),
        ("-Ofast", True),
        ("-Ofast -O2", False),
        ("-ffast-math", True),
        ("-O2 -fassociative-math", True),
        ("-funsafe-math-optimizations", True),
        ("-ffast-math -fno-associative-math", False),
        ("-Ofast -fno-fast-math", False),
        ("-fno-fast-math -ffast-math", True),
    ],
)
def test_flags_that_allow_another_order_of_operations(flags: str, allowed: bool) -> None:
    assert may_reassociate(flags.split()) is allowed
