RDom r{0, 3, 0, 3, "r"};
Func sum{"sum"}, blur{"blur"};
sum(x, y) = cast<uint16_t>(0);
sum(x, y) += cast<uint16_t>(input(x + r.x, y + r.y));
blur(x, y) = sum(x, y) / 9;
output(x, y) = cast<uint8_t>(blur(x, y));
