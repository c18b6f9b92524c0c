/* Arrays of N elements: searches, sums, what is packed, and selections. */

double heights[N], widths[N];
int marks[N];

int first_mark(int n)
{
    int k;
    for (k = 0; k < n; k++)
        if (marks[k] > 7)
            break;
    return k;
}

double tallest(int n)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        if (heights[i] > most)
            most = heights[i];
    return most;
}

void pack(int n)
{
    int at = 0;
    for (int i = 0; i < n; i++)
        if (marks[i] & 1) {
            at++;
            heights[at] = i;
        }
}

void pick(int n)
{
    for (int i = 0; i < n; i++)
        switch (marks[i]) {
        case 0: heights[i] = widths[i] * 2; break;
        case 1: heights[i] = widths[i] + 1; break;
        default: heights[i] = 3; break;
        }
}
