void f(input_cascade<acc48> *from, output_stream_acc48 *__restrict to, int16_t *b) {
  v8acc48 sums = readincr_v<8>(from);
  *(v8int16 *)b = srs(sums, 0);
  writeincr_v8(to, sums);
}
