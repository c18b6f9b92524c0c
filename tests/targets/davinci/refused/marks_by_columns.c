// refused: 3: 'mask' marks another point than the first of those that are equal
#include <math.h>
void pool(const float in[20][11][9], float out[20][5][4], float mask[20][5][4][3][3]) {
    for (int c = 0; c < 20; c++)
        for (int y = 0; y < 5; y++)
            for (int x = 0; x < 4; x++) {
                float best = -INFINITY;
                int by = 0, bx = 0;
                for (int kx = 0; kx < 3; kx++)
                    for (int ky = 0; ky < 3; ky++) {
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
