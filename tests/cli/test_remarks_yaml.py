"""Remarks as LLVM's viewer reads them: what its loader and its page need."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from s2s.cli.remarks_yaml import as_yaml, functions_by_text
from s2s.source.diagnostics import Diagnostic, Location, Severity

yaml: Any = pytest.importorskip(
    "yaml", reason="PyYAML, with which the viewer reads, is not installed"
)
TAGS = ("Passed", "Missed", "Analysis", "Failure")


def documents(data: bytes) -> list[tuple[str, dict[str, Any]]]:
    """The remarks with their tags, as a loader that knows only LLVM's tags has them."""

    class Loader(yaml.SafeLoader):  # type: ignore[misc]
        pass

    for tag in TAGS:
        Loader.add_constructor(
            f"!{tag}",
            lambda loader, node, tag=tag: (tag, loader.construct_mapping(node, deep=True)),
        )
    return list(yaml.load_all(data, Loader))


def message(remark: dict[str, Any]) -> str:
    """What the viewer shows; it refuses arguments with two keys, and joins only strings."""
    parts = []
    for argument in remark["Args"]:
        ((_, value),) = [item for item in argument.items() if item[0] != "DebugLoc"]
        parts.append(value)
    return "".join(parts)


def at(line: int) -> Location:
    return Location("src/x.c", line, 3, line, 4)


def test_each_remark_is_a_document_of_strings() -> None:
    note = Diagnostic(Severity.NOTE, "5", "lift", at(2))
    said = [
        Diagnostic(Severity.REMARK, "fused 2 loops", "popp", at(7)),
        Diagnostic(Severity.MISSED, "bound of 'k' is < 'n' & not: affine", "lift", at(9), (note,)),
        Diagnostic(Severity.ERROR, "true", "internal"),
    ]
    found = documents(as_yaml({"src/x.c": said}, lambda path, line: f"f{line}"))
    assert [tag for tag, _ in found] == ["Passed", "Missed", "Failure"]
    for _, remark in found:
        assert all(isinstance(remark[key], str) for key in ("Pass", "Name", "Function"))
    assert [r["DebugLoc"]["Line"] for _, r in found] == [7, 9, 1]
    assert [message(r) for _, r in found] == [
        "fused 2 loops", "bound of 'k' is &lt; 'n' &amp; not: affine; 5", "true",
    ]  # fmt: skip
    assert found[1][1]["Args"][-1]["DebugLoc"] == {"File": "src/x.c", "Line": 2, "Column": 3}
    assert found[0][1]["Function"] == "f7"
    assert "Hotness" not in found[0][1]


def test_names_of_the_source_make_no_new_kind() -> None:
    texts = ["call to 'f' may write any array", "call to 'g' may write any array"]
    said = [Diagnostic(Severity.MISSED, text, "effects", at(1)) for text in texts]
    names = {r["Name"] for _, r in documents(as_yaml({"x.c": said}, lambda *_: "f"))}
    assert names == {"CallToMayWriteAnyArray"}


def test_functions_are_found_by_their_heads() -> None:
    lines = (
        b"int g(int a);\nstatic double *f(int n,\n   int m)\n{\n  g(3);\n}\nint h(void) {\n".split(
            b"\n"
        )
    )
    found = functions_by_text(lambda path, line: lines[line - 1])
    assert [found("x.c", n) for n in (1, 7)] == ["", "h"]


def test_a_transformation_writes_them(run: Callable[..., CompletedProcess[bytes]]) -> None:
    Path("x.c").write_text(
        "void f(int n, double *a) { for (int i = 1; i < n; i++) a[i] = a[i - 1]; }\n"
    )
    assert run("transform", "x.c", "-o", "y.c", "--remarks-yaml", "x.opt.yaml").returncode == 0
    assert all(r["Function"] == "f" for _, r in documents(Path("x.opt.yaml").read_bytes()))
    done = run("transform", "x.c", "-o", "y.c", "--remarks-yaml", "x.c")
    assert done.returncode == 2 and b"would overwrite a source file" in done.stderr
