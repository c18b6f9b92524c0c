Func in16{"in16"}, first{"first"}, second{"second"};
in16(x, y) = cast<uint16_t>(input(x, y));
first(x, y) = in16(x, y) + 2 * in16(x + 1, y) + in16(x + 2, y);
second(x, y) = first(x, y) + 2 * first(x + 1, y) + first(x + 2, y);
output(x, y) = cast<uint8_t>(second(x, y) / 16);
