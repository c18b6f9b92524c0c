#include <string.h>
#include "kernel.h"
#include "pixels.h"
static void plain(const pixel I[][width], const pixel W[][R], pixel O[][x]) {
    for (int j = 0; j < y; j++)
        for (int i = 0; i < x; i++) {
            int64_t sum = 0;
            for (int s = 0; s < S; s++)
                for (int r = 0; r < R; r++)
                    sum += (int64_t)W[s][r] * I[j + s][i + r];
            O[j][i] = (pixel)(sum >> 10);
        }
}
static unsigned state = 1;
static pixel value() { state = state * 1103515245u + 12345u; return (pixel)(state >> 7); }
alignas(32) static pixel image[y + S - 1][width], packed_image[conv2d_I_elements];
alignas(32) static pixel weights[S][R], packed_weights[conv2d_W_elements];
alignas(32) static pixel out[y][x], wanted[y][x], packed_out[conv2d_O_elements];
int main() {
    for (auto &row : image) for (auto &v : row) v = value() >> 3;
    for (auto &row : weights) for (auto &v : row) v = value() >> 3;
#ifdef conv2d_packs_I
    pack_conv2d_I(&image[0][0], packed_image);
#else
    memcpy(packed_image, image, sizeof packed_image < sizeof image ? sizeof packed_image
                                                                  : sizeof image);
#endif
#ifdef conv2d_packs_W
    pack_conv2d_W(&weights[0][0], packed_weights);
#else
    memcpy(packed_weights, weights, sizeof weights);
#endif
    conv2d(packed_image, packed_weights, packed_out);
#ifdef conv2d_packs_O
    unpack_conv2d_O(packed_out, &out[0][0]);
#else
    memcpy(out, packed_out, sizeof out);
#endif
    plain(image, weights, wanted);
    return memcmp(out, wanted, sizeof out) != 0;
}
