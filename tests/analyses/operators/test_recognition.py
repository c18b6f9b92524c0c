"""Operators in C of symbolic sizes: styles that are one, and look-alikes with the reason."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from s2s.driver.operations import Nest, operations_of
from s2s.frontends.c.parse import parse_as_compiled
from s2s.scop.operation import Operation, Recognised, Unrecognised
from s2s.scop.polynomial import Polynomial
from s2s.source import SourceBuffer

HERE = Path(__file__).parent
_FUNCTION = re.compile(r"((?:^// .*\n)+)^\w+ (\w+)\(", re.MULTILINE)


def _expected(name: str) -> dict[str, list[str]]:
    text = (HERE / name).read_text()
    return {
        m[2]: [line.removeprefix("// ") for line in m[1].splitlines()]
        for m in _FUNCTION.finditer(text)
    }


@cache
def _found(name: str) -> dict[str, list[Nest]]:
    path = HERE / name
    unit = parse_as_compiled(SourceBuffer(str(path), path.read_bytes()), ())
    assert not unit.errors
    found: dict[str, list[Nest]] = {}
    for nest in operations_of(unit):
        found.setdefault(nest.name, []).append(nest)
    return found


def _size(limit: Polynomial) -> str:
    return " ".join(limit.names) or str(limit.number)


def _words(operation: Operation) -> str:
    triangle = str(operation.attributes.get("triangle", ""))
    text = f"{operation.kind.value} {triangle}".strip()
    limits = [limit for o in operation.operands for limit in o.limits if limit is not None]
    return f"{text}, limits {' '.join(map(_size, limits))}" if limits else text


@pytest.mark.parametrize("function", _expected("layouts.c"))
def test_styles_are_recognised(function: str) -> None:
    nests = _found("layouts.c")[function]
    said = [
        ", ".join(map(_words, n.found.operations))
        if isinstance(n.found, Recognised)
        else n.found.reason
        for n in nests
    ]
    assert said == _expected("layouts.c")[function]


@pytest.mark.parametrize("function", _expected("lookalikes.c"))
def test_look_alikes_are_none(function: str) -> None:
    nest = _found("lookalikes.c")[function][0]
    assert isinstance(nest.found, Unrecognised)
    assert [nest.found.reason] == _expected("lookalikes.c")[function]
