// pools: maximum over 3 x 3, stride 2 x 2, of 11 x 9 x 20, with its mask
#include <math.h>
#define C 20
#define H 11
#define W 9
#define OH 5
#define OW 4
void pool(const float in[C][H][W], float out[C][OH][OW], float mask[C][OH][OW][3][3]) {
    for (int c = 0; c < C; c++)
        for (int y = 0; y < OH; y++)
            for (int x = 0; x < OW; x++) {
                float best = -INFINITY;
                int by = 0, bx = 0;
                for (int ky = 0; ky < 3; ky++)
                    for (int kx = 0; kx < 3; kx++) {
                        mask[c][y][x][ky][kx] = 0;
                        if (in[c][y * 2 + ky][x * 2 + kx] > best) {
                            best = in[c][y * 2 + ky][x * 2 + kx];
                            by = ky; bx = kx;
                        }
                    }
                mask[c][y][x][by][bx] = 1;
                out[c][y][x] = best;
            }
}
