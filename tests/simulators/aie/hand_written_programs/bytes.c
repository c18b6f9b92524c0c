// 16-bit samples and 8-bit weights: four columns.
void mixed(const int16_t *restrict a, const int8_t *restrict w, int16_t *restrict b)
{
    v32int8 z = *(const v32int8 *)w;
    v16acc48 low, high;
    for (int i = 0; i < 64; i += 32) {
        v64int16 x = concat(*(const v16int16 *)(a + i), *(const v16int16 *)(a + i + 16),
                            *(const v16int16 *)(a + i + 32), *(const v16int16 *)(a + i + 48));
        low = mul16(x, 0, 0x03020100, 0x07060504, 2, 0x2110, z, 0, 0, 0, 2, 0x1010);
        high = mul16(x, 16, 0x03020100, 0x07060504, 2, 0x2110, z, 0, 0, 0, 2, 0x1010);
        low = mac16(low, x, 4, 0x03020100, 0x07060504, 2, 0x2110, z, 4, 0, 0, 2, 0x1010);
        high = mac16(high, x, 20, 0x03020100, 0x07060504, 2, 0x2110, z, 4, 0, 0, 2, 0x1010);
        *(v16int16 *)(b + i) = srs(low, 6);
        *(v16int16 *)(b + i + 16) = srs(high, 6);
    }
}
