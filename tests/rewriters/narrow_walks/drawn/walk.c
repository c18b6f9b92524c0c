/* A walk whose words in capitals are drawn. */
static unsigned long NAME(ELEMENT *a, COUNT n, AMOUNT w)
{
    ELEMENT *p = BEGIN;
    VALUE m = 0;
    do { m = READ; WRITTEN = KEPT; } while (ENDS);
    return m + 3 * (unsigned long)(p - a) + 5 * (unsigned long)n;
}
