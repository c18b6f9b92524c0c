#include <stdio.h>
#include <stdlib.h>
#include <math.h>
static void padded(int co, int ci, int h, int w, int kh, int kw, int pad, int oh, int ow,
            float x[ci][h][w], float f[co][ci][kh][kw], float y[co][oh][ow]) {
    for (int o = 0; o < co; o++)
        for (int p = 0; p < oh; p++)
            for (int q = 0; q < ow; q++) {
                float s = 0;
                for (int c = 0; c < ci; c++)
                    for (int r = 0; r < kh; r++)
                        for (int t = 0; t < kw; t++) {
                            int yy = p + r - pad, xx = q + t - pad;
                            if (yy >= 0 && yy < h && xx >= 0 && xx < w)
                                s += x[c][yy][xx] * f[o][c][r][t];
                        }
                y[o][p][q] = s;
            }
}
static void relu(float x[16][34][34], float f[32][16][3][3], float y[32][16][16], float b[32]) {
    for (int o = 0; o < 32; o++)
        for (int p = 0; p < 16; p++)
            for (int q = 0; q < 16; q++) {
                float s = b[o];
                for (int c = 0; c < 16; c++)
                    for (int r = 0; r < 3; r++)
                        for (int t = 0; t < 3; t++)
                            s += x[c][2 * p + r][2 * q + t] * f[o][c][r][t];
                y[o][p][q] = s > 0 ? s : 0;
            }
}
static void nhwc(int n, int h, int w, int ci, int co, int k, float x[n][h+k-1][w+k-1][ci], float f[k][k][ci][co], float y[n][h][w][co]) {
    for (int b = 0; b < n; b++) for (int i = 0; i < h; i++) for (int j = 0; j < w; j++) for (int o = 0; o < co; o++) {
      y[b][i][j][o] = 0;
      for (int r = 0; r < k; r++) for (int s = 0; s < k; s++) for (int c = 0; c < ci; c++)
         y[b][i][j][o] += x[b][i+r][j+s][c] * f[r][s][c][o];
    }
}
static void depthwise(int c, int h, int w, float x[c][h+2][w+2], float f[c][3][3], float y[c][h][w]) {
  for (int g=0; g<c; g++) for (int i=0;i<h;i++) for (int j=0;j<w;j++) { float s=0; for (int r=0;r<3;r++) for (int t=0;t<3;t++) s += x[g][i+r][j+t]*f[g][r][t]; y[g][i][j] += s; }
}
static void pool(int c, float x[c][32][32], float y[c][16][16]) {
    for (int k = 0; k < c; k++)
        for (int i = 0; i < 16; i++)
            for (int j = 0; j < 16; j++) {
                float m = -INFINITY;
                for (int a = 0; a < 2; a++)
                    for (int b = 0; b < 2; b++)
                        if (x[k][2 * i + a][2 * j + b] > m)
                            m = x[k][2 * i + a][2 * j + b];
                y[k][i][j] = m;
            }
}
static void flat_of_known_sizes(const float *x, const float *f, float *y) {
    for (int o = 0; o < 24; o++)
        for (int p = 0; p < 20; p++)
            for (int q = 0; q < 20; q++) {
                float s = 0;
                for (int c = 0; c < 8; c++)
                    for (int r = 0; r < 3; r++)
                        for (int t = 0; t < 3; t++)
                            if (p + r >= 1 && p + r < 21 && q + t >= 1 && q + t < 21)
                                s += x[(c * 20 + p + r - 1) * 20 + q + t - 1] *
                                     f[((o * 8 + c) * 3 + r) * 3 + t];
                y[(o * 20 + p) * 20 + q] = s;
            }
}
static void grouped(float x[16][22][22], float f[24][8][3][3], float b[24], float y[24][22][22]) {
    unsigned go = 12, gi = 8;
    for (unsigned g = 0; g < 2; g++)
        for (unsigned o = go * g; o < go * (g + 1); o++)
            for (int p = 0, top = -1; p < 22; p++, top += 1)
                for (int q = 0, left = -1; q < 22; q++, left += 1) {
                    y[o][p][q] = b[o];
                    for (int c = gi * g; c < (int)(gi * (g + 1)); c++)
                        for (unsigned r = 0; r < 3; r++)
                            for (unsigned t = 0; t < 3; t++) {
                                int yy = top + r, xx = left + t;
                                if (yy < 0 || xx < 0) continue;
                                if (yy >= 22 || xx >= 22) continue;
                                y[o][p][q] += x[c][yy][xx] * f[o][c - gi * g][r][t];
                            }
                }
}
static void every_other(int c, float x[c][28][28], float f[c][3][3], float y[c][14][14]) {
    for (int g = 0; g < c; g++)
        for (int p = 0; p < 14; p++)
            for (int q = 0; q < 14; q++) {
                y[g][p][q] = 0;
                for (int r = 0; r < 3; r++)
                    for (int t = 0; t < 3; t++) {
                        int yy = 2 * p + r - 1, xx = 2 * q + t - 1;
                        if (yy >= 0 && yy < 28 && xx >= 0 && xx < 28)
                            y[g][p][q] += x[g][yy][xx] * f[g][r][t];
                    }
            }
}
static void passed_by_the_loop_around(const float *x, const float *f, float *y) {
    for (int o = 0; o < 2; o++)
        for (int p = 0; p < 4; p++) {
            float s = x[o];
            for (int t = 0; t < 2; t++)
                for (int u = 0; u < 2; u++)
                    for (int c = 0; c < 2; c++) {
                        int i = p + t - 1;
                        if (i >= 0) s += x[8 + (c * 4 + i) * 7 + u] * f[((o * 2 + c) * 2 + t) * 2 + u];
                    }
            y[o * 4 + p] = s;
        }
}
static float *fresh(long n) { float *p = malloc(n*4); for (long i=0;i<n;i++) p[i] = (float)((i*7919+13)%1000)/1000-0.5f; return p; }
static void say(float *p, long n) { double s=0,t=0; for (long i=0;i<n;i++) { s+=p[i]; t+=p[i]*(double)((i*31)%17); } printf("%.4f %.4f\n", s, t); }
int main(void) {
  float *x=fresh(1<<20), *f=fresh(1<<18), *y=fresh(1<<20);
  padded(32,16,28,28,3,3,1,28,28,(void*)x,(void*)f,(void*)y); say(y,32*28*28);
  padded(8,16,28,20,5,3,2,28,22,(void*)x,(void*)f,(void*)y); say(y,8*28*22);
  relu((void*)x,(void*)f,(void*)y,x); say(y,32*256);
  nhwc(2,20,22,16,24,3,(void*)x,(void*)f,(void*)y); say(y,2*20*22*24);
  depthwise(48,30,30,(void*)x,(void*)f,(void*)y); say(y,48*900);
  flat_of_known_sizes(x,f,y); say(y,24*400);
  grouped((void*)x,(void*)f,x,(void*)y); say(y,24*484);
  every_other(48,(void*)x,(void*)f,(void*)y); say(y,48*196);
  passed_by_the_loop_around(x,f,y); say(y,8);
  pool(64,(void*)x,(void*)y); say(y,64*256);
}
