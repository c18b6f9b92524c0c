// YYNY N
void f(int out[restrict 8], const int a[restrict 4]) {
  for (int i = 0; i < 8; i++)
    out[i] =
        a[i / 2];  // R3: subscript 0 of 'a' is no sum
}
