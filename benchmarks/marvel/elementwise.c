void elementwise(int out[restrict 64][56], const int in[restrict 64][56], const int other[restrict 64][56]) {
  for (int y = 0; y < 64; y++)
    for (int x = 0; x < 56; x++) {
      out[y][x] = in[y][x] + other[y][x] > 0 ? in[y][x] + other[y][x] : 0;
    }
}
