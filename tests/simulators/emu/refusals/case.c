int main(int n, char **v) {
  switch (n) {
  default:;
    long a[2] = {0};
  case 2: // here
    return 1;
  }
}
