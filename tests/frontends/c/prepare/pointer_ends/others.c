// s2s: --force --parallel
// stays
/* Ends, pointers and beginnings that change, or that others see, and loops that go down. */
void moved_end(char *p0, char *end)
{
    for (char *p = p0; p < end; p++)
        if (*p == 'x') end--;
}

void moved_pointer(int *a, int *end)
{
    for (int *p = a; p < end; p++)
        if (*p == 7) p++;
}

void moved_beginning(int *a, int n)
{
    for (int *p = a; p < a + n; p++) {
        *p = 1;
        a++;
    }
}

int *seen(int **where, int *a, int *end)
{
    for (int *p = a; p < end; p++) {
        *where = p;
        if (**where == 3) return *where;
    }
    return end;
}

void escaped(int *a, int *end, void (*tell)(int **))
{
    for (int *p = a; p < end; p++)
        tell(&p);
}

int *global_end;
void global(int **a, int n)
{
    for (int *p = *a; p < global_end; p++)
        *p = n;
}

void down(int *a, int *end)
{
    for (int *p = end; p > a; p--)
        p[-1] = 2;
}

void by_variable(int *a, int *end, int step)
{
    for (int *p = a; p < end; p += step)
        *p = 4;
}

void far(int *a, int *end)
{
    for (int *p = a; p != end; p += 2)
        *p = 4;
}

typedef struct { char *at, *end; } Text;
void through_member(Text *t)
{
    for (char *p = t->at; p < t->end; p++)
        *p = ' ';
}
