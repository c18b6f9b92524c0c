/* The tasks of jacobi_blocked.c: copying a square block of the grid, and relaxing it. */
#ifndef JACOBI_BLOCKED_H
#define JACOBI_BLOCKED_H

#include <assert.h>

static inline void keep_block(int rows, int columns, int over, int along, double *now_,
                              double *next_, int block)
{
    double (*now)[rows][columns] = (double (*)[rows][columns])now_;
    double (*next)[rows][columns] = (double (*)[rows][columns])next_;
    int row, column;
    int top = over * block, left = along * block;

    for (row = top; row < top + block; row++) {
        for (column = left; column < left + block; column++) {
            assert(row < rows && column < columns);
            (*now)[row][column] = (*next)[row][column];
        }
    }
}

static inline void relax_block(int over, int along, double *now_, double *next_, double *source_,
                               double hx, double hy, int rows, int columns, int block)
{
    double (*source)[rows][columns] = (double (*)[rows][columns])source_;
    double (*now)[rows][columns] = (double (*)[rows][columns])now_;
    double (*next)[rows][columns] = (double (*)[rows][columns])next_;
    int row, column;
    int top = over * block, left = along * block;

    for (row = top; row < top + block; row++) {
        for (column = left; column < left + block; column++) {
            if (row == 0 || column == 0 || row == rows - 1 || column == columns - 1) {
                (*next)[row][column] = (*source)[row][column];
            } else {
                (*next)[row][column] = 0.25
                                       * ((*now)[row - 1][column] + (*now)[row][column + 1]
                                          + (*now)[row][column - 1] + (*now)[row + 1][column]
                                          + (*source)[row][column] * hx * hy);
            }
        }
    }
}

#endif
