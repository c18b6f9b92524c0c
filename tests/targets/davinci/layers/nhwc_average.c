// pools: average over 3 x 3, stride 2 x 2, padding 1 0 1 0, of 14 x 16 x 24
#define H 14
#define W 16
#define C 24
void nhwc_average(const float in[H][W][C], float out[H / 2][W / 2][C])
{
    for (int oy = 0; oy < H / 2; oy++)
        for (int ox = 0; ox < W / 2; ox++)
            for (int ch = 0; ch < C; ch++) {
                float sum = 0.0f;
                int count = 0;
                for (int ky = 0; ky < 3; ky++)
                    for (int kx = 0; kx < 3; kx++) {
                        int iy = oy * 2 + ky - 1, ix = ox * 2 + kx - 1;
                        if (iy < 0 || iy >= H || ix < 0 || ix >= W)
                            continue;
                        sum += in[iy][ix][ch];
                        count++;
                    }
                out[oy][ox][ch] = sum / count;
            }
}
