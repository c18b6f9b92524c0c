/* Operations on square blocks; see sparselu.h. All subscripts are linearized. */
#include "sparselu.h"

#include "../harness.h"

float *empty_block(int side)
{
    float *block = malloc((size_t)side * side * sizeof *block), *entry = block;
    if (block == NULL) {
        exit(101);
    }
    for (int i = 0; i < side; i++) {
        for (int j = 0; j < side; j++) {
            *entry++ = 0.0f;
        }
    }
    return block;
}

void decompose(float *diagonal, int side)
{
    int i, j, k;

    for (k = 0; k < side; k++) {
        for (i = k + 1; i < side; i++) {
            diagonal[i * side + k] = diagonal[i * side + k] / diagonal[k * side + k];
            for (j = k + 1; j < side; j++) {
                diagonal[i * side + j] =
                    diagonal[i * side + j] - diagonal[i * side + k] * diagonal[k * side + j];
            }
        }
    }
}

void solve_right(float *diagonal, float *block, int side)
{
    int i, j, k;

    for (j = 0; j < side; j++) {
        for (k = 0; k < side; k++) {
            for (i = k + 1; i < side; i++) {
                block[i * side + j] =
                    block[i * side + j] - diagonal[i * side + k] * block[k * side + j];
            }
        }
    }
}

void solve_below(float *diagonal, float *block, int side)
{
    int i, j, k;

    for (i = 0; i < side; i++) {
        for (k = 0; k < side; k++) {
            block[i * side + k] = block[i * side + k] / diagonal[k * side + k];
            for (j = k + 1; j < side; j++) {
                block[i * side + j] =
                    block[i * side + j] - block[i * side + k] * diagonal[k * side + j];
            }
        }
    }
}

void update(float *lower, float *upper, float *target, int side)
{
    int i, j, k;

    for (i = 0; i < side; i++) {
        for (j = 0; j < side; j++) {
            for (k = 0; k < side; k++) {
                target[i * side + j] =
                    target[i * side + j] - lower[i * side + k] * upper[k * side + j];
            }
        }
    }
}
