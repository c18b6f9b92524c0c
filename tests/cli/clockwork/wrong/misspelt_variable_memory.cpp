#include "prog.h"

prog blur() {
  prog prg;
  prg.compute_unit_file = "blur_compute.h";
  prg.name = "blur";
  prg.add_input("input");
  prg.buffer_port_widths["input"] = 16;
  prg.add_output("output");
  prg.buffer_port_widths["output"] = 16;
  auto copy_y = prg.add_loop("copy_y", 0, 10);
  auto copy_x = copy_y->add_loop("copy_x", 0, 8);
  auto copy = copy_x->add_op("copy");
  copy->add_function("hcompute_copy");
  copy->add_load("input", "copy_y", "copy_x");
  prg.buffer_port_widths["copy"] = 16;
  copy->add_store("copy", "copy_y", "copy_x");
  auto blur_y = prg.add_loop("blur_y", 0, 8);
  auto blur_x = blur_y->add_loop("blur_x", 0, 8);
  auto zero = blur_x->add_op("zero");
  zero->add_function("hcompute_zero");
  prg.buffer_port_widths["blur"] = 16;
  zero->add_store("blur", "blur_y", "blur_x");
  auto blur_y1 = prg.add_loop("blur_y1", 0, 8);
  auto blur_x1 = blur_y1->add_loop("blur_x1", 0, 8);
  auto blur = blur_x1->add_op("blur");
  blur->add_function("hcompute_blur");
  blur->add_load("blur", "blur_y1", "blur_x1");
  blur->add_load("copy", "blur_y1", "blur_x1");
  blur->add_load("copy", "(blur_y1 + 1)", "blur_x1");
  blur->add_load("copy", "(blur_y1 + 2)", "blur_x1");
  blur->add_store("blur", "blur_y1", "blur_x1");
  auto out_y = prg.add_loop("out_y", 0, 8);
  auto out_x = out_y->add_loop("out_x", 0, 8);
  auto out = outx->add_op("out");  // error: 'outx' has no value in this file; did you mean 'out_x'?
  out->add_function("hcompute_ramp");
  out->add_load("blur", "out_y", "out_x");
  out->add_store("output", "out_y", "out_x");
  out->compute_unit_needs_index_variable("out_x");
  return prg;
}
