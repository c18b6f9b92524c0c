// 64x8 by 8x2, columns one after the other; the loop over k has to be unrolled for its start in Z.
static const unsigned int M = 64;
inline void two_columns(input_window_int16 *a, v16int16 &right, v16acc48 &acc, int i)
{
    v32int16 left = undef_v32int16();
    left = upd_w(left, 0, window_read_v16(a));
    window_incr(a, 64);
    left = upd_w(left, 1, window_read_v16(a));
    window_incr(a, 64);
    acc = mac16(acc, left, 0, 0x73727170, 0x77767574, 0x3120, right, i, 0x0, 0x0, 1);
}
void product(input_window_int16 *a, input_window_int16 *w, output_window_int16 *b)
{
    v16int16 right = window_read_v16(w);
    v16acc48 acc = null_v16acc48();
    for (unsigned int i = 0; i < M / 16; i++) {
        acc = null_v16acc48();
        for (int j = 0; j < 8; j += 2)
            two_columns(a, right, acc, j);
        window_write(b, srs(acc, 15));
        window_incr(b, 64);
        window_decr(a, 512);
        acc = null_v16acc48();
        for (int j = 8; j < 16; j += 2)
            two_columns(a, right, acc, j);
        window_write(b, srs(acc, 15));
        window_decr(b, 48);
        window_decr(a, 496);
    }
}
