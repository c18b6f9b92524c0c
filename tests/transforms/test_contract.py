"""Scalars move into the elements that they are stored to, where nothing else looks at those."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.regions import candidates, functions
from s2s.scop.nodes import Scop
from s2s.transforms.contract import contract, contract_all
from s2s.transforms.errors import NotApplicable
from tests.lifting import parse_text

PRODUCT = Path(__file__).with_name("contract.c").read_text()


def apart(text: str) -> Scop:
    """The only region of a file, its private scalars' statements not merged."""
    function = next(iter(functions(parse_text(text), every=True)))
    return next(iter(candidates(function))).scop(apart=True)


def texts(scop: Scop, source: str) -> list[str]:
    buffer = parse_text(source).buffer
    return [buffer.edited(s.span, s.edits) for s in scop.statements]


def test_copies_in_and_out_disappear() -> None:
    scop = contract_all(apart(PRODUCT))
    assert not scop.carried
    assert texts(scop, PRODUCT) == ["y[i] += a[k][i] * x[k];"]
    assert {a.array for s in scop.statements for a in s.accesses} == {"a", "x", "y"}


@pytest.mark.parametrize(
    ("old", "new", "kept"),
    [
        ("s = y[i];", "s = 0;", ["y[i] = 0;", "y[i] += a[k][i] * x[k];"]),
        ("y[i] = s;", "y[i] = -s;", ["y[i] += a[k][i] * x[k];", "y[i] = -y[i];"]),
        ("s = y[i];", "s = 2 * y[i];", ["y[i] = 2 * y[i];", "y[i] += a[k][i] * x[k];"]),
        ("y[i] = s;", "y[n - 1] = s;", ["y[n - 1] = y[i];", "y[n - 1] += a[k][i] * x[k];"]),
        ("s += a[k][i] * x[k]", "s = (s) - a[k][i]", ["y[i] = y[i] - a[k][i];"]),
    ],
)
def test_other_beginnings_and_ends_are_kept(old: str, new: str, kept: list[str]) -> None:
    text = PRODUCT.replace(old, new)
    assert texts(contract_all(apart(text)), text) == kept


def test_a_declaration_becomes_an_assignment() -> None:
    text = PRODUCT.replace("    double s;\n", "").replace("s = y[i]", "double s = 0.5")
    scop = contract_all(apart(text))
    assert texts(scop, text) == ["y[i] = 0.5;", "y[i] += a[k][i] * x[k];"]


def test_an_element_is_put_in_parentheses_where_it_is_no_subscript() -> None:
    text = PRODUCT.replace("y[i] = s", "*(y + i) = s")
    assert texts(contract_all(apart(text)), text) == ["(*(y + i)) += a[k][i] * x[k];"]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("* x[k]", "* y[k]", "'y' may be accessed while 's' is live"),
        ("*restrict x, double *restrict y", "*x, double *y", "may be accessed while"),
        ("y[i] = s;", "y[i] += s;", "'s' is not stored to an element"),
        ("y[i] = s;", "y[i] = s + y[i];", "'y' may be accessed while 's' is live"),
        ("y[i] = s;", "y[i] = s; x[0] += s;", "'s' is used after it is stored"),
        ("y[i] = s;", "if (i > 3) y[i] = s;", "'s' is not always stored"),
        ("double s;", "float s;", "'s' is not stored to an element"),
        ("double s;", "long double s;", "'s' is not stored to an element"),
        ("y[i] = s;", "y[(int)a[0][i]] = s;", "is not known"),
    ],
)
def test_what_someone_else_would_notice_is_refused(old: str, new: str, reason: str) -> None:
    assert old in PRODUCT
    scop = apart(PRODUCT.replace(old, new))
    with pytest.raises(NotApplicable, match=reason):
        contract(scop, "s")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("double s;", "volatile double s;"),
        ("double s;", "double s, *p = &s; x[0] = *p;"),
        ("double s;", "static double s;"),
        ("        s = y[i];\n", ""),
        ("s = y[i];", "if (x[i] > 0) s = y[i];"),
        ("+= a[k][i] * x[k]", "= x[k] > 1 ? NEXT(s) : 2"),
    ],
)
def test_what_is_no_private_scalar_is_not_kept_apart(old: str, new: str) -> None:
    text = "#define NEXT(v) (s + (v))\n" + PRODUCT.replace(old, new)
    function = next(iter(functions(parse_text(text), every=True)))
    with pytest.raises(NotLiftable):
        next(iter(candidates(function))).scop(apart=True)


def test_a_value_that_lives_on_is_not_kept_apart() -> None:
    text = PRODUCT.replace("    }\n}", "    }\n    y[0] = s;\n}")
    function = next(iter(functions(parse_text(text), every=True)))
    with pytest.raises(NotLiftable):
        next(iter(candidates(function))).scop(apart=True)
