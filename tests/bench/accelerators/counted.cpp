#include "shared.h"
// a comment
class A {
    void generate() {
        f(x) = x;
    }

    void schedule() {
        if (declarative) {
            declare_levels();
            return;
        }
        f.note("}");  // not the end
        f.unroll(x);
    }
    void declare_levels() {
        f.levels();
    }
};
