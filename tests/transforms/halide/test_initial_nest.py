"""Loop nests before bounds inference: computations in their places, as print_loop_nest shows."""

from textwrap import dedent

import pytest

from s2s.driver.explain.loop_nest import print_loop_nest
from s2s.scop.errors import Illegal
from s2s.transforms.halide.initial import initial_nest
from tests.frontends.halide.twin import Tree, Twin


def var(name: str) -> Tree:
    return ("var", name)


def add(left: Tree, right: Tree) -> Tree:
    return ("add", left, right)


def blur() -> Twin:
    """g blurs f in y, f blurs the input in x; g is then updated from f over an RDom."""
    twin = Twin()
    twin.image("in", 2)
    x, y = var("x"), var("y")
    right, below = add(x, ("const", 1)), add(y, ("const", 1))
    twin.define("f", ["x", "y"], add(("load", "in", x, y), ("load", "in", right, y)))
    twin.define("g", ["x", "y"], add(("load", "f", x, y), ("load", "f", x, below)))
    twin.rdom("r", (0, 10), (0, 5))
    own = ("load", "g", x, y)
    twin.update("g", [x, y], add(own, ("load", "f", var("r.x"), var("r.y"))), "r")
    return twin


def shown(twin: Twin, *outputs: str) -> str:
    initial = initial_nest(twin.pipeline(*outputs))
    return print_loop_nest(initial.body, initial.funcs, outputs)


def test_computed_in_each_stage_that_uses_it() -> None:
    twin = blur()
    twin.directive("g", 0, "tile", "x", "y", "x", "y", "xi", "yi", 8, 4)
    twin.directive("g", 0, "vectorize", "xi")
    twin.directive("g", 0, "parallel", "y")
    twin.directive("f", 0, "compute_at", "g", "x")
    twin.directive("g", 1, "split", "r.x", "ro", "ri", 3)
    assert shown(twin, "g") == dedent("""\
        produce g:
          parallel y.y:
            for x.x:
              produce f:
                for y:
                  for x:
                    f(...) = ...
              consume f:
                for y.yi in [0, 3]:
                  vectorized x.xi in [0, 7]:
                    g(...) = ...
          for y:
            for x:
              produce f:
                for y:
                  for x:
                    f(...) = ...
              consume f:
                for r:
                  for r.ro:
                    for r.ri in [0, 2]:
                      g(...) = ...
        """)


def test_inlined() -> None:
    assert shown(blur(), "g") == dedent("""\
        produce g:
          for y:
            for x:
              g(...) = ...
          for y:
            for x:
              for r:
                for r:
                  g(...) = ...
        """)


def test_stored_outside() -> None:
    twin = blur()
    twin.directive("f", 0, "store_root")
    twin.directive("f", 0, "compute_at", "g", "y")
    text = shown(twin, "g")
    assert text.startswith("store f:\n  produce g:\n    for y:\n      produce f:\n")


def test_illegal_level_lists_the_legal_ones() -> None:
    twin = blur()
    twin.directive("f", 0, "compute_at", "g", "xi")
    with pytest.raises(Illegal) as caught:
        initial_nest(twin.pipeline("g"))
    assert "f.compute_at(g, xi)" in caught.value.text
    legal = [text for text, _ in caught.value.notes if text.startswith("legal")]
    assert legal == [
        "legal: f.compute_root()",
        "legal: f.compute_at(g, Var::outermost())",
        "legal: f.compute_at(g, y)",
        "legal: f.compute_at(g, x)",
    ]


def test_race_between_storage_and_computation() -> None:
    twin = blur()
    twin.directive("f", 0, "store_root")
    twin.directive("f", 0, "compute_at", "g", "x")
    twin.directive("g", 0, "parallel", "y")
    with pytest.raises(Illegal, match="a race"):
        initial_nest(twin.pipeline("g"))
