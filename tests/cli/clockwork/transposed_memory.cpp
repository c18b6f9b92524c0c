#include "prog.h"

// A buffer of 270400 words that are all alive at a time.
prog transposed() {
  prog prg;
  prg.compute_unit_file = "blur_compute.h";
  prg.add_input("input");
  prg.buffer_port_widths["input"] = 16;
  prg.add_output("output");
  prg.buffer_port_widths["output"] = 16;
  auto copy_y = prg.add_loop("copy_y", 0, 520);
  auto copy_x = copy_y->add_loop("copy_x", 0, 520);
  auto copy = copy_x->add_op("copy");  // error: 'transposed' cannot be mapped: buffer copy: it needs 133 memory tiles, the array has 128; copy stores to it, out loads copy(out_y, out_x)
  copy->add_function("hcompute_copy");
  copy->add_load("input", "copy_y", "copy_x");
  prg.buffer_port_widths["copy"] = 16;
  copy->add_store("copy", "copy_y", "copy_x");
  auto out_y = prg.add_loop("out_y", 0, 520);
  auto out_x = out_y->add_loop("out_x", 0, 520);
  auto out = out_x->add_op("out");
  out->add_function("hcompute_copy");
  out->add_load("copy", "out_x", "out_y");
  out->add_store("output", "out_y", "out_x");
  return prg;
}
