int main(void)
{
    static const int sizes[] = {3, 17, 21};
    for (int s = 0; s < 3; s++)
        for (int kind = 0; kind < 36; kind++) {
            int n = sizes[s], m = n + kind % 3;
CALLS        }
    return 0;
}
