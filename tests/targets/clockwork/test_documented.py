"""The reader of documented forms takes a file of Clockwork's own kind, and nothing beside it."""

import pytest

from tests.targets.clockwork.documented import Undocumented, check_documented

FILE = """#include "app.h"
#include "ubuffer.h"
#include "codegen.h"
#include "prog.h"

prog blur() {
  prog prg;
  prg.compute_unit_file = "blur_compute.h";
  prg.name = "blur";

  // input: 8 elements
  prg.add_input("in");
  prg.buffer_port_widths["in"] = 16;
  prg.add_output("out");
  prg.buffer_port_widths["out"] = 16;
  auto y = prg.add_loop("y", -1, 3);
  y->coarse_grain_loop_tag();
  auto x = y->add_loop("x", 0, 4);

  auto blur = x->add_op("op_blur");
  blur->add_function("blur");
  blur->add_load("in", "(y + 1)", "floor(((x*2)/3))");
  blur->compute_unit_needs_index_variable("x");
  blur->add_latency(2);
  blur->add_store("out", "min(y, 2)", "(x % 4)");

  return prg;
}
"""


def test_all_documented_forms_pass() -> None:
    check_documented(FILE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("add_latency(2)", "add_delay(2)"),
        ("add_latency(2)", "index_variable_prefetch_cycle(2)"),
        ('add_load("in"', 'add_dynamic_load("in"'),
        ('add_load("in", "(y + 1)"', 'add_dynamic_load("in", "table"'),
        ("= 16;", "= 17;"),
        ('"(x % 4)"', '"(x % y)"'),
        ('"(x % 4)"', '"(x*y)"'),
        ('"(x % 4)"', '"z"'),
        ('"(x % 4)"', '"x", "x", "x", "x", "x", "x"'),
        ('"(x % 4)"', '"abs(x)"'),
        ('prg.buffer_port_widths["in"] = 16;', ""),
        ('blur->add_store("out", "min(y, 2)", "(x % 4)");', ""),
        ('add_loop("x", 0, 4)', 'add_loop("x", 4, 4)'),
        ('auto x = y->add_loop("x", 0, 4)', 'auto y = y->add_loop("y", 0, 4)'),
        ('#include "prog.h"', '#include "other.h"'),
        ('needs_index_variable("x")', 'needs_index_variable("z")'),
    ],
)
def test_nothing_else_does(old: str, new: str) -> None:
    assert old in FILE
    with pytest.raises(Undocumented):
        check_documented(FILE.replace(old, new))
