// macros, statics and globals
#define ROWS 30
typedef float real;
static real table[ROWS][ROWS];
extern real elsewhere[ROWS][ROWS];
real *flat; int width; extern int height;
static real twice(real x) { return x + x; }
void f(const int scale) {
    for (int i = 1; i < height; i++)
        for (int j = 0; j < width; j++)
            flat[j * width + i] = twice(table[i % ROWS][0]) + elsewhere[0][0] * scale;
}
int main(int argc, char **argv) { return argc + (argv == 0); }
