// What a stream brings, scaled, with an offset that stands in a vector.
void scaled(input_stream_int16 *restrict a, input_stream_int16 *restrict w,
            output_stream_int16 *restrict b)
{
    const int16_t gain = readincr(w);
    const int16_t bias = readincr(w);
    v16int16 z = null_v16int16();
    z = upd_elem(z, 0, gain);
    v8int16 offset = null_v8int16();
    for (int i = 0; i < 8; i++)
        offset = shft_elem(offset, bias);
    for (int i = 0; i < 6; i++) chess_prepare_for_pipelining {
        v32int16 x = xset_v(0, readincr_v8(a));
        v8acc48 acc = mul8(x, 0, 0x03020100, 0, 0x1100, z, 0, 0, 0);
        acc = msc8(acc, x, 0, 0x03020100, 0, 0x1100, z, 0, 0, 1);
        acc = acc + offset;
        writeincr_v8(b, srs(acc, 2));
    }
}
