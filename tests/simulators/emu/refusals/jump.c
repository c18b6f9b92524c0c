int main(int n, char **v) {
  if (n) goto out; // here
  long a[2] = {0};
out:
  return n;
}
