#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
static unsigned long long state = 88172645463325252ULL;
static int number() {
  state ^= state << 13; state ^= state >> 7; state ^= state << 17;
  return state >> 20 & 255;
}
static void dump(const char *name, const void *from, size_t bytes) {
  FILE *file = fopen(name, "wb"); fwrite(from, 1, bytes, file); fclose(file);
}
