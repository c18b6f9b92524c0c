// 3:9: the dimensions of the layer are missing
Network n {
  Layer l { Type: GEMM }
}
