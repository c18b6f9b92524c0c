enum { SIDE = 3000 };
float a[SIDE], b[SIDE], c[SIDE];
void scale(float factor)
{
    float product;
    for (int i = 0; i < SIDE; i++) {
        product = c[i] * b[i] + SIDE;
        a[i] = factor + product;
    }
}
