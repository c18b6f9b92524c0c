#pragma once

template <typename T, int ROWS, int COLUMNS>
class ScaledPool {
    static constexpr int STEP = 2;

  private:
    alignas(32) T (&scale)[COLUMNS];
    alignas(32) T row[COLUMNS];
    int shift;
    int half;
    T bias;

    T scaled(T value, int c);

  public:
    ScaledPool(T (&s)[COLUMNS], int shift, T bias = 0);
    void filter(input_window<T> *in, output_window<T> *out);
    static void registerKernelClass()
    {
        static_assert(ROWS % STEP == 0);
        REGISTER_FUNCTION(ScaledPool::filter);
        REGISTER_PARAMETER(scale);
    }
};

template <typename T>
class Unused {
    T kept;
};
