int main(void)
{
    static double memory[24000];
    for (int size = 0; size <= 60; size += 20) {
        int n = size + 3, m = size / 10, l = 5;
CALLS    }
    return 0;
}
