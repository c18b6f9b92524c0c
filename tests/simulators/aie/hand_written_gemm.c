// 4x8 by 8x8 of 32 bits: rows of the left matrix in X, one of whose elements all lanes take.
void gemm(const int32_t *__restrict a, const int32_t *__restrict w, int32_t *__restrict b)
{
#define LMUL                                                                         \
    zbuff = *pw++;                                                                    \
    even = lmul8(xbuff, 0, 0x00000000, zbuff, 0, 0x76543210);                         \
    odd = lmul8(xbuff, 8, 0x00000000, zbuff, 0, 0x76543210)
#define LMAC(S1, S2)                                                                 \
    zbuff = *pw++;                                                                    \
    even = lmac8(even, xbuff, S1, 0x00000000, zbuff, 0, 0x76543210);                  \
    odd = lmac8(odd, xbuff, S2, 0x00000000, zbuff, 0, 0x76543210)
    v16int32 *pa = (v16int32 *)a;
    v8int32 *pb = (v8int32 *)b;
    v8int32 zbuff;
    v8acc80 even, odd;
    for (int i = 0; i < 2; i++) chess_prepare_for_pipelining chess_loop_range(2, ) {
        v8int32 *pw = (v8int32 *)w;
        v16int32 xbuff = *pa++;
        LMUL;
        LMAC(1, 9); LMAC(2, 10); LMAC(3, 11); LMAC(4, 12); LMAC(5, 13); LMAC(6, 14); LMAC(7, 15);
        *pb++ = srs(even, 20);
        *pb++ = srs(odd, 20);
    }
}
