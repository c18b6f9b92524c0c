"""What passes look for: the same members for transform and explain; default passes as listed."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar

import pytest

from s2s.driver import passes
from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from s2s.rewriters.text_pass import FilePass, TextPass
from s2s.transforms.reverse import Reverse
from s2s.transforms.scop_pass import Form, Look, ScopPass
from tests.places import ROOT

ROW = Path(__file__).with_name("looks.c").read_text()
KERNELS = ("bar", "filter", "heat2d", "lu", "matmul", "scatter", "sort_rows", "weights")


@dataclass(frozen=True)
class Blind(Reverse):
    """Would turn every loop around, and looks for what regions never show."""

    name: ClassVar[str] = "blind"
    looks_for: ClassVar[frozenset[Look]] = frozenset({Look.COPY})


def test_the_default_passes_are_what_the_table_says_of_them() -> None:
    found = [passes.find(name) for name in passes.DEFAULT]
    assert [cls.name for cls in found] == list(passes.DEFAULT)
    assert {cls.name: (cls.form, cls.looks_for) for cls in found} == passes.KNOWN
    always = [cls for cls in found if cls.form is not Form.REST]
    assert frozenset().union(*(cls.looks_for for cls in always)) == passes.DEFAULT_LOOKS
    assert passes.on_files(tuple(passes.DEFAULT)) == ()
    assert {c.form for c in found} == set(Form) - {Form.FILE}
    assert Options().passes == tuple(passes.DEFAULT)


@pytest.mark.parametrize("name", passes.names())
def test_a_pass_is_of_one_kind_and_in_its_folder(name: str) -> None:
    cls = passes.find(name)
    kinds = [kind for kind in (ScopPass, TextPass, FilePass) if issubclass(cls, kind)]
    assert len(kinds) == 1
    folder = "s2s.transforms." if kinds == [ScopPass] else "s2s.rewriters."
    assert cls.__module__.startswith(folder)
    assert (cls.form in (Form.FUNCTION, Form.FILE)) == (kinds != [ScopPass])


def test_what_shows_nothing_that_a_pass_looks_for_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "blind_pass", SimpleNamespace(Blind=Blind))
    monkeypatch.setitem(passes.DEFAULT, "blind", "blind_pass:Blind")
    source = tmp_path / "a.c"
    source.write_text(ROW)
    for explain in (False, True):
        options = Options(("blind",), explain=explain, strict=True)
        outcome = transform_file(str(source), (), options)
        assert not outcome.changed
        assert ("nothing that the pass looks for" in outcome.explanation) == explain
    assert transform_file(str(source), (), Options(("reverse",), strict=True)).changed


@pytest.mark.parametrize("name", KERNELS)
def test_explain_and_transform_agree(name: str) -> None:
    """Explaining asks passes about more regions, and takes none that transforming would not."""
    files = sorted((ROOT / "benchmarks" / name).glob("*.c"))
    assert files
    for path in files:
        plain = transform_file(str(path), ("-fopenmp",), Options(check=False))
        told = transform_file(str(path), ("-fopenmp",), Options(check=False, explain=True))
        assert told.text == plain.text
        for outcome in (plain, told):
            assert outcome.changed == bool(_remarks(outcome.diagnostics))
        assert _remarks(told.diagnostics) == _remarks(plain.diagnostics)


def _remarks(diagnostics: object) -> list[str]:
    assert isinstance(diagnostics, tuple)
    return [f"{d.location}: {d.text} [{d.id}]" for d in diagnostics if d.severity.value == "remark"]
