int a[] = {1, 2}, b;
    struct S { int x; void f() { } };
    static inline v16int16 load(const int16_t *p) { return *(v16int16 *)p; }
    extern void late(int (*f)(int), int n);
    # 7 "other.h"
    ;
    void last(int n) { if (n) { last(n - 1); } }

