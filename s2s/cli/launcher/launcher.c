/* What stands before "s2s cc" where most commands of a build are known to stay as they are.

   It reads what s2s/cli/remembered.py has kept, by the same key: a hash of the command, of what else
   decides and of the sources. Where the entry says that nothing changes, and all files that it
   depends on have the contents that they had, the compiler takes the place of this process. In all
   other cases, and wherever something is not plain, S2S_COMMAND does, which decides by itself.
   S2S_RECORD is the installer's record, whose contents tell one s2s from another. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DIGEST = 20, LONGEST = 4096 };

static char **arguments;

/* Let s2s decide. */
static _Noreturn void ask(void) {
    static const char *const command[] = {S2S_COMMAND};
    size_t own = sizeof command / sizeof *command, count = 0;
    while (arguments[count]) count++;
    char **words = calloc(own + count + 2, sizeof *words);
    if (words) {
        memcpy(words, command, sizeof command);
        words[own] = "cc";
        memcpy(words + own + 1, arguments, count * sizeof *words);
        execv(words[0], words);
    }
    perror(command[0]);
    exit(127);
}

static _Noreturn void compile(void) {
    execvp(arguments[0], arguments);
    ask(); /* s2s says why it cannot start */
}

/* Bytes that grow at their end. */
typedef struct {
    unsigned char *data;
    size_t size, room;
} Bytes;

static unsigned char *more(Bytes *bytes, size_t size) {
    if (bytes->size + size > bytes->room) {
        bytes->room = (bytes->size + size) * 2;
        bytes->data = realloc(bytes->data, bytes->room);
        if (!bytes->data) ask();
    }
    bytes->size += size;
    return bytes->data + bytes->size - size;
}

/* A regular file's contents, with a NUL behind them that does not count; whether they were read. */
static int read_file(const char *path, Bytes *into) {
    struct stat status;
    into->size = 0;
    if (stat(path, &status) || !S_ISREG(status.st_mode)) return 0;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t got;
    do {
        size_t next = into->size ? 1 << 16 : (size_t)status.st_size + 1;
        unsigned char *place = more(into, next);
        got = read(file, place, next);
        into->size -= next - (got > 0 ? (size_t)got : 0);
    } while (got > 0);
    close(file);
    *more(into, 1) = 0;
    into->size--;
    return got == 0;
}

/* BLAKE2b of RFC 7693, section 3, without a key, as lower-case hexadecimal. */
static const uint64_t INITIAL[8] = {
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};
static const uint8_t ORDER[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
    {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
    {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
    {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};

static uint64_t turned(uint64_t word, int by) { return word >> by | word << (64 - by); }

static void mix(uint64_t *v, int a, int b, int c, int d, uint64_t x, uint64_t y) {
    v[a] += v[b] + x, v[d] = turned(v[d] ^ v[a], 32);
    v[c] += v[d], v[b] = turned(v[b] ^ v[c], 24);
    v[a] += v[b] + y, v[d] = turned(v[d] ^ v[a], 16);
    v[c] += v[d], v[b] = turned(v[b] ^ v[c], 63);
}

static void compress(uint64_t *h, const unsigned char *block, uint64_t count, int last) {
    uint64_t v[16], m[16];
    for (int i = 0; i < 16; i++) {
        m[i] = 0;
        for (int byte = 7; byte >= 0; byte--) m[i] = m[i] << 8 | block[8 * i + byte];
        v[i] = i < 8 ? h[i] : INITIAL[i - 8];
    }
    v[12] ^= count;
    if (last) v[14] = ~v[14];
    for (int round = 0; round < 12; round++) {
        const uint8_t *s = ORDER[round % 10];
        for (int i = 0; i < 4; i++) mix(v, i, 4 + i, 8 + i, 12 + i, m[s[2 * i]], m[s[2 * i + 1]]);
        for (int i = 0; i < 4; i++)
            mix(v, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4, m[s[8 + 2 * i]],
                m[s[9 + 2 * i]]);
    }
    for (int i = 0; i < 8; i++) h[i] ^= v[i] ^ v[i + 8];
}

static void hash(const Bytes *bytes, char text[2 * DIGEST + 1]) {
    uint64_t h[8];
    memcpy(h, INITIAL, sizeof h);
    h[0] ^= 0x01010000 ^ DIGEST;
    size_t done = 0;
    for (; bytes->size - done > 128; done += 128) compress(h, bytes->data + done, done + 128, 0);
    unsigned char rest[128] = {0};
    if (bytes->size > done) memcpy(rest, bytes->data + done, bytes->size - done);
    compress(h, rest, bytes->size, 1);
    for (int i = 0; i < DIGEST; i++)
        sprintf(text + 2 * i, "%02x", (unsigned)(h[i / 8] >> 8 * (i % 8) & 255));
}

/* The parts of a key: each with its length before it, a NUL between two. */
static void add(Bytes *key, const void *part, size_t size) {
    char length[32];
    int digits = sprintf(length, "%s%zu:", key->size ? "X" : "", size);
    if (key->size) length[0] = 0;
    memcpy(more(key, (size_t)digits), length, (size_t)digits);
    if (size) memcpy(more(key, size), part, size);
}

static void add_text(Bytes *key, const char *text) { add(key, text, strlen(text)); }

static int is_source(const char *word) {
    static const char *const endings[] = {".c",   ".i", ".cc", ".cpp", ".cxx",
                                          ".c++", ".C", ".cp", ".CPP"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t size = strlen(word), end = strlen(endings[i]);
        if (size >= end && !strcmp(word + size - end, endings[i])) return 1;
    }
    return 0;
}

/* The folder of a path, absolute, without "." and ".."; as os.path.abspath has it. */
static void folder_of(const char *path, const char *here, char out[2 * LONGEST]) {
    char joined[2 * LONGEST];
    const char *end = strrchr(path, '/');
    size_t size = end ? (size_t)(end - path) : 0;
    if (size >= LONGEST || strlen(here) >= LONGEST || !strncmp(path, "//", 2)) ask();
    sprintf(joined, "%s/%.*s", path[0] == '/' ? "" : here, (int)size, path);
    size_t length = 0;
    for (char *word = strtok(joined, "/"); word; word = strtok(NULL, "/")) {
        if (!strcmp(word, "..")) {
            while (length && out[--length] != '/') continue;
        } else if (strcmp(word, ".")) {
            length += (size_t)sprintf(out + length, "/%s", word);
        }
        out[length] = 0;
    }
    out[length] = 0;
}

/* Files from a folder upwards that may have options; how many there are. */
static int add_options(Bytes *key, char *folder) {
    static Bytes data;
    int found = 0;
    for (;;) {
        static const char *const names[] = {"s2s.toml", "pyproject.toml"};
        for (int i = 0; i < 2; i++) {
            char path[2 * LONGEST + 20];
            sprintf(path, "%s/%s", folder, names[i]);
            if (!read_file(path, &data)) {
                if (!access(path, F_OK)) ask();
                continue;
            }
            if (i && !memmem(data.data, data.size, "s2s", 3)) continue;
            add_text(key, names[i]);
            add(key, data.data, data.size);
            found++;
            if (!i) return found;
        }
        char *last = strrchr(folder, '/');
        if (!last) return found;
        *last = 0;
    }
}

/* Whether nothing in the command can be a source, as where objects are linked. */
static int has_no_sources(const char *here) {
    for (char **word = arguments; *word; word++)
        if (is_source(*word) || !strncmp(*word, "-x", 2)) return 0;
    char folder[2 * LONGEST];
    Bytes unused = {0};
    folder_of("", here, folder);
    return !add_options(&unused, folder);
}

/* The key of the command; asks where it has none. */
static void find_key(const char *here, char text[2 * DIGEST + 1]) {
    static const char *const variables[] = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",
        "GCC_EXEC_PREFIX", "COMPILER_PATH", "PATH", "S2S_REMARKS"};
    static Bytes key, data;
    if (!read_file(S2S_RECORD, &data)) ask();
    add(&key, data.data, data.size);
    add_text(&key, here);
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        add_text(&key, value ? value : "");
    }
    add_text(&key, "--");
    for (char **word = arguments; *word; word++) add_text(&key, *word);
    add_text(&key, "");
    const char *first = NULL;
    for (char **word = arguments; *word; word++) {
        if (!is_source(*word)) continue;
        if (!read_file(*word, &data)) ask();
        add(&key, data.data, data.size);
        if (!first && **word != '-') first = *word;
    }
    char folder[2 * LONGEST];
    folder_of(first ? first : "", here, folder);
    add_options(&key, folder);
    hash(&key, text);
}

/* Whether an entry says that nothing changes, and holds. Its lines: a format, how many files, the
   hash and the name of each, how many bytes come of them, these bytes. */
static int stays(Bytes *entry) {
    char *at = (char *)entry->data, *end = at + entry->size, digest[2 * DIGEST + 1];
    Bytes data = {0};
    if (strlen(at) != entry->size || strncmp(at, "s2s cc 1\n", 9)) return 0;
    long count = strtol(at + 9, &at, 10);
    if (*at++ != '\n') return 0;
    for (; count > 0; count--) {
        char *line = at, *stop = strchr(at, '\n');
        if (!stop || stop - line < 2 * DIGEST + 2 || line[2 * DIGEST] != ' ') return 0;
        *stop = 0;
        at = stop + 1;
        if (!read_file(line + 2 * DIGEST + 1, &data)) return 0;
        hash(&data, digest);
        if (memcmp(digest, line, 2 * DIGEST)) return 0;
    }
    return end - at == 9 && !strcmp(at, "7\nnothing");
}

int main(int count, char **words) {
    static const char *const deciding[] = {"S2S_DISABLE", "S2S_CACHE", "S2S_LOG_DIR", "S2S_REMARKS"};
    arguments = words + 1;
    if (count < 2 || words[1][0] == '-') ask();
    for (int i = 0; i < 4; i++)
        if (getenv(deciding[i])) ask();
    for (char **word = arguments; *word; word++)
        if (**word == '@') ask();
    char here[LONGEST], key[2 * DIGEST + 1], place[LONGEST];
    if (!getcwd(here, sizeof here) || here[0] != '/') ask();
    if (has_no_sources(here)) compile();
    find_key(here, key);
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME"), *below = "";
    if (!cache || !*cache) cache = home, below = "/.cache";
    if (!cache || *cache != '/') ask();
    int size = snprintf(place, sizeof place, "%s%s/s2s/cc/%.2s/%s", cache, below, key, key + 2);
    static Bytes entry;
    if (size < (int)sizeof place && read_file(place, &entry) && stays(&entry)) compile();
    ask();
}
