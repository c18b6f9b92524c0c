/* Loops that cycles of dependences keep from being vectorized.
 *
 * The data flow is that of the eleven kernels of the suite TSVC that chapter 4 (PolySIMD) of
 * P. Chatarasi's dissertation measures, under their names, and of its running example (Figure 4.2).
 * Each function is one sweep over arrays that stay in a second-level cache.
 */
#include "kernels.h"

ALIGNED real a[LENGTH], b[LENGTH], c[LENGTH], d[LENGTH], e[LENGTH];
ALIGNED real aa[SIDE][SIDE], bb[SIDE][SIDE];

/* Five steps of one recurrence written out: each reads what the next one overwrites. */
void s116(void)
{
    for (int i = 0; i < LENGTH - 5; i += 5) {
        a[i] = a[i] * a[i + 1];
        a[i + 1] = a[i + 1] * a[i + 2];
        a[i + 2] = a[i + 2] * a[i + 3];
        a[i + 3] = a[i + 3] * a[i + 4];
        a[i + 4] = a[i + 4] * a[i + 5];
    }
}

/* d takes the old value of an element that the next iteration sets. */
void s1244(void)
{
    for (int i = 0; i < LENGTH - 1; i++) {
        a[i] = b[i] * b[i] + c[i] * c[i] + b[i] + c[i];
        d[i] = a[i + 1] + a[i];
    }
}

void s241(void)
{
    for (int i = 0; i < LENGTH - 1; i++) {
        a[i] = d[i] * c[i] * b[i];
        b[i] = d[i] * a[i] * a[i + 1];
    }
}

void s243(void)
{
    for (int i = 0; i < LENGTH - 1; i++) {
        a[i] = c[i] * d[i] + b[i];
        b[i] = d[i] * e[i] + a[i];
        a[i] = a[i + 1] * d[i] + b[i];
    }
}

/* What the third statement stores is overwritten by the next iteration's first one. */
void s244(void)
{
    for (int i = 0; i < LENGTH - 1; i++) {
        a[i] = c[i] * d[i] + b[i];
        b[i] = b[i] + c[i];
        a[i + 1] = a[i + 1] * d[i] + b[i];
    }
}

/* A sum that the next iteration uses, of elements that this one overwrites. */
void s2251(void)
{
    real sum = 0;
    for (int i = 0; i < LENGTH; i++) {
        a[i] = e[i] * sum;
        sum = c[i] + b[i];
        b[i] = d[i] + a[i];
    }
}

void s252(void)
{
    real before = 0, product;
    for (int i = 0; i < LENGTH; i++) {
        product = c[i] * b[i];
        a[i] = before + product;
        before = product;
    }
}

/* The neighbour to the left, around the end of the array, in a scalar. */
void s254(void)
{
    real left = b[LENGTH - 1];
    for (int i = 0; i < LENGTH; i++) {
        a[i] = (left + b[i]) * (real)0.5;
        left = b[i];
    }
}

/* Two neighbours to the left. */
void s255(void)
{
    real left = b[LENGTH - 1], second = b[LENGTH - 2];
    for (int i = 0; i < LENGTH; i++) {
        a[i] = (second + left + b[i]) * (real)0.333;
        second = left;
        left = b[i];
    }
}

/* An element of a row of results serves as a scalar while a column is walked. */
void s257(void)
{
    for (int i = 1; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            a[i] = aa[j][i] - a[i - 1];
            aa[j][i] = bb[j][i] + a[i];
        }
}

/* One scalar for two purposes. */
void s261(void)
{
    real t;
    for (int i = 1; i < LENGTH; i++) {
        t = b[i] + a[i];
        a[i] = c[i - 1] + t;
        t = d[i] * c[i];
        c[i] = t;
    }
}

/* Figure 4.2: three cycles, of which renaming one source and one sink leaves none. */
void running_example(void)
{
    for (int i = 4; i < LENGTH / 2 - 1; i++) {
        a[i + 5] = c[i - 3] + b[2 * i + 2];
        b[2 * i] = a[i - 1] + 1;
        a[i] = c[i + 5] - 1;
        c[i] = b[2 * i - 4];
    }
}
