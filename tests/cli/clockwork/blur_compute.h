#pragma once
#include "hw_classes.h"
#include "clockwork_standard_compute_units.h"

hw_uint<16> hcompute_copy(hw_uint<16>& input) {
  uint16_t _input_1 = (uint16_t) input.extract<0, 15>();
  return _input_1;
}

hw_uint<16> hcompute_zero() {
  uint16_t _1 = (uint16_t)(0);
  return _1;
}

hw_uint<16> hcompute_blur(hw_uint<16>& blur, hw_uint<48>& copy) {
  uint16_t _blur_1 = (uint16_t) blur.extract<0, 15>();
  uint16_t _copy_1 = (uint16_t) copy.extract<0, 15>();
  uint16_t _copy_2 = (uint16_t) copy.extract<16, 31>();
  uint16_t _copy_3 = (uint16_t) copy.extract<32, 47>();
  uint16_t _2 = _copy_2 + _copy_3;
  uint16_t _3 = _copy_1 + _2;
  uint16_t _4 = _blur_1 + _3;
  return _4;
}

hw_uint<16> hcompute_ramp(hw_uint<16>& blur, const int _x) {
  uint16_t _blur_1 = (uint16_t) blur.extract<0, 15>();
  uint16_t _1 = (uint16_t)(_x);
  uint16_t _2 = _blur_1 + _1;
  return _2;
}

hw_uint<8> hcompute_narrow(hw_uint<16>& blur) {
  uint16_t _blur_1 = (uint16_t) blur.extract<0, 15>();
  uint8_t _1 = (uint8_t)(_blur_1);
  return _1;
}
