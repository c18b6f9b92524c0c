prog histogram() {
  prog prg;
  prg.add_input("in"); prg.buffer_port_widths["in"] = 16;
  prg.add_output("out"); prg.buffer_port_widths["out"] = 16;
  prg.buffer_port_widths["bins"] = 16; prg.buffer_port_widths["table"] = 16;
  int n = 20;
  auto t = prg.add_loop("t", 0, n)->add_op("tables");
  t->add_function("bin"); t->add_load("in", "t"); t->add_store("table", "t");
  for (int k = 0; k < 2; ++k) {
    auto z = prg.add_loop("z" + to_string(k), 0, HALF)->add_op("zero" + std::to_string(k));
    z->add_function("zero");
    z->add_store("bins", "2*z" + to_string(k) + " + " + to_string(k));
  }
  auto c = prg.add_loop("c", 0, n)->add_op("count");
  c->add_function("count");
  c->add_dynamic_load("bins", "table", "c");
  c->add_dynamic_store("bins", "table", "c");
  auto o = prg.add_loop("o", 0, 2*HALF)->add_op("outs");
  o->add_load("bins", "o"); o->add_store("out", "o");
  return prg;
}
