int main(void)
{
    for (int size = 1; size <= 41; size += 20) {
        int n = size, m = 2 * size - 1;
CALLS    }
    return 0;
}
