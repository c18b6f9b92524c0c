/* Operations on square blocks of floats, the tasks of sparselu.c. */
#ifndef SPARSELU_H
#define SPARSELU_H

/* A block of zeros; without memory the program ends. */
float *empty_block(int side);

/* The LU decomposition of a block on the diagonal, in place and without pivoting. */
void decompose(float *diagonal, int side);

/* A block to the right of a decomposed one: its part of U. */
void solve_right(float *diagonal, float *block, int side);

/* A block below a decomposed one: its part of L. */
void solve_below(float *diagonal, float *block, int side);

/* target minus the product of a block of L and one of U. */
void update(float *lower, float *upper, float *target, int side);

#endif
