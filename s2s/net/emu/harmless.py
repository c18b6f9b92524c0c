"""Which programs may run as they are translated: those that compute, print, and read files."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from s2s.frontends.c.text import identifiers

_STREAMS = """
printf fprintf sprintf snprintf puts putchar putc fputs fputc fwrite fflush perror vprintf vfprintf
vsnprintf vsprintf fread fgets fgetc getc getchar ungetc fscanf sscanf scanf feof ferror fclose
fopen rewind fseek ftell getline setbuf setvbuf getdelim
"""
_LIBRARY = """
malloc calloc realloc free aligned_alloc posix_memalign memalign abs labs llabs atoi atol atoll atof
strtol strtoul strtoll strtoull strtod strtof rand srand random srandom rand_r drand48 erand48
srand48 lrand48 nrand48 mrand48 qsort bsearch exit _Exit abort atexit getenv memcpy memmove memset
memcmp memchr strlen strnlen strcpy strncpy strcat strncat strcmp strncmp strcasecmp strncasecmp
strchr strrchr strstr strtok strtok_r strdup strndup strspn strcspn strpbrk strerror time clock
clock_gettime gettimeofday difftime getopt getopt_long isatty setlocale div ldiv
getcontext makecontext swapcontext setcontext setitimer setrlimit
"""
_MATHEMATICS = r"""
(?:a?(?:sin|cos|tan)h?|atan2|exp2?|expm1|log(?:2|10|1p|b)?|pow|sqrt|cbrt|hypot|f(?:abs|mod|min|max|ma|dim)
|floor|ceil|l?l?round|trunc|l?l?rint|nearbyint|remainder|copysign|l?gamma|tgamma|erfc?|[fl]rexp|ldexp
|modf|scalbl?n|ilogb|nextafter)[fl]?
"""
_OWN = re.compile(
    r"__\w+|_ITM_\w+|s2s_\w+|omp_\w+|GOMP_\w+|std(?:in|out|err)|opt(?:arg|ind|err|opt)"
)
_READING = re.compile(rb'\bfopen\s*\([^;{}]*?,\s*"r[bt]?"')


def foreign_call(program: Path, text: bytes) -> str:
    """A function of the system that a program calls and that may do more; '' where none."""
    try:
        command = ["nm", "-D", "-u", str(program)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return "nm, which is not there"
    names = {
        line.split()[-1].partition("@")[0] for line in done.stdout.splitlines() if line.split()
    }
    if "fopen" in names and len(_READING.findall(text)) < text.count(b"fopen"):
        return "fopen"
    harness = {"fork", "waitpid", "mmap", "_exit"} - identifiers(text)
    known = {*_STREAMS.split(), *_LIBRARY.split(), *harness}
    mathematics = re.compile(_MATHEMATICS, re.VERBOSE)
    for name in sorted(names - known):
        plain = re.sub(r"^__isoc\d\d_|_chk$", "", name)
        if not (plain in known or mathematics.fullmatch(plain) or _OWN.fullmatch(name)):
            return name
    return ""
