// YYNY N
void f(int out[restrict 8], const int a[restrict 64], const int at[restrict 8]) {
  for (int i = 0; i < 8; i++)
    out[i] = at[i] +
             a[at[i]];  // R3: subscript 0 of 'a' is no sum
}
