#include <adf.h>
#include "kernels.h"

class sum_graph : public adf::graph {
public:
    adf::kernel first, last;
    adf::input_plio a[2];
    adf::input_port w;
    adf::output_plio c;

    sum_graph()
    {
        for (int n = 0; n < 2; ++n)
            a[n] = adf::input_plio::create(adf::plio_32_bits, "data/a" + std::to_string(n) + ".txt", 250.0);
        c = adf::output_plio::create(adf::plio_64_bits, "data/c.txt", 500);
        first = adf::kernel::create(scale);
        last = adf::kernel::create(add);
        adf::source(first) = "kernels.cc";
        adf::source(last) = "kernels.cc";
        adf::location<adf::kernel>(first) = adf::tile(3, 1);
        adf::location<adf::kernel>(last) = adf::tile(2, 1);
        adf::connect<>(a[0].out[0], first.in[0]);
        adf::connect<adf::parameter>(w, adf::async(first.in[1]));
        adf::connect<adf::cascade>(first.out[0], last.in[1]);
        adf::connect<>(a[1].out[0], last.in[0]);
        adf::connect<>(last.out[0], c.in[0]);
        adf::dimensions(first.in[0]) = {32};
        adf::dimensions(last.in[0]) = {32};
        adf::dimensions(last.out[0]) = {32};
        adf::single_buffer(last.out[0]);
    }
};
