#include <cstdio>
#include <cstring>
#include "conv.h"
static int16_t I[202][402], W[3][3], O[200][400];
static struct conv2d_core cores[conv2d_cores];
alignas(32) static int16_t image[conv2d_I_elements], weights[conv2d_W_elements];
alignas(32) static int16_t result[conv2d_O_elements];
#ifndef conv2d_packs_I
#define pack_conv2d_I(from, to) std::memcpy(to, from, sizeof(cores[0].I))
#endif
#ifndef conv2d_packs_W
#define pack_conv2d_W(from, to) std::memcpy(to, from, sizeof(cores[0].W))
#endif
#ifndef conv2d_packs_O
#define unpack_conv2d_O(from, to) std::memcpy(to, from, sizeof(cores[0].O))
#endif
int main() {
    unsigned state = 1;
    for (auto &row : I) for (auto &v : row) v = (state = state * 1103515245u + 12345u) >> 16;
    for (auto &row : W) for (auto &v : row) v = (state = state * 1103515245u + 12345u) >> 16;
    conv2d_scatter(&I[0][0], &W[0][0], cores);
    conv2d_exchange(cores);
    for (auto &core : cores) {
        pack_conv2d_I(core.I, image);
        pack_conv2d_W(core.W, weights);
        conv2d(image, weights, result);
        unpack_conv2d_O(result, core.O);
    }
    conv2d_gather(&O[0][0], cores);
    for (int y = 0; y < 200; y++)
        for (int x = 0; x < 400; x++) {
            long long sum = 0;
            for (int s = 0; s < 3; s++)
                for (int r = 0; r < 3; r++) sum += (long long)I[y + s][x + r] * W[s][r];
            if (O[y][x] != (int16_t)(sum >> 10)) return 1;
        }
    std::printf("%d cores\n", conv2d_cores);
}
