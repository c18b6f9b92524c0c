// YYNY N
void f(int out[restrict 8], const int a[restrict 16], const int b[restrict 16]) {
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++)
      out[0] += a[i + j] *
                b[i + j];  // R3: subscripts follow from each other
}
