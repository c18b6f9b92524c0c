typedef struct { double x; } cell;
void f(float *out, float **rows, cell *cells, int rows_, int columns) {
    for (int i = 0; i < rows_; i++)
        for (int j = 0; j < columns; j++)
            out[j * rows_ + i] += rows[i][j] * cells[i].x;
}
