// A fully connected layer of bytes: 16 outputs, 32 inputs, eight at a time.
void dense(int8_t *restrict a, int8_t *restrict w, int8_t *restrict b)
{
    set_sat();
    set_rnd(rnd_sym_inf);
    v16int8 *pw = (v16int8 *)w;
    v16acc48 acc = null_v16acc48();
    v32int8 inputs = *(v32int8 *)a;
    v128int8 mat = undef_v128int8();
    for (int k = 0; k < 32; k += 8) {
        for (int n = 0; n < 8; n++)
            mat = upd_v(mat, n, *pw++);
        acc = mac16(acc, mat, 0, 0x33323130, 32, 0x3120, inputs, k, 0x00000000, 2, 0x1010);
    }
    *(v16int8 *)b = bsrs(acc, 9);
    clr_sat();
    set_rnd(rnd_floor);
}
