// 16 taps, 8 outputs at a time; the register is a ring of which the oldest quarter is replaced.
#define TAPS 16
#define SAMPLES 64
void fir(input_window_int16 *restrict a, input_window_int16 *restrict w,
         output_window_int16 *restrict b)
{
    v32int16 sbuff = undef_v32int16();
    const v16int16 chess_storage(wc0) coe = window_readincr_v16(w);
    sbuff = upd_v(sbuff, 0, window_readincr_v8(a));
    sbuff = upd_v(sbuff, 1, window_readincr_v8(a));
    sbuff = upd_v(sbuff, 2, window_readincr_v8(a));

#define STEP(from, part)                                                             \
    sbuff = upd_v(sbuff, part, window_readincr_v8(a));                                \
    acc = mul8(sbuff, from, 0x03020100, 2, 0x2110, coe, 0, 0, 1);                     \
    acc = mac8(acc, sbuff, (from + 4) % 32, 0x03020100, 2, 0x2110, coe, 4, 0, 1);     \
    acc = mac8(acc, sbuff, (from + 8) % 32, 0x03020100, 2, 0x2110, coe, 8, 0, 1);     \
    acc = mac8(acc, sbuff, (from + 12) % 32, 0x03020100, 2, 0x2110, coe, 12, 0, 1);   \
    window_writeincr(b, srs(acc, 12));

    for (unsigned i = 0; i < SAMPLES / 32; ++i)
        chess_prepare_for_pipelining
        chess_loop_range(SAMPLES / 32, SAMPLES / 32)
    {
        v8acc48 acc;
        STEP(0, 3)
        STEP(8, 0)
        STEP(16, 1)
        STEP(24, 2)
    }
}
