void conditions(short a[20], short b[20])
{
    for (int i = 0; i < 20; i++)
        if (a[i] > 3) b[i] = a[i] * 3; else b[i] -= 7;
}
