int main(void)
{
    static double memory[200000];
    for (int size = 3; size <= 15; size += 4) {
        int n = size, m = size + 3, l = size + 14;
CALLS    }
    return 0;
}
